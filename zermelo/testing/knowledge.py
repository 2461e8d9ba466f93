"""The knowledge of a player: what holds in every position that they consider possible.

A player considers possible all positions of all plays, including ends, in which they have the same information state,
whoever is to move. A position in which chance is to draw lies within a step, of which nobody has noticed anything yet,
and does not count; but if a test asks about such a position, the step may as well not have begun, so all positions with
the same information state count.

The plays are searched from the beginning, the shortest first. An information state only ever grows, so a play is
followed only while its information state is a prefix of the real one. Others may move unseen, so the search also goes
on from an equal one. More than ``HISTORIES_LIMIT`` plays are not searched: then a counterexample found before counts,
and otherwise the question is refused.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.survey import choices
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.model import Loose
from zermelo.interpreter.values import Value
from zermelo.solvers.common.limits import Limits

HISTORIES_LIMIT = 100_000


def counterexample(state: State, player: str, condition: Loose) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the condition does not hold, or has no value yet;
    None if there is none: the player knows that it holds.

    Raises ``ZermeloError``: ``no-solver`` for too many plays, and ``out-of-memory``.
    """
    return next((here for here in indistinguishable(state, player) if _value(here, condition) != ("value", True)), None)


def doubt(state: State, player: str, expression: Loose) -> State | None:
    """A state that the player cannot tell from ``state`` and in which the expression has another value; None if there
    is none: the player knows its value.

    Raises ``ZermeloError``: ``no-solver`` for too many plays, and ``out-of-memory``.
    """
    value = _value(state, expression)
    return next((here for here in indistinguishable(state, player) if _value(here, expression) != value), None)


def indistinguishable(state: State, player: str) -> Iterator[State]:
    """The states with the same information state of the player, this one included; the shortest plays first."""
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
    return state.game.machine.actor(state.machine_state) == CHANCE_ACTS


def _value(state: State, expression: Loose) -> tuple[str, Value]:
    """The value of the expression, or that it reads an unset variable."""
    try:
        return "value", state.game.machine.evaluate(state.machine_state, expression)
    except PlayError as error:
        if error.code != "unset-variable":
            raise
        return "unset", None
