"""A game and values as results show them, in JSON and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.interpreter.values import Value, format_value

if TYPE_CHECKING:
    from zermelo.game import Game


def header(game: Game) -> dict[str, Any]:
    """How every JSON result begins: the game and its parameters."""
    return {"game": game.name, "parameters": {name: plain(value) for name, value in game.parameters.items()}}


def settings(game: Game) -> str:
    """The parameters in words: ``rows = 6, columns = 7``."""
    return ", ".join(f"{name} = {format_value(value)}" for name, value in game.parameters.items())


def plain(value: Value) -> int | bool | str:
    """A value as JSON has it: whole numbers and truth values as they are, everything else as the language writes it."""
    return value if isinstance(value, int) else format_value(value)


def by_player(game: Game, amounts: Any) -> dict[str, str]:
    """Exact numbers by the names of the players."""
    return {player: str(amount) for player, amount in zip(game.players, amounts, strict=True)}
