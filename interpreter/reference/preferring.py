"""``turn p preferring (a, b)``: only the steps from which a best complete turn can still be reached.

A turn is a sequence of decisions by one player without chance or other players in between. Its positions form a graph:
an edge for each step to another decision of the turn, and a *completion* for each step that ends it, whether or not it
ends the game. The worth of a completion is (a, b) right after its effects, compared lexicographically. The worth of a
position is that of the best reachable completion. The steps with the greatest worth are kept.

The graph may have cycles (steps that can be taken back), which rules out recursion. The unknown positions of the turn
are collected breadth first; then the completions, best first, propagate their worth backwards along the edges to every
position without one. Each edge is visited once. Worths are cached for the later decisions of the turn, which mostly
meet the same positions.

(a, b) is the criterion of the present decision, with its names; the criteria of other decisions of the turn do not
count here. All steps that the rules allow count, before any ``preferring``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import Finding
from zermelo.interpreter.evaluation.context import Closure, Compiles, Context
from zermelo.interpreter.evaluation.statements import Arguments, CompiledRule
from zermelo.interpreter.machine import Move, display_text
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.reference.decisions import CompiledTurn, Legal
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.reference.why_not import FEW
from zermelo.interpreter.values import EvaluationError, sort_key

Standing = tuple[Any, ...]
"""A worth, compared lexicographically; the empty one, of no completion at all, is the least."""

_REMEMBERED: Final = 50_000
"""The most cached positions of one criterion, and the most criteria."""


class Preference:
    """Finds the preferred moves of states; ``position`` gives the position of a state."""

    def __init__(self, runner: Runner, compiler: Compiles, position: Callable[[ReferenceState], Hashable]) -> None:
        self._runner = runner
        self._compiler = compiler
        self._position = position
        self._criteria: dict[CompiledTurn, _Criteria] = {}
        self._remembered: dict[Hashable, dict[Hashable, Standing]] = {}

    def preferred(self, state: ReferenceState, legal: Legal) -> Legal:
        """The moves with the greatest worth, of those that the rules allow."""
        turn = state.phase.decision
        if not isinstance(turn, CompiledTurn) or not turn.model.preferring or len(legal) < 2:
            return legal
        criteria = self._criteria_of(turn)
        search = _Search(self._runner, self._position, state, criteria, self._cached_worths(state, criteria))
        worths = search.worths(state, legal)
        best = max(worths)
        return {move: made for (move, made), worth in zip(legal.items(), worths, strict=True) if worth == best}

    def left_out(self, state: ReferenceState, kept: Legal) -> Finding | None:
        """Why other moves that the rules allow are not among those ``kept``; None in a turn without criteria."""
        turn = state.phase.decision
        if not isinstance(turn, CompiledTurn) or not turn.model.preferring:
            return None
        place = turn.model.preferring[0].span.to(turn.model.preferring[-1].span)
        better = ", ".join(map(display_text, islice(kept, FEW)))
        message = "another way to play the turn is better by this criterion"
        return Finding("illegal-move", message, self._runner.model.source, place, help=f"better: {better}")

    def _criteria_of(self, turn: CompiledTurn) -> _Criteria:
        if turn not in self._criteria:
            written = turn.model.preferring
            values = [self._compiler.value(expr, "a value to compare") for expr in written]
            self._criteria[turn] = _Criteria(values, sorted(set().union(*map(free_slots, written))))
        return self._criteria[turn]

    def _cached_worths(self, state: ReferenceState, criteria: _Criteria) -> dict[Hashable, Standing]:
        """The cached worths of positions under the criteria of this decision."""
        criterion = (state.phase.name, tuple([state.frame[slot] for slot in criteria.slots]))
        if len(self._remembered) > _REMEMBERED or len(self._remembered.get(criterion, ())) > _REMEMBERED:
            self._remembered.clear()
        return self._remembered.setdefault(criterion, {})


@frozen(eq=False, repr=False)
class _Criteria:
    """The compiled criteria of a turn, and the slots that they read."""

    values: list[Closure]
    slots: list[int]


@define(eq=False, repr=False)
class _Position:
    """An unknown position: its predecessors, and the best known worth of a step from it."""

    leading_here: list[Hashable] = field(factory=list)
    best: Standing = ()


@frozen(eq=False, repr=False)
class _Step(ByValue):
    """The result of a step: a worth, or the next position of the turn."""

    worth: Standing
    next: Hashable = None


@define(eq=False, repr=False)
class _Search:
    """One search through the positions of a turn. It enters the worths in ``known``."""

    runner: Runner
    position: Callable[[ReferenceState], Hashable]
    decision_state: ReferenceState
    criteria: _Criteria
    known: dict[Hashable, Standing]
    found: dict[Hashable, _Position] = field(factory=dict)
    waiting: list[tuple[Hashable, ReferenceState]] = field(factory=list)

    def worths(self, state: ReferenceState, legal: Legal) -> list[Standing]:
        """The worth of each legal move."""
        steps = self.steps(state, legal)
        for here, there in self.waiting:  # it grows on the way
            check_deadline()
            self.look_at(here, there)
        self.hand_back()
        return [step.worth if step.next is None else self.known[step.next] for step in steps]

    def look_at(self, here: Hashable, state: ReferenceState) -> None:
        """Note the results of the steps from a position."""
        position = self.found[here]
        for step in self.steps(state, self.runner.legal(state)):
            if step.next is None:
                position.best = max(position.best, step.worth)
            elif step.next in self.known:
                position.best = max(position.best, self.known[step.next])
            else:
                self.found[step.next].leading_here.append(here)

    def hand_back(self) -> None:
        """Give every position found the best worth reachable from it."""
        for start, position in sorted(self.found.items(), key=lambda item: item[1].best, reverse=True):
            waiting = [start]
            while waiting:
                here = waiting.pop()
                if here not in self.known:
                    self.known[here] = position.best
                    waiting.extend(self.found[here].leading_here)

    def steps(self, state: ReferenceState, legal: Legal) -> list[_Step]:
        return [self.step(state, move, *made) for move, made in legal.items()]

    def step(self, state: ReferenceState, move: Move, rule: CompiledRule, arguments: Arguments) -> _Step:
        context, leave = self.runner.effects(state, rule, arguments)
        worth = self.judge(context)
        after = self.runner.arrive(state, move, context, leave)
        if after.actor != state.actor or not isinstance(after.phase.decision, CompiledTurn):
            return _Step(worth)
        next = self.position(after)
        if next not in self.known and next not in self.found:
            self.found[next] = _Position()
            self.waiting.append((next, after))
        return _Step((), next)

    def judge(self, context: Context) -> Standing:
        """The criterion, right after the effects of a step."""
        frame = list(self.decision_state.frame)
        try:
            return tuple(sort_key(value(context, frame)) for value in self.criteria.values)
        except EvaluationError as error:
            raise self.runner.explained(error, self.decision_state, None) from error
