"""The page of a finding code: its meaning, with a wrong and a right example.

The pages are ``grammar/explanations/CODE.md``. A page is a title line, some paragraphs, and the sections ``Wrong`` and
``Right``, each with one or more fenced blocks. The first line of a block names its kind:

===========  ===============================================================================================
``game``     a whole ``.game`` file
``console``  a command line behind ``$``; ``example.game`` in it is the page's ``game`` block, or any sound game
``python``   an expression whose value is the text, or the bytes, of a file that cannot well be printed
===========  ===============================================================================================
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

from attrs import frozen

from zermelo.grammar.diagnostics import CODES, ZermeloError

_PAGES = Path(__file__).parent / "explanations"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Example:
    """One fenced block of a page; ``text`` ends with a line end."""

    kind: str
    text: str


@frozen
class Explanation:
    """A page, taken apart; ``page`` is the whole of it, in Markdown."""

    code: str
    title: str
    text: str
    wrong: tuple[Example, ...]
    right: tuple[Example, ...]
    page: str


def explanation(code: str) -> Explanation:
    """The page of ``code``; raises ``ZermeloError`` (``unknown-code``)."""
    if code not in CODES:
        near = get_close_matches(code, CODES, n=1)
        raise ZermeloError(
            "unknown-code",
            f"there is no finding code '{code}'",
            help=f"did you mean '{near[0]}'?" if near else "docs/findings.md lists all codes",
        )
    page = (_PAGES / f"{code}.md").read_text(encoding="utf-8")
    head, rest = page.split("\n## Wrong\n")
    wrong, right = rest.split("\n## Right\n")
    title, text = head.split("\n", 1)
    return Explanation(code, title.removeprefix("# "), text.strip(), _examples(wrong), _examples(right), page)


def _examples(section: str) -> tuple[Example, ...]:
    return tuple(Example(kind, text) for kind, text in _BLOCK.findall(section))
