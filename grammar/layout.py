"""Indentation: where a line belongs, decided in one place.

Four rules say all of it.

1. A line at the left margin begins a declaration. The text is cut there before anything else is done (:func:`cut`), and
   each declaration is read by itself, so that a mistake in one does not hide those in the next. Only a line that
   begins with a closing bracket, and comments, stay with the declaration above them.
2. A colon that ends a line opens a block: the next line must stand deeper than the line that the colon ends, and its
   column is the block's. Nothing else opens a block.
3. A deeper line without such a colon continues the line before it. The columns that count are those of blocks, so
   further lines may stand anywhere right of the block's column.
4. Inside brackets the ends of lines mean nothing. But a line at or left of the block's column that does not begin
   with a closing bracket shows that a bracket was never closed.

The rows of a ``table:`` are the one exception: they are flat, every line a row, so that names can be set flush right.

:class:`Layout` is a filter between lark's lexer and parser. It keeps a stack of the columns of the open blocks and a
stack of the open brackets, and turns each end of a line into nothing (rules 3, 4), ``_INDENT`` (rule 2), or ``_NL``
and as many ``_DEDENT`` as blocks end. The token ``_NL`` that it gets covers comments and blank lines up to the first
character of the next line, so it can decide from that token alone. It must: lark's contextual lexer reads a token with
the parser's state of that moment, and asking for the next one before ``_INDENT`` is out would have it read in a stale
state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen
from lark import Token
from lark.lark import PostLex

from grammar.diagnostics import Label
from grammar.mistake import Mistake
from grammar.source import Source, Span
from grammar.syntax import Comment

CLOSING = {"(": ")", "[": "]", "{": "}"}
DEEPEST = 60
"""How many brackets, or blocks, may be open at once."""


@frozen
class Chunk:
    """The text of one declaration and where it begins; ``text`` ends with a line end, even if the file does not."""

    text: str
    start: int
    line: int

    def span(self, start: int, end: int) -> Span:
        """The span in the source of the characters ``start`` to ``end`` (exclusive) of this chunk."""
        line, column = self._position(start)
        end_line, end_column = self._position(end)
        return Span(self.start + start, self.start + end, line, column, end_line, end_column)

    def token_span(self, token: Token) -> Span:
        assert token.start_pos is not None and token.end_pos is not None
        return self.span(token.start_pos, token.end_pos)

    def _position(self, offset: int) -> tuple[int, int]:
        return self.line + self.text.count("\n", 0, offset), offset - self.text.rfind("\n", 0, offset)


_MARGIN = re.compile(r"^(?=[^\s#)\]}])", re.MULTILINE)


def cut(text: str) -> list[Chunk]:
    """The declarations of a text; what stands before the first of them, if it is more than comments, comes first."""
    starts = [match.start() for match in _MARGIN.finditer(text)]
    head = text[: starts[0]] if starts else text
    if any(line.strip() and not line.lstrip().startswith("#") for line in head.splitlines()):
        starts.insert(0, 0)
    chunks, line, counted = [], 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line, counted = line + text.count("\n", counted, start), start
        chunks.append(Chunk(text[start:end] if text.endswith("\n", start, end) else text[start:end] + "\n", start, line))
    return chunks


_COMMENT_OR_TEXT = re.compile(r'"[^"\n]*"|#[^\r\n]*')


def comments(source: Source) -> tuple[Comment, ...]:
    """The comments of a text, in order."""
    whole = Chunk(source.text, 0, 1)
    found = []
    for match in _COMMENT_OR_TEXT.finditer(source.text):
        if match.group().startswith("#"):
            line_start = source.text.rfind("\n", 0, match.start()) + 1
            own_line = not source.text[line_start : match.start()].strip()
            found.append(Comment(match.group(), own_line, span=whole.span(match.start(), match.end())))
    return tuple(found)


class Layout(PostLex):
    """The filter between lexer and parser; ``chunk`` is what is being read, ``tokens`` what has been read of it.

    ``continued`` holds the offsets at which a line begins that continues the one before it.
    """

    always_accept = (
        *("_NL", "NAME", "NUMBER", "TEXT", "LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE"),
        *("COLON", "COMMA", "DOT", "DOTS", "EQUAL", "EQUALS", "DIFFERS", "LESSTHAN", "AT_MOST", "MORETHAN", "AT_LEAST"),
        *("ASSIGN", "ADD_TO", "TAKE_FROM", "PLUS", "MINUS", "STAR", "SLASH", "FLOOR", "PERCENT"),
        *("VBAR", "QMARK", "BACKSLASH", "LABEL"),
    )
    """All but keywords: signs mean the same everywhere, and only words are read by their context."""

    chunk: Chunk
    tokens: list[Token]
    continued: set[int]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        self.tokens, self.continued = [], set()
        columns, brackets = [0], list[Token]()
        doubtful = False  # the line may show that a bracket was never closed
        previous = None
        for token in stream:
            if token.type != "_NL":
                if doubtful and token.value not in CLOSING.values():
                    break
                doubtful = False
                self.tokens.append(token)
                self._count(token, brackets)
                previous = token
                yield token
                continue
            column = len(token) - token.rindex("\n") - 1
            opens_block = previous is not None and previous.type == "COLON"
            if brackets:
                doubtful = column <= columns[-1]
            elif column <= columns[-1] or self._is_row(columns, column):
                if opens_block:
                    raise self._empty(previous)
                yield token
                while column < columns[-1] and not self._is_row(columns, column):
                    columns.pop()
                    yield Token.new_borrow_pos("_DEDENT", "", token)
                if column > columns[-1]:
                    raise self._astray(token, columns)
            elif opens_block:
                columns.append(column)
                if len(columns) > DEEPEST:
                    raise self._too_deep(token, "blocks")
                yield Token.new_borrow_pos("_INDENT", "", token)
            else:
                assert token.end_pos is not None
                self.continued.add(token.end_pos)
        if brackets:
            raise self._never_closed(brackets[-1])

    def _is_row(self, columns: list[int], column: int) -> bool:
        return len(columns) == 2 and column > 0 and self.tokens[0] == "table"

    def _count(self, token: Token, brackets: list[Token]) -> None:
        """Keep account of the open brackets."""
        if token.value in CLOSING:
            brackets.append(token)
            if len(brackets) > DEEPEST:
                raise self._too_deep(token, "brackets")
        elif token.value in CLOSING.values():
            if not brackets:
                raise Mistake(
                    "unmatched-bracket",
                    self.chunk.token_span(token),
                    f"this {token.value} closes nothing",
                    help="remove it, or write the bracket that it should close",
                )
            opener = brackets.pop()
            if CLOSING[opener.value] != token.value:
                raise Mistake(
                    "unmatched-bracket",
                    self.chunk.token_span(token),
                    f"{opener.value} is closed by {token.value}",
                    remark=f"expected {CLOSING[opener.value]}",
                    labels=(Label(self.chunk.token_span(opener), "opened here"),),
                    help=f"close {opener.value} with {CLOSING[opener.value]}",
                )

    def _too_deep(self, token: Token, what: str) -> Mistake:
        assert token.end_pos is not None
        return Mistake(
            "nested-too-deep",
            self.chunk.span(token.end_pos - 1, token.end_pos),
            f"more than {DEEPEST} {what} are open here",
            help="give parts of it names of their own with define, action or let",
        )

    def _never_closed(self, opener: Token) -> Mistake:
        return Mistake(
            "never-closed",
            self.chunk.token_span(opener),
            f"this {opener.value} is never closed",
            help=f"write the missing {CLOSING[opener.value]}; lines inside brackets must stand deeper than the line "
            "that opens them",
        )

    def _empty(self, colon: Token) -> Mistake:
        return Mistake(
            "empty-block",
            self.chunk.token_span(colon),
            "this colon opens a block, but no deeper line follows",
            help="indent the lines that belong to it",
        )

    def _astray(self, token: Token, columns: list[int]) -> Mistake:
        assert token.end_pos is not None
        return Mistake(
            "indentation",
            self.chunk.span(token.end_pos, token.end_pos + 1),
            "this line stands in a column that no open block has",
            help="",
        )
