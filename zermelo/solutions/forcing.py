"""What a player can force, whatever the truth is (:mod:`zermelo.solvers.beliefs.forcing`)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.results import UNASKED, GameResult, Provenance
from zermelo.solutions.page import plan_record
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.beliefs.forcing import Forced, force_payoff
from zermelo.solvers.choosing.choice import NO_END
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.common.numbers import GoesRound
from zermelo.solving import all_on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.machine import TellingMachine
    from zermelo.report.console import Watch
    from zermelo.solvers.forms.policy import ConditionalPlan

_STATE_BYTES: Final = 4_096
"""The bytes of a state while the plays that fit are looked at; about."""


@frozen(repr=False)
class ForcedPayoff(GameResult):
    """What ``player`` can force, from :func:`zermelo.force`. Any play along the ``plan`` brings them ``amount`` at
    least; both are None if no plan does what was asked, which is ``at_least`` so much, or anything for certain if that
    is None. ``counts`` say how much was searched."""

    begin: State = field(eq=False)
    player: str
    at_least: Fraction | None
    amount: Fraction | None
    plan: ConditionalPlan | None
    counts: Mapping[str, int]
    provenance: Provenance = UNASKED

    def __repr__(self) -> str:
        found = "nothing" if self.amount is None else self.amount
        return f"<{self.player} can force {found} in '{self.game.name}'>"

    def record(self) -> dict[str, Any]:
        return {
            **self._head(),
            "player": self.player,
            "at_least": None if self.at_least is None else str(self.at_least),
            "forced": None if self.amount is None else str(self.amount),
            "plan": None if self.plan is None else plan_record(self.plan),
            "counts": dict(self.counts),
        }


def find_forced(
    state: State, player: str | None, at_least: Fraction | None, limits: Limits, watch: Watch
) -> ForcedPayoff:
    """What a player, by default the only one, can force from a state on. Raises ``ZermeloError`` as
    :func:`zermelo.force` does."""
    game = state.game
    if player is None and len(game.players) > 1:
        raise ZermeloError(
            "bad-usage",
            "it is not said who is to force it",
            f"the players are {', '.join(game.players)}",
        )
    number = 0 if player is None else game.number(player)
    with watch("looking for a plan", "positions", None) as report, limits.enforce():
        found = _force(state, number, at_least, limits, report)
    return ForcedPayoff(state, game.players[number], at_least, found.amount, found.plan, found.counts)


def _force(state: State, number: int, at_least: Fraction | None, limits: Limits, progress: Progress) -> Forced:
    game = state.game
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
        there = all_on_machine(game, truths, machine)
        try:
            return force_payoff(machine, number, there, at_least, limits, progress)
        except GoesRound as found:
            player = game.players[number]
            raise ZermeloError(found.code, f"{found.message}, and {player} has no say in it", NO_END) from found

    return search(game, work)
