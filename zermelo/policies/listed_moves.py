"""The moves of a decision in a file, with their probabilities, and the refusal of a file that does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NoReturn

from zermelo.grammar.diagnostics import ZermeloError

_ROUNDING: Final = Fraction(1, 10**6)
"""The greatest deviation of the sum of probabilities from 1 that is taken for rounding."""

_NUMBER: Final = re.compile(r"[+-]?\d+(/\d+|(\.\d*)?([eE][+-]?\d{1,3})?)")
"""A probability: ``1/3``, ``0.25``, ``1e-05``. A longer exponent would make an enormous number."""

_SHOWN: Final = 40
"""The longest quotation of invalid content in a message, in characters."""


def refuse(name: str, why: str, help: str = "") -> NoReturn:
    """Raise ``ZermeloError`` (``bad-strategy``): the file of this name does not fit the game."""
    raise ZermeloError("bad-strategy", f"{name} holds no strategies for this game: {why}", help)


def quoted(value: object) -> str:
    """Content of a file for a message, cut short."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def probabilities(name: str, here: str, moves: tuple[str, ...], listed: Mapping[str, Any]) -> list[Fraction]:
    """The probabilities of these moves, which sum to 1, from those that a decision of a file lists; ``here`` is the
    decision, for messages. Raises ``ZermeloError`` (``bad-strategy``)."""
    given: dict[str, Fraction] = {}
    for move, written in listed.items():
        if move not in moves:
            refuse(name, f"in {here} the move {quoted(move)} is not one of {', '.join(moves)}")
        chance = _probability(written)
        if chance is None:
            refuse(name, f"in {here} the probability of {move} is not a number: {quoted(written)}")
        if not 0 <= chance <= 1:
            refuse(name, f"in {here} the probability of {move} is {quoted(written)}, not between 0 and 1")
        given[move] = chance
    total = sum(given.values(), Fraction(0))
    if abs(total - 1) > _ROUNDING:
        refuse(name, f"in {here} the probabilities sum to {quoted(str(total))}, not to 1")
    return [given.get(move, Fraction(0)) / total for move in moves]


def _probability(written: Any) -> Fraction | None:
    """The number of a text; None if it is not a number."""
    if isinstance(written, bool) or not isinstance(written, int | str):
        return None
    text = str(written)
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # more digits than Python converts
        return None
