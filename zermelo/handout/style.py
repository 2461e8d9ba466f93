"""How the page looks: in light and dark, on a telephone and on paper."""

from typing import Final

STYLE: Final = """\
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --line: #d0d7de; --faint: #59636e;
  --soft: #f6f8fa; --key: #8250df; --name: #0550ae; --text: #0a6b2d; --count: #953800; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --line: #3d444d; --faint: #9198a1;
  --soft: #161b22; --key: #d2a8ff; --name: #79c0ff; --text: #7ee787; --count: #ffa657; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); overflow-wrap: break-word; }
h1 { line-height: 1.2; margin: .5rem 0; }
h2 { border-bottom: 1px solid var(--line); margin: 2rem 0 .75rem; }
.faint, figcaption { color: var(--faint); }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; margin: .5rem 0; }
caption { text-align: left; font-weight: bold; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 600; white-space: nowrap; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; font-size: .85rem;
  overflow-wrap: normal; }
figure { margin: .75rem 0; }
.paper { background: #ffffff; border: 1px solid var(--line); border-radius: 6px; }
.paper svg { display: block; max-width: max(100%, 54rem); height: auto; }
.c { color: var(--faint); font-style: italic; } .k { color: var(--key); } .f { color: var(--name); }
.n { color: var(--count); } .s { color: var(--text); }
@media (max-width: 30rem) { body { padding: .5rem; } h1 { font-size: 1.5rem; } tbody th { white-space: normal; } }
@media print {
  :root { color-scheme: light; --ink: #000000; --paper: #ffffff; --line: #999999; --faint: #444444; --soft: #ffffff;
    --key: #5a2ca0; --name: #0550ae; --text: #0a6b2d; --count: #953800; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .wide { overflow: visible; } pre { white-space: pre-wrap; } .paper { border: 0; }
  .paper svg { max-width: 100%; max-height: 22cm; height: auto; }
  h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
}
"""
