"""Where the parser stopped, and the words that it expected."""

from __future__ import annotations

from collections.abc import Callable

import lark
from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.grammar.layout import Chunk, Layout
from zermelo.grammar.source import Span


@frozen(eq=False, repr=False)
class Word(ByValue):
    """A token with its offsets in the chunk; ``kind`` is its terminal."""

    text: str
    start: int
    end: int
    kind: str


@frozen(eq=False, repr=False)
class Stop(ByValue):
    """Where a reading stopped: at ``word``, whose text is empty if a line or a block ends too early.

    ``before`` are the words read so far, ``expected`` the acceptable terminals, ``open`` the open brackets.
    ``new_line`` says that the word is the first of a line that continues the one before, and ``column`` is the column
    of the block.
    """

    chunk: Chunk
    word: Word
    before: tuple[Word, ...]
    expected: frozenset[str]
    open: tuple[Word, ...]
    new_line: bool
    column: int

    @property
    def line_end(self) -> int:
        """The offset of the end of the line on which the reading stopped; a chunk may end without a line end."""
        end = self.chunk.text.find("\n", self.word.end)
        return len(self.chunk.text) if end < 0 else end

    @property
    def previous(self) -> Word:
        return self.before[-1] if self.before else Word("", 0, 0, "")


def stop_of(layout: Layout, error: lark.UnexpectedInput) -> Stop:
    """The stop of an error of the parser; ``layout`` still holds the progress of that reading."""
    chunk = layout.chunk
    before = [_word(token) for token in layout.tokens]
    if not isinstance(error, lark.UnexpectedToken):
        assert error.pos_in_stream is not None
        word = Word(chunk.text[error.pos_in_stream], error.pos_in_stream, error.pos_in_stream + 1, "")
    elif error.token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        place = before[-1].end
        word = Word("", place, place, error.token.type)
    else:
        word = _word(error.token)
        if before and before[-1].start == word.start:
            before.pop()
    return Stop(
        chunk,
        word,
        tuple(before),
        _acceptable(error),
        tuple(map(_word, layout.brackets)),
        word.start in layout.continued,
        layout.columns[-1],
    )


def _acceptable(error: lark.UnexpectedInput) -> frozenset[str]:
    """The acceptable terminals; lark does not type the parser in its errors."""
    accepts: Callable[[], set[str]] = error.interactive_parser.accepts
    return frozenset(accepts())


def _word(token: lark.Token) -> Word:
    assert token.start_pos is not None and token.end_pos is not None
    return Word(str(token), token.start_pos, token.end_pos, token.type)


def span_of(chunk: Chunk, word: Word) -> Span:
    return chunk.span(word.start, word.end)
