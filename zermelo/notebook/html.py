"""Small pieces of HTML for notebooks: tables, lists of facts, pictures. Words are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from zermelo.html_tables import CellStyles, html_table
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg

_LOOK: Final = "text-align: left; vertical-align: top; padding: 2px 12px 2px 0"
_STYLES: Final = CellStyles(_LOOK, f"{_LOOK}; white-space: nowrap", "text-align: left")
"""A notebook has no style sheet of ours."""


def page(title: str, *parts: str) -> str:
    """A title, and parts below it."""
    head = f"<h4>{escape(title)}</h4>" if title else ""
    return f'<div style="overflow-x: auto">{head}{"".join(parts)}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Rows under heads."""
    return html_table(heads, rows, caption, styles=_STYLES)


def facts(lines: Iterable[tuple[str, str]]) -> str:
    """Lines of a word and a text about it."""
    return html_table((), lines, is_headed=True, styles=_STYLES)


def paragraphs(sentences: Iterable[str]) -> str:
    """A paragraph for each."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def lines(texts: Iterable[str]) -> str:
    """Lines with their indents."""
    return f"<pre>{escape(chr(10).join(texts))}</pre>"


def picture(drawn: Picture) -> str:
    """A picture within the page."""
    return svg(drawn)
