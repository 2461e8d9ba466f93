"""One player against chance who does not see the position: search in the tree of belief states.

A *belief* gives every position that the player holds possible its exact probability. It is all of the past that a good
decision needs (Astrom 1965), so the value of what is to come is a function of it:

    V(b)  =  max over moves m of  gain(b, m) + sum over what may be perceived of P(it | b, m) V(b after m and it),

where gain is what the player earns on the way to their next decision, ends included, on average (Kaelbling, Littman and
Cassandra, "Planning and acting in partially observable stochastic domains", 1998, with a horizon that the rules set).
The search goes depth first, and keeps the value of every belief that it has met: plays that lead to the same belief
share what follows, in whatever order things have been perceived. Weights of a belief are whole numbers without a common
divisor, so that equal beliefs are equal tuples, and all values are fractions.

Invariants: positions of one belief look the same to the player, so they offer the same moves; a belief in the table has
its value. Cost: each belief once, times moves, positions and what may follow. There are no more beliefs than
information sets, and in games that bring news of few kinds far fewer; but each has to hold its positions, which may be
many.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import InformationState, Machine, Move, State
from zermelo.solvers.beliefs.depth_first import depth_first
from zermelo.solvers.beliefs.perceived_steps import Followed, PerceivedSteps
from zermelo.solvers.beliefs.writing_plans import Heard, PlannedMove, written_plan
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.solution import Answer, Problem

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""A belief: numbers of positions, in ascending order, with their weights, which have no common divisor."""


@frozen(eq=False)
class Prospect:
    """What a move, or the beginning of a play, leads to: a ``gain`` on average, and after each thing ``perceived`` a
    belief, with the probability of perceiving that."""

    gain: Fraction
    branches: tuple[tuple[InformationState, Weights, Fraction], ...]


def belief_search(problem: Problem[State]) -> Answer:
    """Solve by search over beliefs. Needs one player, and plays that end.

    Raises ``ZermeloError``: ``moves-differ``, ``needs-end`` if a play is found to go round, ``too-many-outcomes``,
    ``out-of-time``, ``out-of-memory``."""
    machine, root = problem.machine, problem.root
    search = _Search(PerceivedSteps(machine, 0, False, problem.limits, problem.progress))
    beginning = search.steps.beginning(root)
    prospect = prospects([(beginning, 1)])
    value = machine.earned(root)[0] + search.worth(prospect)
    known = machine.information_state(root, 0)
    return Answer(
        value=(value,),
        best=(),
        line=(),
        counts={"nodes": len(search.values), "positions": len(search.steps.states)},
        alternatives=(),
        notes=("A node is a belief: what the player holds possible, with its probabilities.",),
        plan=written_plan(machine.player_names[0], known, _heard(prospect), beginning.ends, search.chosen),
    )


def worths_of_moves(
    machine: Machine[State], believed: Sequence[tuple[State, Fraction]], limits: Limits, progress: Progress
) -> dict[Move, Fraction]:
    """What each move brings a single player if they go on best, what they have earned before included: where they are
    to decide, and hold these states possible with these probabilities. Raises as :func:`belief_search` does."""
    search = _Search(PerceivedSteps(machine, 0, False, limits, progress))
    scale = lcm(*(chance.denominator for _, chance in believed))
    weighted = [(search.steps.beginning(state), int(chance * scale)) for state, chance in believed]
    ((_, belief, _),) = prospects(weighted).branches
    earned = sum((chance * machine.earned(state)[0] for state, chance in believed), Fraction(0))
    moves = search.steps.moves(tuple(position for position, _ in belief))
    return {move: earned + search.worth(search.prospect(belief, move)) for move in moves}


def prospects(followed: list[tuple[Followed, int]]) -> Prospect:
    """The prospect of a move, by what follows it in each possible position, of which each has a weight."""
    total = sum(weight for _, weight in followed)
    scale = lcm(*(each.scale for each, _ in followed))
    heard: dict[InformationState, dict[int, int]] = {}
    for each, weight in followed:
        share = weight * (scale // each.scale)
        for perceived, position, likely in each.arrivals:
            weights = heard.setdefault(perceived, {})
            weights[position] = weights.get(position, 0) + share * likely
    branches = []
    for perceived, weights in heard.items():
        divisor = gcd(*weights.values())
        belief = tuple((position, weights[position] // divisor) for position in sorted(weights))
        branches.append((perceived, belief, Fraction(sum(weights.values()), total * scale)))
    gain = sum((each.mean * weight for each, weight in followed), Fraction(0)) / total
    return Prospect(gain, tuple(branches))


@define(eq=False)
class _Search(Generic[State]):
    """``values`` are the values of beliefs, and ``made`` the first best move in each."""

    steps: PerceivedSteps[State]
    values: dict[Weights, Fraction] = field(factory=dict)
    made: dict[Weights, Move] = field(factory=dict)
    open: set[Weights] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.steps.keep(self.values, self.made)

    def worth(self, prospect: Prospect) -> Fraction:
        """The value of a prospect."""
        return prospect.gain + sum(
            (chance * depth_first(self.visit, belief) for _, belief, chance in prospect.branches), Fraction(0)
        )

    def visit(self, belief: Weights) -> Generator[Weights, Fraction, Fraction]:
        """The value of a belief; asks for those of others."""
        if belief in self.values:
            return self.values[belief]
        if belief in self.open:
            raise ZermeloError(
                "needs-end",
                "a play of this game may never end: the player may come to believe what they have believed before",
                "let a rule end every play, such as a limit on the number of moves",
            )
        self.open.add(belief)
        self.steps.look()
        best: Fraction | None = None
        for move in self.steps.moves(tuple(position for position, _ in belief)):
            prospect = self.prospect(belief, move)
            value = prospect.gain
            for _, after, chance in prospect.branches:
                value += chance * (yield after)
            if best is None or value > best:
                best, self.made[belief] = value, move
        assert best is not None, "a player who is to decide has a move"
        self.open.remove(belief)
        self.values[belief] = best
        return best

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        """What a move leads to."""
        return prospects([(self.steps.after(position, move), weight) for position, weight in belief])

    def chosen(self, belief: Weights) -> PlannedMove[Weights]:
        """What the best plan does in a belief."""
        move = self.made[belief]
        ends = {amount for position, _ in belief for amount in self.steps.after(position, move).ends}
        return PlannedMove(move, len(belief), _heard(self.prospect(belief, move)), tuple(sorted(ends)))


def _heard(prospect: Prospect) -> Heard[Weights]:
    return [(perceived, belief) for perceived, belief, _ in prospect.branches]
