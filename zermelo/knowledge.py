"""What a player knows: what holds in every position that he considers possible.

He considers possible what he cannot tell from the position that he is in: all positions of all plays, whoever is to
decide there, and all ends, in which he has perceived the same. A position in which chance is to draw lies within a
step, of which nobody has noticed anything yet. Nobody is ever asked what he knows there; where a test asks it all the
same, the step may as well not have begun, so all positions count in which he has perceived the same.

The plays are searched from the beginning, the shortest first. What a player has perceived only ever grows, so a play is
followed only while what he has perceived of it is the beginning of what he has perceived of the real one. Others may
move unseen, so the search also goes on where he has perceived all there is. Nothing is concluded from a part of these
plays: where they are more than ``HISTORIES_LIMIT``, only what has been found by then is said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import CHANCE, PlayError
from zermelo.interpreter.model import Loose
from zermelo.interpreter.values import Value
from zermelo.solvers.common.limits import Limits

HISTORIES_LIMIT = 100_000


def counterexample(state: State, player: str, condition: Loose) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the condition does not hold, or has no value yet;
    None where there is none: he knows that it holds.

    Raises ``ZermeloError``: ``no-solver`` where there are too many plays to look at, and ``out-of-memory``.
    """
    return next((here for here in indistinguishable(state, player) if _value(here, condition) != ("value", True)), None)


def doubt(state: State, player: str, expression: Loose) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the expression has another value; None where
    there is none: he knows its value.

    Raises ``ZermeloError``: ``no-solver`` where there are too many plays to look at, and ``out-of-memory``.
    """
    value = _value(state, expression)
    return next((here for here in indistinguishable(state, player) if _value(here, expression) != value), None)


def indistinguishable(state: State, player: str) -> Iterator[State]:
    """The states, this one among them, that give the player the same information state; the shortest plays first."""
    game = state.game
    known = state.information_state(player)
    is_within_step = _is_draw(state)
    waiting = deque([game.initial])
    limits = Limits()
    room = limits.room()
    histories = 0
    while waiting:
        here = waiting.popleft()
        perceived = here.information_state(player)
        if perceived == known and (is_within_step or not _is_draw(here)):
            yield here
        for move in choices(game.machine, here.machine_state):
            after = here.after(move)
            perceived = after.information_state(player)
            if perceived != known[: len(perceived)]:
                continue
            histories += 1
            if histories > HISTORIES_LIMIT:
                raise ZermeloError("no-solver", f"there are more than {HISTORIES_LIMIT:,} plays to look at")
            waiting.append(after)
            if not room.grows(waiting):
                raise limits.out_of_memory({"plays": histories})


def _is_draw(state: State) -> bool:
    return state.game.machine.actor(state.machine_state) == CHANCE


def _value(state: State, expression: Loose) -> tuple[str, Value]:
    """The value of the expression, or that it has none."""
    try:
        return "value", state.game.machine.evaluate(state.machine_state, expression)
    except PlayError as error:
        if error.code != "unset-variable":
            raise
        return "unset", None
