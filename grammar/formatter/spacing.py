"""Which words stand apart."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.grammar.formatter.lines import SourceWord

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_NEVER_BEFORE = (*_CLOSING, "[", ",", ":", ".", "..", "?")
_NEVER_AFTER = (*_OPENING, ".", "..", "@")
_CALLED = ("min", "max", "grid", "hex", "ring", "graph", "edges", "plays", "knows", "knows_value")
_FACTORS = ("*", "/", "//", "%")
_ENDING = (*_CLOSING, "none", "true", "false", "?")
"""Words and signs that may end an operand, beside names and numbers."""


def ends_operand(word: SourceWord) -> bool:
    """Whether an operator, and no operand, comes after this word."""
    return word.kind in ("NAME", "NUMBER", "TEXT") or word.text in _ENDING


def are_apart(words: Sequence[SourceWord]) -> list[bool]:
    """For each word whether a space comes before it."""
    return [_is_apart(words, place) for place in range(len(words))]


def _is_apart(words: Sequence[SourceWord], place: int) -> bool:
    if place == 0:
        return False
    before, word = words[place - 1], words[place]
    if word.is_keyword(*_NEVER_BEFORE) or before.is_keyword(*_NEVER_AFTER):
        return False
    if before.is_keyword("-") and _is_sign(words, place - 1):
        return False
    if word.is_keyword("("):
        return not (before.kind == "NAME" or before.is_keyword(*_CALLED))
    return not (_is_fraction(words, place) or _is_fraction(words, place - 1))


def _is_sign(words: Sequence[SourceWord], place: int) -> bool:
    """Whether a minus is the sign of what comes after it."""
    return place == 0 or not ends_operand(words[place - 1])


def _is_fraction(words: Sequence[SourceWord], place: int) -> bool:
    """Whether this is the stroke of a fraction such as 1/3, which is written without spaces; in ``a * 1 / 3`` the
    product comes first."""
    return (
        words[place].is_keyword("/")
        and 0 < place < len(words) - 1
        and words[place - 1].kind == words[place + 1].kind == "NUMBER"
        and not (place > 1 and words[place - 2].is_keyword(*_FACTORS))
    )
