"""Words of pictures: titles, and numbers that are short enough for them."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.game import State
from zermelo.interpreter.machine import shown
from zermelo.numbers import approximation, settings

LONG: Final = 9
"""The longest fraction that a picture shows, in characters."""


def titled(state: State) -> str:
    """The title of a game with its parameters, and the play so far."""
    given = settings(state.game)
    after = f", after {', '.join(map(shown, state.play))}" if state.play else ""
    return f"{state.game.title}{f' ({given})' if given else ''}{after}"


def in_short(number: Fraction | int) -> str:
    """A number as a fraction, or rounded if that is too long."""
    return str(number) if len(str(number)) <= LONG else approximation(number).removeprefix("≈ ")
