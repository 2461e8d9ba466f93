"""What a player knows: what holds in every play that looks to him like the one that was played.

The plays are searched from the beginning. What a player has perceived only ever grows, so a play is followed only
while what he has perceived of it is the beginning of what he has perceived of the real one. Others may move unseen, so
the search also goes on where he has perceived all there is; it gives up after ``HISTORIES_LIMIT`` plays.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar.diagnostics import ZermeloError
from interpreter.checks.choices import choices
from interpreter.machine import CHANCE, PlayError
from interpreter.model import Loose
from interpreter.values import Value
from zermelo.game import Game, State

HISTORIES_LIMIT = 100_000


def doubt(state: State, player: str, expression: Loose) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the expression has another value; None where
    there is none: he knows its value.

    Raises ``ZermeloError`` (``no-solver``) where there are too many plays to look at.
    """
    value = _value(state, expression)
    for other in indistinguishable(state, player):
        if _value(other, expression) != value:
            return other
    return None


def indistinguishable(state: State, player: str) -> Iterator[State]:
    """The states, this one among them, that give the player the same information state."""
    game = state.game
    known = state.information_state(player)
    is_draw = _is_draw(state)
    waiting = [game.initial]
    histories = 0
    while waiting:
        here = waiting.pop()
        perceived = here.information_state(player)
        if perceived != known[: len(perceived)]:
            continue
        histories += 1
        if histories > HISTORIES_LIMIT:
            raise ZermeloError("no-solver", f"there are more than {HISTORIES_LIMIT:,} plays to look at")
        if perceived == known and _is_draw(here) == is_draw:
            yield here
        waiting += [here.after(move) for move in reversed(choices(game.machine, here.machine_state))]


def _is_draw(state: State) -> bool:
    return state.game.machine.actor(state.machine_state) == CHANCE


def _value(state: State, expression: Loose) -> tuple[str, Value]:
    """The value of the expression, or that it has none."""
    game: Game = state.game
    try:
        return "value", game.machine.evaluate(state.machine_state, expression)
    except PlayError as error:
        if error.code != "unset-variable":
            raise
        return "unset", None
