"""Certified bounds in floating point, for graphs of millions of positions.

The algorithm is in :mod:`zermelo.solvers.kernels.interval_iteration`, and its proof in
:mod:`zermelo.solvers.kernels.upper_bounds`. Here amounts become doubles, rounded outward, and the bounds that
the kernel leaves are read.

Every choice belongs to a proof: by following theirs, those who want more get at least the lower bound of a position,
and those who want less hold them down to the upper one.

The result depends on the graph and on the order of its positions alone, neither on a clock nor on the executor.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf, isfinite, nextafter
from typing import Final

from attrs import evolve, frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.interpreter.native.running.views import Lengths
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.kernels.interval_iteration import DONE, EARNS_FOR_EVER, UNPROVED, Work, conclude, go_on, lacks_room
from zermelo.solvers.positions.graph.graph import ROOT, Components, Contest, PositionGraph
from zermelo.solvers.positions.stochastic_cycles.intervals import Intervals
from zermelo.solvers.running.path_search import Slices

PATIENCE: Final = 20_000
"""The most sweeps over a component before the search settles for bounds that are further apart."""

SMALL: Final = 1 << 13
"""The most positions and edges together of a component that is copied: it fits into a processor's cache."""

MOST: Final = 2.0**500
"""All amounts are less than this, so that no sum of them overflows."""

WORK_BYTES: Final = 32
STAYING_BYTES: Final = 32
RESULT_BYTES: Final = 20
"""The bytes of a position: while bounds are found, in addition if plays may stay somewhere, and in the result."""

_MARKS: Final = ("labels", "choices")
_STAYING_MARKS: Final = ("places", "lows", "edges", "fresh", "path", "waiting")
"""What the kernel keeps of every position beside values, and if plays may stay."""

_FAR: Final = 16.0
"""If the rules do not say what endless plays are worth: how many times the largest amount they are taken to cost the
side whose bound is proved, while it chooses, so that it avoids them."""

_REASONS: Final = {
    UNPROVED: "so many sweeps have not brought bounds that can be proved",
    EARNS_FOR_EVER: "a play may stay for ever where it earns something again and again",
}


class NoBounds(Exception):
    """Nothing has been proved of the root. The message says why, in words. Exact algorithms may still solve the
    game."""


@frozen(eq=False)
class Bounds:
    """The value of every position lies between ``lower`` and ``upper``, inclusive. ``choices`` has an edge for every
    position in which somebody decides, which is part of the proof, and 0 elsewhere.

    Bounds are infinite where the number depends on what an endless play pays, and the rules do not say that."""

    lower: Sequence[float]
    upper: Sequence[float]
    choices: Sequence[int]

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position, exactly; None if there are none."""
        low, high = self.lower[position], self.upper[position]
        return (Fraction(low), Fraction(high)) if isfinite(low) and isfinite(high) else None


def bounds(
    contest: Contest,
    components: Components,
    limits: Limits,
    progress: Progress = ignore_progress,
    patience: int = PATIENCE,
    small: int = SMALL,
    compiled: bool = True,
) -> Bounds:
    """Certified bounds for every position; ``compiled`` says whether machine code may be used. ``progress`` is told how
    many positions have bounds so far. Components of up to ``small`` positions and edges are copied.

    Raises :class:`NoBounds`, and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    _check(contest)
    kernels = load(kernel(go_on, lacks_room, conclude), compiled)
    work = _make_work(kernels, contest, components, limits)
    copy = _make_copy(kernels, work, min(small, len(contest.graph) + len(contest.graph.targets)))
    for each in (work, copy):
        _set_numbers(each, contest)
        each.patience = patience
    slices = Slices(kernels.is_compiled)
    while (stage := kernels.call(go_on, work, copy, slices.next())) < DONE:
        if kernels.call(lacks_room, work):
            _make_room(kernels, work, len(contest.graph), limits)
        progress(components.starts[work.component])
        limits.check({"nodes": len(contest.graph)})
    if stage != DONE:
        raise NoBounds(_REASONS[stage])
    kernels.call(conclude, work)
    if work.lower.values[ROOT] == -inf or work.upper.values[ROOT] == inf:
        raise NoBounds("a play may stay for ever, and the rules do not say what that is worth")
    found = Bounds(work.lower.values, work.upper.values, work.ends.choices)
    limits.hold(found, RESULT_BYTES * len(contest.graph))
    return found


def _check(contest: Contest) -> None:
    """Raise :class:`NoBounds` for what the kernel cannot hold."""
    graph = contest.graph
    if graph.has_rounds:
        raise NoBounds("players choose at once")
    if any(abs(amount[0]) >= MOST for amount in graph.amounts):
        raise NoBounds("the payoffs have more than 500 bits")


def _make_work(kernels: PlainKernels, contest: Contest, components: Components, limits: Limits) -> Work:
    """The arrays of the kernel."""
    graph, count = contest.graph, len(contest.graph)
    limits.require(WORK_BYTES * count, f"the bounds of {count:,} positions")
    shared = {"kinds": graph.kinds, "firsts": graph.firsts, "targets": graph.targets, "rewards": graph.rewards or ()}
    arrays: dict[str, Lengths] = {name: kernels.as_halves(numbers) for name, numbers in shared.items()}
    arrays["weights"] = weights_of(graph, kernels)
    upper, lower = (
        {
            "values": kernels.elements(float, count, everywhere=True),
            "amounts": len(graph.amounts),
            "frees": len(contest.wants),
        }
        for _ in range(2)
    )
    marks = {name: kernels.halves(count, everywhere=True) for name in _MARKS}
    work = kernels.new(
        Work,
        graph={**arrays, "earning": len(graph.amounts)},
        upper=upper,
        lower=lower,
        ends=marks | dict.fromkeys(_STAYING_MARKS, 0),
        pair={"slopes": 0},
        order=kernels.as_halves(components.members),
        starts=kernels.as_halves(components.starts),
        staged=0,
        before=count,
    )
    work.count = len(components)
    return work


def _make_copy(kernels: PlainKernels, work: Work, size: int) -> Work:
    """The arrays for a copy of a component with so many positions and edges."""
    edges = {name: size if len(getattr(work.graph, name)) else 0 for name in ("targets", "weights", "rewards")}
    side = {"values": size, "amounts": len(work.upper.amounts), "frees": len(work.upper.frees)}
    copy = kernels.new(
        Work,
        graph={**edges, "kinds": size, "firsts": size + 1, "earning": len(work.graph.earning)},
        upper=side,
        lower=side,
        ends=dict.fromkeys(_MARKS + _STAYING_MARKS, size),
        pair={"slopes": size},
        order=kernels.as_halves(range(size)),
        starts=0,
        staged=size,
        before=size,
    )
    copy.count = 1
    return copy


def _set_numbers(work: Work, contest: Contest) -> None:
    """Set the amounts, the discount, and what endless plays are worth."""
    graph = contest.graph
    work.graph.earning[:] = [int(any(amount)) for amount in graph.amounts]
    work.graph.earns = int(graph.rewards is not None)
    work.graph.discount = nearest_double(graph.discount)
    endless = contest.endless if graph.discount == 1 else Fraction(0)
    far = _FAR * max((abs(float(amount[0])) for amount in graph.amounts), default=0.0)
    for sign, side_of in ((1, work.upper), (-1, work.lower)):
        side_of.amounts[:] = [round_up(sign * amount[0]) for amount in graph.amounts]
        side_of.frees[:] = [int(want == sign) for want in contest.wants]
        side_of.endless = inf if endless is None else round_up(sign * endless)
        side_of.feared = far if endless is None else side_of.endless


def nearest_double(discount: Fraction) -> float:
    """A double next to a discount; 1 only if it is 1, since the kernel sees by that whether there is one."""
    return float(discount) if discount == 1 else min(float(discount), nextafter(1.0, 0.0))


def weights_of(graph: PositionGraph, kernels: PlainKernels) -> list[int]:
    """The weights of a graph as kernels have them. Raises :class:`NoBounds`."""
    try:
        return kernels.as_halves(graph.weights or ())
    except OverflowError:
        raise NoBounds("weights of outcomes have more than 31 bits") from None


def _make_room(kernels: PlainKernels, work: Work, count: int, limits: Limits) -> None:
    """Make the lists that serve where plays may stay."""
    limits.require((WORK_BYTES + STAYING_BYTES) * count, f"the bounds of {count:,} positions")
    kernels.replace(work, ends=dict.fromkeys(_STAYING_MARKS, count), staged=count)


def round_up(number: Fraction) -> float:
    """The least double that is not smaller."""
    nearest = float(number)
    return nearest if Fraction(nearest) >= number else nextafter(nearest, inf)


# What bounds leave open: a smaller contest in which the root is worth the same.
#
# Let there be bounds for what every position is worth. An edge is *closed* if it is certainly worse
# than the number of its position: if it is worth less, by the upper bound of its target, than the lower bound of the
# position, for a player who wants more; and conversely for the others (MacQueen 1967, "A test for suboptimal actions in
# Markovian decision problems"). All other edges are *open*, and so are those of chance. What is left are the positions
# to which open edges lead from the root: mostly a small part of all, since players who play well do not come to many
# positions. It can be solved with numbers of many digits, which cost more.
#
# **The numbers of these positions are the same.** Let v be the numbers of the whole contest. Both sides have policies
# that are best from every position (Shapley 1953; ``strategy_iteration``), and against the best reply to its own policy
# a side gets v everywhere. So the edges of such a policy are worth v, by v: none of them is closed. Hence both sides
# still have these policies if closed edges are taken away, the other side has no more replies than before, and each is
# guaranteed v. Positions to which no edge leads any more do not matter. (The value of endless plays need not be known:
# where bounds are finite, they hold whatever that is.)
#
# **Choices.** Those of the whole follow from both: what is best in the smaller contest where it has the position, and
# what belongs to the proof of the bounds elsewhere. Let a side choose so, say the one that wants more, let v be its
# numbers in the smaller contest, and its lower bounds elsewhere, which are nowhere more than the true numbers. Then the
# expectation of what has been earned, plus v, never falls, and rises where a closed edge of the others leads out of the
# smaller contest. So a class of positions in which a play is caught lies wholly inside, where the side gets v, or
# wholly outside, where it gets no less than the bound, since in both it follows one proof alone.
#
# Cost: a step for each edge of the positions that are left.


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
    :class:`~zermelo.solvers.positions.stochastic_cycles.intervals.Intervals`."""

    narrowed: Narrowed
    found: Intervals
    choices: Sequence[int]

    def interval(self, position: int) -> tuple[Fraction, Fraction] | None:
        """The bounds of a position; None if there are none."""
        place = self.narrowed.places[position]
        return self.found.interval(place - 1) if place else self.narrowed.known.interval(position)


def narrow(contest: Contest, known: Intervals, limits: Limits) -> Narrowed:
    """What bounds, finite at the root, leave open of a contest; with the choices that belong to their proof.

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
        for edge in _open_edges(contest, known, position):
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


def widen(narrowed: Narrowed, found: Intervals) -> NarrowedNumbers:
    """The bounds of the whole contest, from those ``found`` for what was left of it."""
    choices = array("i", narrowed.known.choices)
    for p, position in enumerate(narrowed.positions):
        if found.choices[p] >= 0:
            choices[position] = narrowed.edges[found.choices[p]]
    return NarrowedNumbers(narrowed, found, choices)


def _open_edges(contest: Contest, known: Intervals, position: int) -> Iterator[int]:
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
