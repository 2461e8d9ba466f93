"""An answer by whole turns (:mod:`zermelo.solvers.positions.folding`): for a game of chance of which the positions
between turns fit into memory, and those within turns do not.

Of a position within a turn nothing is kept. What the moves at the root bring is found by going through its turn once
more; what to do at every decision is not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final, Generic, NoReturn

from attrs import field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.survey import written
from zermelo.interpreter.machine import CHANCE, Machine, Move, Payoff, State
from zermelo.interpreter.native.running.executor import BeyondLimits
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Advice, Worth
from zermelo.solvers.positions.folding.folded_bounds import FoldedBounds, NotBounded, folded_bounds
from zermelo.solvers.positions.folding.folded_graph import FoldedGraph
from zermelo.solvers.positions.folding.folding import CannotFold, fold
from zermelo.solvers.positions.folding.turns import Interval, place, turn_from
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.solution import Answer, Certainty, Problem

_KEPT_ALONE: Final = (
    "Only the positions between turns have been kept, since those within them do not fit into memory: how long plays "
    "take is not found, and what to do is not listed."
)


def folded_answer(problem: Problem[Any]) -> Answer | None:
    """The answer by whole turns; None if turns cannot be folded, or if that does not fit into memory either.

    Raises ``ZermeloError`` (``out-of-time``)."""
    machine = problem.machine
    if not isinstance(machine, LoweredMachine) or not may_fold(problem):
        return None
    try:
        with problem.limits.kept():
            graph = machine.with_room(lambda: fold(machine, problem.root, problem.limits, problem.progress))
            wants = graph.wants
            if wants is None:
                return None
            bounds = folded_bounds(graph, wants, problem.limits, problem.remark)
    except (CannotFold, NotBounded, BeyondLimits):
        return None
    except ZermeloError as refusal:
        if refusal.code != "out-of-memory":
            raise
        return None
    return _answer(problem, FoldedPolicy(machine, problem.root, graph, wants, bounds, problem.limits))


def may_fold(problem: Problem[Any]) -> bool:
    """Whether turns may be folded, before that is tried: chance draws between them, and the rules are lowered."""
    return isinstance(problem.machine, LoweredMachine) and problem.facts.chance.holds is not False


def _answer(problem: Problem[Any], policy: FoldedPolicy[Any]) -> Answer:
    graph, interval = policy.graph, policy.bounds.interval(ROOT)
    best = policy.best()
    as_good = policy.as_good()
    notes = [f"As far as the bounds tell, these may be best, too: {written(as_good)}."] if as_good else []
    if problem.digits is not None and interval[1] - interval[0] > Fraction(1, 10**problem.digits):
        notes.append("More digits are found only where the positions within turns fit into memory.")
    return Answer(
        value=policy.payoff(interval),
        best=best[:1],
        line=best,
        counts={"nodes": len(graph), "terminals": len(graph.ends), "edges": graph.entries},
        certainty=Certainty.BOUNDED,
        alternatives=(),
        notes=(*notes, _KEPT_ALONE),
        interval=interval,
        policy=policy,
    )


@frozen(eq=False)
class FoldedPolicy(Generic[State]):
    """What to do at the root. Implements :class:`~zermelo.solvers.forms.policy.Advisor`, but for the decisions behind
    the root, for which it refuses."""

    machine: Machine[State]
    root: State
    graph: FoldedGraph
    wants: tuple[int, ...]
    bounds: FoldedBounds
    limits: Limits
    _lists: list[list[Interval]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        lists = [[self.bounds.interval(target) for target in targets] for targets in self.graph.turns(ROOT)]
        object.__setattr__(self, "_lists", lists)

    def __iter__(self) -> Iterator[Advice[Any]]:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ZermeloError(
            "out-of-memory",
            "the positions within turns do not fit into memory, so what to do in each of them is not listed; only the "
            f"{len(self.graph):,} positions between turns have been kept",
            f"{self.limits.more_memory}; without --policy and --positions the value is found, and `zermelo moves "
            "--after MOVES --values` shows what each move brings",
        )

    def first(self) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring."""
        if self.machine.actor(self.root) == CHANCE:
            made = [outcome for outcome, _ in self.machine.outcomes(self.root)]
            behind = [self.machine.after(self.root, outcome) for outcome in made]
            found = [self._behind(state, k) for k, state in enumerate(behind)]
        else:
            made = list(self.machine.moves(self.root))
            known = self._within(self.root, 0)
            found = [known[place(self.machine, self.machine.after(self.root, move))] for move in made]
        return tuple(
            Worth(move, self.payoff(interval), (interval[1] - interval[0]) / 2)
            for move, interval in zip(made, found, strict=True)
        )

    def best(self) -> tuple[Move, ...]:
        """Best moves from the root to the end of its turn; none if chance draws there."""
        if self.machine.actor(self.root) == CHANCE:
            return ()
        player, state, line = self.machine.actor(self.root), self.root, list[Move]()
        known = self._within(state, 0)
        while self.machine.actor(state) == player:
            behind = [
                (self._sure(known[place(self.machine, self.machine.after(state, move))], player), move)
                for move in self.machine.moves(state)
            ]
            line.append(max(behind, key=lambda each: each[0])[1])
            state = self.machine.after(state, line[-1])
        return tuple(line)

    def as_good(self) -> tuple[Move, ...]:
        """The moves at the root that may be best, too, as far as bounds tell."""
        if self.machine.actor(self.root) == CHANCE:
            return ()
        player, (best, *_) = self.machine.actor(self.root), self.best()
        bounds = {
            worth.move: (worth.payoff[player] - worth.error, worth.payoff[player] + worth.error)
            for worth in self.first()
            if worth.payoff is not None
        }
        return tuple(move for move, (_, high) in bounds.items() if move != best and high >= bounds[best][0])

    def payoff(self, interval: Interval) -> Payoff:
        """What the players get where the first one's payoff lies in an interval: the middle."""
        middle = (interval[0] + interval[1]) / 2
        if len(set(self.wants)) == 1:
            return (middle,) * len(self.wants)
        return middle, sum(self.graph.payoff(self.graph.ends[0]), Fraction(0)) - middle

    def _behind(self, state: State, number: int) -> Interval:
        """The bounds of the state behind an outcome at the root, which is the first of a turn or kept."""
        listed = self._lists[number]
        if self.machine.actor(state) < 0:
            return listed[0]
        return self._within(state, number)[place(self.machine, state)]

    def _within(self, state: State, number: int) -> dict[Any, Interval]:
        """The bounds of all positions of the turn that begins in a state, and that of its list."""
        want = self.wants[self.machine.actor(state)]
        return turn_from(self.machine, state).bounds(self._lists[number], want)

    def _sure(self, interval: Interval, player: int) -> Fraction:
        """What a player can be sure of, in terms of which more is better."""
        return interval[0] if self.wants[player] > 0 else -interval[1]
