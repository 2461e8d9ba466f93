"""Indentation, decided in one place by four rules.

1. A line at the left margin begins a declaration. First of all the text is split there (:func:`split_declarations`),
   and each declaration is read by itself, so that a mistake in one does not hide those in the next. Only comments, and
   a line that begins with a closing bracket, stay with the declaration above them.
2. A colon that ends a line opens a block: the next line must be deeper than the line that the colon ends, and its
   column is the block's. Nothing else opens a block.
3. A deeper line without such a colon continues the line before it. The columns that count are those of blocks, so
   further lines may begin anywhere right of the block's column.
4. Inside brackets line ends have no meaning. But a line at or left of the block's column that does not begin with a
   closing bracket shows that a bracket was never closed.

The rows of a ``table:`` are the one exception: they are flat, every line a row, so that names can be set flush right.

:class:`Layout` is a filter between the lexer and the parser. It has a stack of the columns of the open blocks and a
stack of the open brackets, and turns each line end into nothing (rules 3, 4), ``_INDENT`` (rule 2), or ``_NL`` and as
many ``_DEDENT`` as blocks end. It decides from the token ``_NL`` alone, which covers comments and blank lines up to the
first character of the next line: the lexer reads a word in the current state of the parser, and asking for the next
word before ``_INDENT`` has been passed on would read it in a stale state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Self

from attrs import evolve, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Label, Mistake, Source, Span
from zermelo.grammar.reading import position
from zermelo.grammar.syntax import Comment


class Lexeme(str):
    """A token of a text: its terminal, its offsets in the text, and the lines and columns of its ends, from 1."""

    __slots__ = ("column", "end_column", "end_line", "end_pos", "line", "start_pos", "type")

    def __new__(
        cls, type: str, text: str, start_pos: int, line: int, column: int, end_line: int, end_column: int, end_pos: int
    ) -> Self:
        made = super().__new__(cls, text)
        made.type, made.start_pos, made.line, made.column = type, start_pos, line, column
        made.end_line, made.end_column, made.end_pos = end_line, end_column, end_pos
        return made

    type: str
    start_pos: int
    line: int
    column: int
    end_line: int
    end_column: int
    end_pos: int

    @classmethod
    def at(cls, type: str, other: Lexeme) -> Self:
        """A token without a text where another one stands."""
        places = (other.start_pos, other.line, other.column, other.end_line, other.end_column, other.end_pos)
        return cls(type, "", *places)


CLOSING = {"(": ")", "[": "]", "{": "}"}
DEEPEST = 50
"""How many brackets, or blocks, may be open at once."""

DEEPEST_TREE = 130
"""How many blocks may be open in a ``tree:``, in which each decision is one."""

_LONG_BLOCK = "give parts of it names of their own with define, action or let"
_LONG_TREE = "write the rules as phases"


@frozen(eq=False, repr=False)
class Chunk(ByValue):
    """The text of one declaration, which ends with a line end, and where it begins in the source.

    ``edits`` are repairs made in order to read on, each as its offset, the old length and the new one; spans still
    point into the original source.
    """

    text: str
    start: int
    line: int
    column: int
    source: Source
    edits: tuple[tuple[int, int, int], ...] = ()

    def edited(self, start: int, end: int, replacement: str) -> Chunk:
        """The chunk with ``replacement`` for the characters ``start`` to ``end`` (exclusive)."""
        text = self.text[:start] + replacement + self.text[end:]
        return evolve(self, text=text, edits=(*self.edits, (start, end - start, len(replacement))))

    def span(self, start: int, end: int) -> Span:
        """The span in the source of the characters ``start`` to ``end`` (exclusive) of this chunk."""
        for place, before, now in reversed(self.edits):
            start, end = (
                offset + before - now if offset >= place + now else min(offset, place + before)
                for offset in (start, end)
            )
        last = len(self.source.text)
        return position(self.source.text, min(self.start + start, last), min(self.start + end, last))

    def token_span(self, token: Lexeme) -> Span:
        return self.span(token.end_pos - len(token), token.end_pos)


_MARGIN = re.compile(r"^(?=[^ \r\n#)\]}])", re.MULTILINE)
_INDENTED = re.compile(r"(?: *(?:#.*)?\r?\n)*(?: +[^ \r\n#]|[)\]}])")
_COMMENT_OR_TEXT = re.compile(r'"[^"\n]*"|#[^\r\n]*')


def split_declarations(source: Source) -> list[Chunk]:
    """The declarations of a text; text before the first of them, other than comments, is a chunk of its own."""
    text = source.text
    starts = [match.start() for match in _MARGIN.finditer(text)]
    if _INDENTED.match(text):
        starts.insert(0, 0)
    return [
        Chunk(text[start:end].rstrip("\n") + "\n", start, position(text, start, start).line, 1, source)
        for start, end in pairwise([*starts, len(text)])
    ]


def comments(source: Source) -> tuple[Comment, ...]:
    """The comments of a text, in order."""
    found = []
    for match in _COMMENT_OR_TEXT.finditer(source.text):
        if match.group().startswith("#"):
            line_start = source.text.rfind("\n", 0, match.start()) + 1
            own_line = not source.text[line_start : match.start()].strip()
            found.append(Comment(match.group(), own_line, span=position(source.text, match.start(), match.end())))
    return tuple(found)


class Layout:
    """The filter between lexer and parser.

    ``chunk`` is the text being read, ``tokens`` the tokens read so far, ``brackets`` those that are still open,
    ``columns`` the columns of the open blocks, from 0, and ``continued`` the offsets of lines that continue the line
    before them.
    """

    chunk: Chunk
    tokens: list[Lexeme]
    brackets: list[Lexeme]
    columns: list[int]
    continued: set[int]

    def process(self, stream: Iterator[Lexeme]) -> Iterator[Lexeme]:
        self.tokens, self.brackets, self.columns, self.continued = [], [], [0], set()
        columns = self.columns
        doubtful = False  # the line may show that a bracket was never closed
        for token in stream:
            if token.type != "_NL":
                if not self.tokens and token.column != 1:
                    raise self._wrong_indentation(token.end_pos - len(token), columns)
                if doubtful and token not in CLOSING.values():
                    break
                doubtful = False
                self.tokens.append(token)
                self._update_brackets(token)
                yield token
                continue
            if not self.tokens:
                continue
            column = len(token) - token.rindex("\n") - 1
            opens_block = self.tokens[-1].type == "COLON"
            if self.brackets:
                doubtful = column <= columns[-1]
            elif column <= columns[-1] or self._is_row(columns, column):
                if opens_block:
                    raise self._empty_block()
                yield token
                open_before = columns.copy()
                while column < columns[-1] and not self._is_row(columns, column):
                    columns.pop()
                    yield Lexeme.at("_DEDENT", token)
                if column > columns[-1] and not self._is_row(columns, column):
                    raise self._wrong_indentation(token.end_pos, open_before)
            elif opens_block:
                columns.append(column)
                is_tree = self.tokens[0] == "tree"
                if len(columns) > (most := DEEPEST_TREE if is_tree else DEEPEST):
                    raise self._too_deep(most, "blocks", _LONG_TREE if is_tree else _LONG_BLOCK)
                yield Lexeme.at("_INDENT", token)
            else:
                self.continued.add(token.end_pos)
        if self.brackets:
            raise self._never_closed()

    def _is_row(self, columns: list[int], column: int) -> bool:
        return len(columns) == 2 and column > 0 and self.tokens[0] == "table"

    def _update_brackets(self, token: Lexeme) -> None:
        """Update the stack of open brackets."""
        if token in CLOSING:
            self.brackets.append(token)
            if len(self.brackets) > DEEPEST:
                raise self._too_deep(DEEPEST, "brackets", _LONG_BLOCK)
        elif token in CLOSING.values():
            if not self.brackets:
                raise Mistake(
                    "unmatched-bracket",
                    self.chunk.token_span(token),
                    f"this '{token}' closes nothing",
                    help="remove it, or write the bracket that it should close",
                )
            opener = self.brackets.pop()
            if CLOSING[opener] != token:
                raise Mistake(
                    "unmatched-bracket",
                    self.chunk.token_span(token),
                    f"'{opener}' is closed by '{token}'",
                    remark=f"'{CLOSING[opener]}' belongs here",
                    labels=(Label(self.chunk.token_span(opener), "opened here"),),
                )

    def _too_deep(self, most: int, what: str, help: str) -> Mistake:
        span = self.chunk.token_span(self.tokens[-1])
        return Mistake("nested-too-deep", span, f"more than {most} {what} are nested", help=help)

    def _never_closed(self) -> Mistake:
        opener = self.brackets[-1]
        return Mistake(
            "never-closed",
            self.chunk.token_span(opener),
            f"this '{opener}' is never closed",
            help=f"write the missing '{CLOSING[opener]}'; lines inside brackets are indented beyond the block",
        )

    def _empty_block(self) -> Mistake:
        help = "indent the lines that belong to it"
        if self.tokens[0] == "tree":
            help = "write the payoffs after it, as in (1, 0), or the next node in a deeper line"
        return Mistake(
            "empty-block",
            self.chunk.token_span(self.tokens[-1]),
            "this colon opens a block, but no deeper line follows",
            help=help,
        )

    def _wrong_indentation(self, first: int, columns: list[int]) -> Mistake:
        """``first`` is the offset of the line's first character."""
        *others, last = [str(column + 1) for column in columns]
        return Mistake(
            "indentation",
            self.chunk.span(first, first + 1),
            "this line begins in a column where no block begins",
            help=f"the blocks that are open here begin in column {', '.join(others)}{' and ' if others else ''}{last}",
        )
