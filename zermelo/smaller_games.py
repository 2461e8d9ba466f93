"""Which parameters may make a game smaller, for a refusal that asks for a smaller one.

A parameter that is a whole number mostly counts something: rows, heaps, cards. So its next lower value is proposed, if
the file allows it. Whether the game is then small enough is known only once it has been tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Final

from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.values import format_value

ASKED: Final = "a smaller game"
"""The words of a help that asks for one."""

_RANGE: Final = re.compile(r"\S+\.\.\S+")
_MOST: Final = 3


def name_smaller(error: ZermeloError, game: Game) -> None:
    """Add to the help of a refusal how parameters may make the game smaller, if that helps."""
    values = list(islice(_lower_options(game), _MOST)) if ASKED in error.help else []
    if values:
        *others, last = values
        error.help += f"; with {' or '.join(filter(None, [', '.join(others), last]))} it may be smaller"


def _lower_options(game: Game) -> Iterator[str]:
    """The options that lower one parameter by one."""
    for name, value in game.parameters.items():
        least = game.model.extremes[name][0]
        if not isinstance(value, int) or isinstance(value, bool) or not isinstance(least, int):
            continue
        if value > least and _RANGE.fullmatch(game.model.domains[name]) and _is_allowed(game, name, value - 1):
            yield f"-p {name}={value - 1}"


def _parameter_values(game: Game) -> dict[str, int | Fraction | bool | str]:
    """The values of the parameters, members of enumerations by their names."""
    return {
        name: value if isinstance(value, int | Fraction) else format_value(value)
        for name, value in game.parameters.items()
    }


def _is_allowed(game: Game, name: str, value: int) -> bool:
    from zermelo.loading import build

    try:
        build(game.name, game.model.source, {**_parameter_values(game), name: value})
    except ZermeloError:
        return False
    return True
