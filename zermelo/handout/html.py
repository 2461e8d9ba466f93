"""HTML by small functions: text is escaped where it enters, and markup is put together from what these return."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pygments.token import Comment, Keyword, Name, Number, Operator, String

from zermelo.highlighting.pygments_lexer import ZermeloLexer
from zermelo.html_tables import html_table
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg

_CLASSES = {Comment: "c", Keyword: "k", Operator.Word: "k", Name.Function: "f", Number: "n", String: "s"}


def section(number: int, title: str, parts: Iterable[str]) -> str:
    """A section of the page under a heading; nothing if it has no parts."""
    inside = "\n".join(part for part in parts if part)
    heading = f'<h2 id="section-{number}">{escape(title)}</h2>'
    return f'<section aria-labelledby="section-{number}">\n{heading}\n{inside}\n</section>' if inside else ""


def paragraph(text: str, kind: str = "") -> str:
    """Text as a paragraph, of a class."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(text)}</p>"


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """Words, and a text about each."""
    return table("", (), rows, is_headed=True)


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], is_headed: bool = False) -> str:
    """Rows under heads; ``is_headed``: the first cell of a row is its head. Nothing if there are no rows."""
    if not rows:
        return ""
    inside = html_table(heads, rows, caption, is_headed)
    return f"{_scrolled('wide', caption or 'Table')}\n{inside}\n</div>"


def figure(picture: Picture, caption: str = "") -> str:
    """A picture, on white paper whatever the colours of the page."""
    below = f"<figcaption>{escape(caption)}</figcaption>\n" if caption else ""
    return f"<figure>\n{_scrolled('wide paper', caption or picture.title)}\n{svg(picture)}</div>\n{below}</figure>"


def indented(head: str, lines: Iterable[str]) -> str:
    """Lines with their indents, below a head."""
    text = escape("\n".join(lines))
    return f'<h3>{escape(head)}</h3>\n<pre class="wide" tabindex="0">{text}</pre>'


def rules(text: str) -> str:
    """The text of a file, its words in colours."""
    parts = []
    for _, kind, value in ZermeloLexer().get_tokens_unprocessed(text):
        name = next((name for known, name in _CLASSES.items() if kind in known), None)
        parts.append(escape(value) if name is None else f'<span class="{name}">{escape(value)}</span>')
    return f'<pre class="wide" tabindex="0"><code>{"".join(parts)}</code></pre>'


def _scrolled(kind: str, label: str) -> str:
    """The beginning of a part that is moved sideways, by keys too, where the page is narrow."""
    return f'<div class="{kind}" role="region" aria-label="{escape(label)}" tabindex="0">'
