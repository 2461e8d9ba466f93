"""Games and values in results, as JSON and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.interpreter.values import Value, format_value

if TYPE_CHECKING:
    from zermelo.game import Game


def header(game: Game) -> dict[str, Any]:
    """The beginning of every JSON result: the game and its parameters."""
    return {"game": game.name, "parameters": {name: plain(value) for name, value in game.parameters.items()}}


def settings(game: Game) -> str:
    """The parameters in words: ``rows = 6, columns = 7``."""
    return ", ".join(f"{name} = {format_value(value)}" for name, value in game.parameters.items())


def plain(value: Value) -> int | bool | str:
    """A value for JSON: whole numbers and truth values as they are, others as the language writes them."""
    return value if isinstance(value, int) else format_value(value)


def by_player(game: Game, amounts: Any) -> dict[str, str]:
    """Exact numbers as text, by the names of the players."""
    return {player: str(amount) for player, amount in zip(game.players, amounts, strict=True)}
