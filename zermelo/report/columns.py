"""A line of text as columns of a terminal.

Tabs are expanded, wide characters take two columns, combining ones none, and control characters are shown by their
pictures, so that a file can neither shift the carets nor control the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, combining, east_asian_width

from attrs import frozen

from zermelo.grammar.by_value import ByValue

TAB = 4
LINE_WIDTH = 100
"""Longer lines are cut around the marks."""

BEFORE = 30
"""How much of a cut line is kept before the first mark."""

ELLIPSIS = "…"


@frozen(eq=False, repr=False)
class Columns(ByValue):
    """``columns[k]`` is the text of column k, empty after a wide character. Character i of the line begins in column
    ``starts[i]``; the last entry is the width of the line."""

    columns: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def text(self) -> str:
        return "".join(self.columns).rstrip()

    def start(self, column: int) -> int:
        """The terminal column of the character in column ``column`` of the text (from 1); beyond it, the line's end."""
        return self.starts[min(column - 1, len(self.starts) - 1)]

    def cut(self, points: Iterable[int]) -> tuple[str, int]:
        """The text, cut to ``LINE_WIDTH`` columns around the first of these columns if it is longer, and how many
        columns are missing on the left."""
        width = len(self.columns)
        if width <= LINE_WIDTH:
            return self.text, 0
        left = max(0, min(min(points, default=0) - BEFORE, width - LINE_WIDTH))
        shown = [column or " " for column in self.columns[left : left + 1]]
        shown += self.columns[left + 1 : left + LINE_WIDTH]
        if left > 0:
            shown[0] = ELLIPSIS
        if left + LINE_WIDTH < width:
            shown[-1] = ELLIPSIS
        return "".join(shown).rstrip(), left


def columns_of(line: str) -> Columns:
    """The columns of a line."""
    shown: list[str] = []
    starts: list[int] = []
    for character in line:
        if combining(character) and shown:
            starts.append(len(shown) - 1)
            shown[-1] += character
            continue
        starts.append(len(shown))
        if character == "\t":
            shown.extend(" " * (TAB - len(shown) % TAB))
        elif east_asian_width(character) in "WF":
            shown.extend((character, ""))
        else:
            shown.append(printable(character))
    return Columns(tuple(shown), (*starts, len(shown)))


def printable(character: str) -> str:
    """The character, or a picture for one that is invisible or would control the terminal."""
    if ord(character) < 0x20:
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}" if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") else character


def clean(text: str) -> str:
    """A text of several lines without characters that would control the terminal."""
    return "".join(character if character == "\n" else printable(character) for character in text)
