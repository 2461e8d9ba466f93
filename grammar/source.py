"""Text with a name, and the spans that point into it."""

from __future__ import annotations

from functools import cached_property

from attrs import field, frozen

from zermelo.grammar.displayed import Displayed


@frozen(repr=False)
class Span(Displayed):
    """A stretch of a source text.

    ``start`` and ``end`` are offsets in characters (``end`` is exclusive); ``line`` and ``column`` count from 1, and
    ``end_column`` is the column after the last character.
    """

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The span from the beginning of this one to the end of ``other``."""
        return Span(self.start, other.end, self.line, self.column, other.end_line, other.end_column)

    def beginning(self, length: int) -> Span:
        """The first ``length`` characters, of one line."""
        return Span(self.start, self.start + length, self.line, self.column, self.line, self.column + length)


NOWHERE = Span(0, 0, 1, 1, 1, 1)
"""The span of nodes without a text: built-in names, and trees made by a program."""


@frozen(repr=False)
class Source(Displayed):
    """A text and its name in messages (a path, or ``<stdin>``)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text without their line ends."""
        return tuple(line.removesuffix("\r") for line in self.text.split("\n"))

    def line(self, number: int) -> str:
        """Line ``number``, counted from 1; empty beyond the end of the text."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def excerpt(self, span: Span) -> str:
        """The characters that ``span`` covers."""
        return self.text[span.start : span.end]
