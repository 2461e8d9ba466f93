"""Small pieces of HTML: tables, lists of facts, pictures. Words are escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg

_LOOK: Final = "text-align: left; vertical-align: top; padding: 2px 12px 2px 0"
_CELL: Final = f'style="{_LOOK}"'
_WORD: Final = f'style="{_LOOK}; white-space: nowrap"'


def page(title: str, *parts: str) -> str:
    """A title, and parts below it."""
    head = f"<h4>{escape(title)}</h4>" if title else ""
    return f'<div style="overflow-x: auto">{head}{"".join(parts)}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Rows under heads."""
    top = "".join(f'<th scope="col" {_CELL}>{escape(head)}</th>' for head in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    said = f'<caption style="text-align: left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{said}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def facts(lines: Iterable[tuple[str, str]]) -> str:
    """Lines of a word and a text about it."""
    rows = (f'<tr><th scope="row" {_WORD}>{escape(word)}</th>{_cell(text)}</tr>' for word, text in lines)
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def paragraphs(sentences: Iterable[str]) -> str:
    """A paragraph for each."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def lines(texts: Iterable[str]) -> str:
    """Lines with their indents."""
    return f"<pre>{escape(chr(10).join(texts))}</pre>"


def picture(drawn: Picture) -> str:
    """A picture within the page."""
    return svg(drawn)


def _cell(text: str) -> str:
    return f"<td {_CELL}>{escape(text)}</td>"
