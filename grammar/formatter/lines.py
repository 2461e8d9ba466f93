"""From a text to logical lines: the words of a statement or of the head of a block, however many rows they fill.

A word is a token of the parser; what lies between two words is spaces, line ends and comments. A comment behind a word
stays behind it. One in a row of its own belongs to what comes below it; at the end of a block, its column says to which
of the blocks that are open there.
"""

from __future__ import annotations

import re

from attrs import define, field, frozen
from lark import Token

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.engine import engine
from zermelo.grammar.layout import CLOSING, Chunk, cut
from zermelo.grammar.source import Source

_COMMENT = re.compile(r"#[^\r\n]*")
_NAMES = ("NAME", "NUMBER", "TEXT")


@define(eq=False)
class SourceWord:
    """A token. ``kind`` is its name in the grammar: ``NAME``, ``NUMBER``, ``TEXT``, or that of a keyword or a sign.
    ``above`` are the comments in rows of their own between the word before it and this one, in one logical line, and
    ``behind`` is the comment behind it in its row. ``end`` is its end in the text, where it may begin a row."""

    text: str
    kind: str
    end: int
    above: tuple[str, ...] = ()
    behind: str = ""
    begins_row: bool = False

    def is_keyword(self, *texts: str) -> bool:
        """Whether it is one of these words or signs, and no name."""
        return self.text in texts and self.kind not in _NAMES


@frozen
class Above:
    """A row above a line, in the depth of its block: a comment, or blank."""

    text: str
    depth: int


@define(eq=False)
class Line:
    """A logical line, the rows above it, and the column of its first word in the text, from 0. What stands below the
    last word of a text is above a line without words."""

    depth: int
    column: int
    words: list[SourceWord]
    above: list[Above] = field(factory=list)

    def drawn(self, source: Source) -> str:
        """The line as it stands in the text, without the comment behind it."""
        first, last = self.words[0], self.words[-1]
        return source.text[first.end - len(first.text) : last.end]


def logical_lines(source: Source) -> list[Line]:
    """The lines of a text without errors."""
    reader = _Reader(source.text)
    for chunk in cut(source):
        reader.read(chunk)
    reader.lines.append(Line(0, 0, [], reader.above(0, len(source.text), reader.columns)))
    return reader.lines


@define(eq=False)
class _Reader:
    """``columns`` are those of the open blocks, ``brackets`` the number of open brackets."""

    text: str
    lines: list[Line] = field(factory=list)
    columns: list[int] = field(factory=lambda: [0])
    brackets: int = 0

    def read(self, chunk: Chunk) -> None:
        with engine().lock:
            engine().read(chunk, Findings(chunk.source))
            tokens, continued = engine().layout.tokens, engine().layout.continued
        row = 0
        for token in tokens:
            assert token.start_pos is not None and token.line is not None
            begins_row = token.line != row
            begins = begins_row and not self.brackets and token.start_pos not in continued
            row = token.line
            self.add(token, chunk.start + token.start_pos, begins, is_table=tokens[0] == "table")
            self.lines[-1].words[-1].begins_row = begins_row
            self.brackets += (token.value in CLOSING) - (token.value in CLOSING.values())

    def add(self, token: Token, start: int, begins: bool, is_table: bool) -> None:
        """Add a word at the offset ``start``, which ``begins`` a logical line or goes on in one."""
        word = SourceWord(token.value, token.type, start + len(token.value))
        if not begins:
            word.above = tuple(text for _, text in self.between(start) if text)
            self.lines[-1].words.append(word)
            return
        assert token.column is not None
        column = token.column - 1
        columns = self.columns.copy()
        depth = min(column, 1) if is_table else self.depth(column)
        self.lines.append(Line(depth, column, [word], self.above(depth, start, columns)))

    def depth(self, column: int) -> int:
        """The depth of a line that begins in ``column``."""
        while column < self.columns[-1]:
            self.columns.pop()
        if column > self.columns[-1]:
            self.columns.append(column)
        return len(self.columns) - 1

    def above(self, depth: int, start: int, columns: list[int]) -> list[Above]:
        """The rows above a line at the offset ``start``; ``columns`` are those of the blocks that were open before it.
        A comment that is not deeper than any of the blocks that end here belongs to the innermost of them."""
        rows = []
        for place, text in self.between(start):
            owner = max(level for level, column in enumerate(columns) if column <= place)
            rows.append(Above(text, max(depth, owner)))
        return rows

    def between(self, start: int) -> list[tuple[int, str]]:
        """The comments in rows of their own between the last word and the offset ``start``, with their columns, and
        blank rows as empty ones; the comment behind the last word is added to it."""
        last = self.lines[-1].words[-1] if self.lines else None
        first, *rows = self.text[last.end if last else 0 : start].split("\n")
        if last is None:
            rows.insert(0, first)
        elif found := _COMMENT.search(first):
            last.behind = found.group().rstrip()
        if rows and not rows[-1].strip():
            rows.pop()  # the row of the next word, or the end of the text
        return [(len(row) - len(row.lstrip(" ")), row.strip()) for row in rows]
