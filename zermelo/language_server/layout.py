"""Formatting: the edits that bring a text into the one layout of ``zermelo fmt``."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol.types import Position, Range, TextEdit

from zermelo.grammar.diagnostics import InvalidGame
from zermelo.grammar.formatter import formatted
from zermelo.grammar.source import Source


def layout_edits(source: Source) -> list[TextEdit]:
    """The edits, of whole lines, so that an editor keeps its marks in those that stay; none for a text with mistakes in
    its grammar."""
    try:
        after = formatted(source).splitlines(keepends=True)
    except InvalidGame:
        return []
    before = source.text.splitlines(keepends=True)
    return [
        TextEdit(Range(Position(start, 0), Position(end, 0)), "".join(after[first:last]))
        for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
