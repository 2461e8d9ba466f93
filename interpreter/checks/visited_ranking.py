"""A survey of a ranking function: whether the tuple of a claim ``terminates by (e, ...)`` falls with every decision.

Positions are visited breadth first, so that the first decision found in which the tuple does not fall ends a shortest
play to such a decision. If all positions have been visited, the tuple falls from each to the next, so that no play
comes back to a position and every play ends. Cost: one step for each move of each position; memory for all positions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import TYPE_CHECKING

from attrs import define, field

from zermelo.foundation.deadline import DeadlinePassed, check_deadline, time_limit
from zermelo.foundation.memory import MemoryBudget, MemoryQuota, format_bytes
from zermelo.interpreter.checks.game_facts import choices_at, play_text
from zermelo.interpreter.checks.termination import measure_text
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import END
from zermelo.interpreter.model import Claim, Expr, Loose, Model
from zermelo.interpreter.model.rewriting import bound_slots, phase_title, slots
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.values import Value, format_value

if TYPE_CHECKING:
    from zermelo.interpreter.reference.run import ReferenceState


def survey_measure(model: Model, claim: Claim, most: float, seconds: float, memory: float) -> Fact:
    """Whether the tuple of a claim falls with every decision, by a visit of at most ``most`` positions within these
    ``seconds`` and bytes of ``memory``. Raises errors of the rules as they are."""
    survey = _Survey(ReferenceMachine(model), claim, most, MemoryQuota(MemoryBudget(memory)))
    try:
        with time_limit(seconds):
            return survey.run()
    except DeadlinePassed:
        return survey.stopped(f"after {seconds:g} s")


@define(eq=False, repr=False)
class _Survey:
    """A running survey: the positions met, and the states still to visit."""

    machine: ReferenceMachine
    claim: Claim
    most: float
    room: MemoryQuota
    met: dict[Hashable, None] = field(factory=dict)
    waiting: deque[ReferenceState] = field(factory=deque)
    loose: dict[str, tuple[Loose, ...]] = field(factory=dict)

    def run(self) -> Fact:
        first = self.machine.initial()
        self.met[self.machine.position(first)] = None
        self.waiting.append(first)
        while self.waiting:
            state = self.waiting.popleft()
            before = self.measured(state)
            for move in choices_at(self.machine, state):
                check_deadline()
                after = self.machine.after(state, move)
                if self.machine.actor(after) == END:
                    continue
                is_whole = not after.chosen  # else it is a partial choice of a ``together``
                if is_whole and not (values := self.measured(after)) < before:
                    return self.refuted(state, after, before, values)
                position = self.machine.position(after)
                if position not in self.met:
                    if len(self.met) >= self.most:
                        return self.stopped(f"after {self.most:,} positions")
                    if not self.room.grows(self.met):
                        return self.stopped(f"at {format_bytes(self.room.budget.allowed)} of memory")
                    self.met[position] = None
                    self.waiting.append(after)
        return Fact(True, f"{self.subject} gets smaller with every decision of all {len(self.met):,} positions")

    @property
    def subject(self) -> str:
        return measure_text(self.machine.model, self.claim)

    def measured(self, state: ReferenceState) -> tuple[Value, ...]:
        phase = state.phase.name
        if phase not in self.loose:
            least = len(state.arguments)
            self.loose[phase] = tuple(_loose_expression(argument, least) for argument in self.claim.measure(phase))
        given = state.arguments if self.claim.by_phase else ()
        return tuple(self.machine.evaluate(state, each, *given) for each in self.loose[phase])

    def refuted(
        self, state: ReferenceState, after: ReferenceState, before: tuple[Value, ...], values: tuple[Value, ...]
    ) -> Fact:
        """The claim is refuted by the decision that leads from one state to the next."""
        play = self.machine.play(after)
        behind = f"after {play_text(play[:-1])}, " if len(play) > 1 else ""
        where = phase_title(self.machine.model, state.phase.model)
        change = f"from {_tuple_text(before)} to {_tuple_text(values)}, which is not less"
        return Fact(False, f"{behind}{play[-1]} in {where} leads {change}")

    def stopped(self, why: str) -> Fact:
        """The survey has been stopped before all positions were visited."""
        so_far = f"{self.subject} gets smaller with every decision visited"
        return Fact(None, f"{so_far}; the visit was stopped {why}, and --time and --memory allow more")


def _loose_expression(argument: Expr, least: int) -> Loose:
    """The expression in a frame of its own, with at least ``least`` slots."""
    used = slots(argument) | bound_slots(argument)
    return Loose(argument, max(least, 1 + max(used, default=0)))


def _tuple_text(values: tuple[Value, ...]) -> str:
    return f"({', '.join(map(format_value, values))})"
