"""Games and values in results, as JSON and in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.interpreter.machine import Payoff, shown
from zermelo.interpreter.values import Value, format_value
from zermelo.numbers import certain_decimals

if TYPE_CHECKING:
    from zermelo.game import Game, State


def header(game: Game) -> dict[str, Any]:
    """The beginning of every JSON result: the game and its parameters."""
    return {"game": game.name, "parameters": {name: plain(value) for name, value in game.parameters.items()}}


def settings(game: Game) -> str:
    """The parameters in words: ``rows = 6, columns = 7``."""
    return ", ".join(f"{name} = {format_value(value)}" for name, value in game.parameters.items())


def play_so_far(begin: State) -> str:
    """All moves, as ``--after`` takes them."""
    return ", ".join(map(shown, begin.play))


def plain(value: Value) -> int | bool | str:
    """A value for JSON: whole numbers and truth values as they are, others as the language writes them."""
    return value if isinstance(value, int) else format_value(value)


def known_by_player(players: Sequence[str], amounts: Payoff, error: Fraction) -> dict[str, str | None]:
    """Numbers that are known to within ``error``, by the names of the players: exact ones as text, others as decimals
    that are certain, None where not even a whole number is."""
    if not error:
        return {player: str(amount) for player, amount in zip(players, amounts, strict=True)}
    return {player: certain_decimals(amount, error) for player, amount in zip(players, amounts, strict=True)}


def by_player(game: Game, amounts: Any) -> dict[str, str]:
    """Exact numbers as text, by the names of the players."""
    return {player: str(amount) for player, amount in zip(game.players, amounts, strict=True)}
