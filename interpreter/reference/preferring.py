"""``turn p preferring (a, b)``: only the steps from which a best complete turn can still be reached.

A turn is a run of decisions by one player with no chance and no other player's decision between them. Its positions
form a graph: an edge for each step that leads to another decision of the turn, and a *completion* for each step that
ends it. A completion is worth the values of (a, b) right after its effects, compared from the left, and ending the
game is worth more than anything else. A position is worth the best completion that can be reached from it; a step,
what it leads to. The steps worth most are kept.

The graph may have cycles (a turn whose steps can be taken back), so worths are not computed by recursion. All
positions of the turn that are not known yet are collected breadth first; then the completions, the best first, hand
their worth backwards along the edges to every position that has none yet. Each edge is looked at once. What has been
found is remembered for the later decisions of the turn, since the positions of a turn are mostly met more than once.

(a, b) are those of the decision at hand, with its names; other decisions of the turn may have other criteria, which do
not count here. Steps count as the rules allow them, before any ``preferring``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import Finding
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Closure, Compiles, Context
from zermelo.interpreter.evaluation.rules import Arguments, CompiledRule
from zermelo.interpreter.machine import END, Move
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.reference.decisions import CompiledTurn, Legal
from zermelo.interpreter.reference.run import Runner
from zermelo.interpreter.reference.state import ReferenceState
from zermelo.interpreter.reference.written import FEW
from zermelo.interpreter.values import sort_key

Standing = tuple[Any, ...]
"""Compared from the left; the empty one, that of no completion at all, is the least."""

_END_OF_GAME: Final[Standing] = (1,)
_REMEMBERED: Final = 50_000
"""How many positions are remembered at most for one criterion, and how many criteria."""


class Preference:
    """Finds the preferred moves of states; ``position`` gives the position of a state."""

    def __init__(self, runner: Runner, compiler: Compiles, position: Callable[[ReferenceState], Hashable]) -> None:
        self._runner = runner
        self._compiler = compiler
        self._position = position
        self._criteria: dict[CompiledTurn, _Criteria] = {}
        self._remembered: dict[Hashable, dict[Hashable, Standing]] = {}

    def kept(self, state: ReferenceState, legal: Legal) -> Legal:
        """Of the moves that the rules allow in a state, those that may be made."""
        turn = state.phase.decision
        if not isinstance(turn, CompiledTurn) or not turn.model.preferring or len(legal) < 2:
            return legal
        criteria = self._criteria_of(turn)
        search = _Search(self._runner, self._position, state, criteria, self._known(state, criteria))
        worths = search.worths(state, legal)
        best = max(worths)
        return {move: made for (move, made), worth in zip(legal.items(), worths, strict=True) if worth == best}

    def left_out(self, state: ReferenceState, kept: Legal) -> Finding | None:
        """Why moves that the rules allow are not among those ``kept``; None where that has another reason."""
        turn = state.phase.decision
        if not isinstance(turn, CompiledTurn) or not turn.model.preferring:
            return None
        place = turn.model.preferring[0].span.to(turn.model.preferring[-1].span)
        better = ", ".join(map(str, islice(kept, FEW)))
        message = "another way to play the turn is better by this"
        return Finding("illegal-move", message, self._runner.model.source, place, help=f"better: {better}")

    def _criteria_of(self, turn: CompiledTurn) -> _Criteria:
        if turn not in self._criteria:
            written = turn.model.preferring
            values = [self._compiler.value(expr, "a value to compare") for expr in written]
            self._criteria[turn] = _Criteria(values, sorted(set().union(*map(free_slots, written))))
        return self._criteria[turn]

    def _known(self, state: ReferenceState, criteria: _Criteria) -> dict[Hashable, Standing]:
        """What is remembered of positions under the criteria of this decision."""
        criterion = (state.phase.name, tuple([state.frame[slot] for slot in criteria.slots]))
        if len(self._remembered) > _REMEMBERED or len(self._remembered.get(criterion, ())) > _REMEMBERED:
            self._remembered.clear()
        return self._remembered.setdefault(criterion, {})


@frozen(eq=False)
class _Criteria:
    """The criteria of a turn, compiled, and the slots of the names that they use."""

    values: list[Closure]
    slots: list[int]


@define(eq=False)
class _Position:
    """A position that is not known yet: the positions that lead to it, and the best that a step from it comes to."""

    leading_here: list[Hashable] = field(factory=list)
    best: Standing = ()


@frozen
class _Step:
    """What a step comes to: a worth, or the next position of the turn."""

    worth: Standing
    next: Hashable = None


@define(eq=False)
class _Search:
    """One search through the positions of a turn. ``known`` takes up the worths that are found."""

    runner: Runner
    position: Callable[[ReferenceState], Hashable]
    decision_state: ReferenceState
    criteria: _Criteria
    known: dict[Hashable, Standing]
    found: dict[Hashable, _Position] = field(factory=dict)
    waiting: list[tuple[Hashable, ReferenceState]] = field(factory=list)

    def worths(self, state: ReferenceState, legal: Legal) -> list[Standing]:
        """What each of the legal moves of a state of the turn is worth."""
        steps = self.steps(state, legal)
        for here, there in self.waiting:  # it grows on the way
            look()
            self.look_at(here, there)
        self.hand_back()
        return [step.worth if step.next is None else self.known[step.next] for step in steps]

    def look_at(self, here: Hashable, state: ReferenceState) -> None:
        """Take note of what the steps from a position come to."""
        position = self.found[here]
        for step in self.steps(state, self.runner.legal(state)):
            if step.next is None:
                position.best = max(position.best, step.worth)
            elif step.next in self.known:
                position.best = max(position.best, self.known[step.next])
            else:
                self.found[step.next].leading_here.append(here)

    def hand_back(self) -> None:
        """Give every position that has been found the best worth that can be reached from it."""
        for start, position in sorted(self.found.items(), key=lambda item: item[1].best, reverse=True):
            waiting = [start]
            while waiting:
                here = waiting.pop()
                if here not in self.known:
                    self.known[here] = position.best
                    waiting.extend(self.found[here].leading_here)

    def steps(self, state: ReferenceState, legal: Legal) -> list[_Step]:
        """What each legal move of a state of the turn comes to."""
        return [self.step(state, move, *made) for move, made in legal.items()]

    def step(self, state: ReferenceState, move: Move, rule: CompiledRule, arguments: Arguments) -> _Step:
        context, leave = self.runner.effects(state, rule, arguments)
        worth = self.judge(context)
        after = self.runner.arrive(state, move, context, leave)
        if after.actor == END:
            return _Step(_END_OF_GAME)
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
            return (0, *(sort_key(value(context, frame)) for value in self.criteria.values))
        except EvaluationError as error:
            raise self.runner.explained(error, self.decision_state, None) from error
