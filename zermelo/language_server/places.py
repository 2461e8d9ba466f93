"""TextPlaces of a text as editors count them.

The protocol counts lines and characters from 0, and characters in units of an encoding on which client and server
agree: mostly UTF-16, in which a character beyond the first 65,536 counts as two.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

from attrs import frozen
from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from zermelo.grammar.displayed import Displayed
from zermelo.grammar.source import Source, Span


@frozen(repr=False)
class TextPlaces(Displayed):
    """The places of one text."""

    source: Source
    codec: PositionCodec

    def range_of(self, span: Span) -> Range:
        return Range(self._position(span.line, span.column), self._position(span.end_line, span.end_column))

    def range_in_line(self, line: int, start: int, end: int) -> Range:
        """The range between two offsets in a line, counted from 0."""
        first = self._starts[line]
        return Range(self._position(line + 1, start - first + 1), self._position(line + 1, end - first + 1))

    def offset_of(self, position: Position) -> int:
        """The offset of a position, in characters; a place beyond the end of its line is that end."""
        if position.line >= len(self._starts):
            return len(self.source.text)
        units = 0
        start: int = self._starts[position.line]
        line = self.source.line(position.line + 1)
        for k, character in enumerate(line):
            if units >= position.character:
                return start + k
            units += self.codec.client_num_units(character)
        return start + len(line)

    def _position(self, line: int, column: int) -> Position:
        """``line`` and ``column`` count from 1."""
        before = self.source.line(line)[: column - 1]
        return Position(line - 1, len(before) if before.isascii() else self.codec.client_num_units(before))

    @cached_property
    def _starts(self) -> list[int]:
        lines = self.source.text.split("\n")
        return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
