"""What a player can force, whatever the truth is (:mod:`zermelo.solvers.beliefs.forcing`)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.last_resort import wrap_internal_errors
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.beliefs.forcing import Forced, force_payoff
from zermelo.solvers.choosing.choice import NO_END
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import GoesRound

if TYPE_CHECKING:
    from zermelo.interpreter.machine import TellingMachine
from zermelo.solving import on_machine, search

_STATE_BYTES = 4_096
"""The bytes of a state while the plays that fit are looked at; about."""


@wrap_internal_errors
def force(
    state: State,
    player: str,
    at_least: Fraction | int | None = None,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Forced:
    """A plan by which ``player`` gets ``at_least`` so much for certain, or by default as much as can be forced:
    whatever chance draws and the others do, and whatever play has led to what the player has perceived up to ``state``.
    The plan says what to do by what is perceived; it is None if there is none.

    Raises ``ZermeloError``: ``unknown-player``; ``no-value`` if the play has ended; ``moves-differ``,
    ``too-many-outcomes``, ``needs-end`` if others can go on for ever before the player decides again, ``out-of-time``,
    ``out-of-memory``.

    >>> import zermelo
    >>> found = zermelo.force(zermelo.load("vacuum").initial, "Cleaner", 1)
    >>> [str(step.move) for step in found.plan.steps]
    ['left', 'suck', 'right', 'suck']
    """
    game, limits = state.game, limits or Limits()
    number = game.number(player)
    if state.is_over:
        raise ZermeloError(
            "no-value",
            f"{state.status}, so there is nothing left to force",
            "`--after` leads to a position before the end",
        )
    truths = [state.machine_state]
    if state.play:
        known = game.machine.information_state(state.machine_state, number)
        most = limits.free // _STATE_BYTES
        found = enumerate_belief(
            Following(game.machine, number, known, uniform_behaviour), limits, progress, most, by_standing=True
        )
        if found is None:
            raise limits.out_of_memory({"nodes": most})
        truths = [each.state for each in found.positions]

    def work(machine: TellingMachine[Any]) -> Forced:
        there = [on_machine(State(game, truth), machine) for truth in truths]
        least = None if at_least is None else Fraction(at_least)
        try:
            return force_payoff(machine, number, there, least, limits, progress)
        except GoesRound as found:
            raise ZermeloError(found.code, f"{found.message}, and {player} has no say in it", NO_END) from found

    return search(game, work)
