"""What bounds leave open: a smaller contest in which the root is worth the same.

Let there be bounds for what every position is worth (:mod:`zermelo.solvers.positions.circles.interval_iteration`). An
edge is *closed* if it is certainly worse than the number of its position: if it is worth less, by the upper bound of
its target, than the lower bound of the position, for a player who wants more; and conversely for the others (MacQueen
1967, "A test for suboptimal actions in Markovian decision problems"). All other edges are *open*, and so are those of
chance. What is left are the positions to which open edges lead from the root: mostly a small part of all, since players
who play well do not come to many positions. It can be solved with numbers of many digits, which cost more.

**The numbers of these positions are the same.** Let v be the numbers of the whole contest. Both sides have policies
that are best from every position (Shapley 1953; ``strategy_iteration``), and against the best reply to its own policy
a side gets v everywhere. So the edges of such a policy are worth v, by v: none of them is closed. Hence both sides
still have these policies if closed edges are taken away, the other side has no more replies than before, and each is
guaranteed v. Positions to which no edge leads any more do not matter. (What plays are worth that never end need not be
known: where bounds are finite, they hold whatever that is.)

**Choices.** Those of the whole follow from both: what is best in the smaller contest where it has the position, and
what belongs to the proof of the bounds elsewhere. Let a side choose so, say the one that wants more, let v be its
numbers in the smaller contest, and its lower bounds elsewhere, which are nowhere more than the true numbers. Then the
expectation of what has been earned, plus v, never falls, and rises where a closed edge of the others leads out of the
smaller contest. So a class of positions in which a play is caught lies wholly inside, where the side gets v, or wholly
outside, where it gets no less than the bound, since in both it follows one proof alone.

Cost: a step for each edge of the positions that are left.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from attrs import evolve, frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.circles.intervals import Intervals
from zermelo.solvers.positions.graph.graph import ROOT, Contest

_NUMBER_BYTES: Final = 4
_LEFT_BYTES: Final = 60
"""The bytes of a position, and of one that is left with its edges, about."""

_CHECK_EVERY: Final = 1 << 14
"""Positions between two checks of the limits."""


@frozen(eq=False)
class Narrowed:
    """The part of a contest that bounds leave open: position p of ``contest`` is ``positions[p]`` of the whole, edge e
    is ``edges[e]``, and ``places[q]`` is 1 more than the number here of position q of the whole, 0 if it has none.
    ``known`` are the bounds."""

    contest: Contest
    known: Intervals
    positions: Sequence[int]
    edges: Sequence[int]
    places: Sequence[int]


@frozen(eq=False)
class NarrowedNumbers:
    """The bounds of a whole contest, and better ones where it has been narrowed. Implements
    :class:`~zermelo.solvers.positions.circles.intervals.Intervals`."""

    narrowed: Narrowed
    found: Intervals
    choices: Sequence[int]

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none."""
        place = self.narrowed.places[position]
        return self.found.interval(place - 1) if place else self.narrowed.known.interval(position)


def narrowed(contest: Contest, known: Intervals, limits: Limits) -> Narrowed:
    """What bounds leave open of a contest, that of the root being finite; with the choices that belong to their proof.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    graph, choices = contest.graph, known.choices
    limits.require(_NUMBER_BYTES * len(graph), f"the numbers of {len(graph):,} positions")
    places = array("i", bytes(_NUMBER_BYTES * len(graph)))
    positions, edges, firsts, targets = (array("i") for _ in range(4))
    positions.append(ROOT)
    places[ROOT] = 1
    chosen = []
    for done, position in enumerate(positions):  # which grow on the way
        if done % _CHECK_EVERY == 0:
            limits.check({"nodes": done})
            size = _NUMBER_BYTES * len(graph) + _LEFT_BYTES * len(positions)
            limits.require(size, f"what bounds leave of {len(graph):,} positions")
        firsts.append(len(edges))
        choice = -1
        for edge in _open(contest, known, position):
            if graph.kinds[position] >= 0 and edge == choices[position]:
                choice = len(edges)
            target = graph.targets[edge]
            if not places[target]:
                positions.append(target)
                places[target] = len(positions)
            edges.append(edge)
            targets.append(places[target] - 1)
        chosen.append(choice)
    firsts.append(len(edges))
    small = Contest(
        evolve(
            graph,
            kinds=array("i", [graph.kinds[position] for position in positions]),
            firsts=firsts,
            targets=targets,
            weights=None if graph.weights is None else array("i", [graph.weights[edge] for edge in edges]),
            rewards=None if graph.rewards is None else array("i", [graph.rewards[edge] for edge in edges]),
            rises=False,
        ),
        contest.wants,
    )
    small.choices[:] = chosen
    made = Narrowed(small, known, positions, edges, places)
    limits.hold(made, _NUMBER_BYTES * len(graph) + _LEFT_BYTES * len(positions))
    return made


def widened(narrowed: Narrowed, found: Intervals) -> NarrowedNumbers:
    """The bounds of the whole contest, if these have been found for what was left of it."""
    choices = array("i", narrowed.known.choices)
    for p, position in enumerate(narrowed.positions):
        if found.choices[p] >= 0:
            choices[position] = narrowed.edges[found.choices[p]]
    return NarrowedNumbers(narrowed, found, choices)


def _open(contest: Contest, known: Intervals, position: int) -> Iterator[int]:
    """The edges of a position that are not closed."""
    graph = contest.graph
    kind, edges, interval = graph.kinds[position], graph.edges(position), known.interval(position)
    if kind < 0 or interval is None or len(edges) == 1:
        yield from edges
        return
    wants_more = contest.wants[kind] > 0
    for edge in edges:
        behind = known.interval(graph.targets[edge])
        if behind is not None:
            best = graph.reward(edge)[0] + graph.factor(position, edge) * behind[wants_more]
            if best < interval[0] if wants_more else best > interval[1]:
                continue
        yield edge
