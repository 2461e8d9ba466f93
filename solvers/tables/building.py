"""Making a table: the positions of a game are found and solved as by the solver of positions, and each gets a row.

Where the rules have symmetries that leave the players as they are, one position of those that are images of each other
is enough, the canonical one: values, distances and numbers of best moves are the same for all. Where more than one
number counts, ties could be broken in another way among canonical positions than among all, so all are kept there.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final

import numpy
from attrs import frozen

from zermelo.interpreter.machine import END, Payoff
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions.answering import explain_refusal
from zermelo.solvers.positions.graph.exploring import FUNCTIONS, Exploring, images_of
from zermelo.solvers.positions.graph.graph import (
    ROOT,
    EarnsForEver,
    NeedsEndless,
    NeedsMixing,
    NeedsOneNumber,
    NotEnclosed,
    PositionGraph,
    contest_of,
)
from zermelo.solvers.positions.retrograde import Analysis, RetrogradeValues
from zermelo.solvers.positions.solved_positions import Guide, SolvedPositions
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.keys import KeyFinder, lowered, no_table
from zermelo.solvers.tables.rows import SolvedRows

Array = numpy.ndarray[Any, Any]

ROW_BYTES: Final = 32
"""The bytes of a row in arrays beside its key: who moves, payoff, distance, best moves, its place in the order, and
what is made of a part of them at a time."""

SIMULTANEOUS: Final = "players choose at once, and a table says nothing of what they mix"
"""Why such games have none."""

_PART: Final = 1 << 18
"""Positions whose edges are looked at together."""

_CHECK_EVERY: Final = 1024


@frozen(eq=False)
class SolvedGraph:
    """The positions of a game with their keys, solved. ``images`` are those of which one position is kept for all."""

    machine: LoweredMachine
    images: Images | None
    keys: Array
    solved: SolvedPositions


def solve_positions(problem: Problem[Any], up_to_symmetry: bool | None) -> SolvedGraph:
    """All positions of a problem, or one of those that are alike up to symmetry; where that is None, the latter if it
    is proved that it makes no difference.

    Raises ``ZermeloError``: ``no-table``; those of the solver of positions."""
    machine = lowered(problem.machine)
    if problem.machine.actor(problem.root) == END:
        raise no_table("the play has ended")
    found = None if up_to_symmetry is False else images_of(machine)
    if up_to_symmetry and found is None:
        raise no_table("no symmetry of the rules is known that leaves the players as they are")
    graph = None
    if found is not None:
        try:
            graph, keys = _explore(problem, machine, found)
        except BeyondLimits:  # without images it is told what is wrong
            found = None
        else:
            if contest_of(graph) is None:
                found = graph = None
                if up_to_symmetry:
                    raise no_table("what players get may depend on how ties are broken, so all positions are needed")
    if graph is None:
        try:
            graph, keys = _explore(problem, machine, None)
        except BeyondLimits as limit:
            raise no_table(limit.why) from limit
    if graph.has_rounds:
        raise no_table(SIMULTANEOUS)
    guide = Guide(machine, problem.root, graph)
    try:
        solved = solve(graph, problem.limits, problem.progress)
    except (NeedsEndless, EarnsForEver, NeedsOneNumber, NeedsMixing, NotEnclosed) as refusal:
        raise explain_refusal(refusal, guide, problem.facts) from None
    if solved.bounds(ROOT) is not None:
        raise no_table("its values are too long for fractions, and a table has exact ones")
    return SolvedGraph(machine, found, keys, solved)


def _explore(problem: Problem[Any], machine: LoweredMachine, found: Images | None) -> tuple[PositionGraph, Array]:
    """The graph of positions, and the keys of all that are no ends. Raises :class:`BeyondLimits`."""
    held = LoweredBackend(machine).held(problem.root)
    may_draw = problem.facts.chance.holds is not False

    def work(kernels: Kernels) -> tuple[PositionGraph, Array]:
        exploring = Exploring(
            machine, kernels, problem.root, may_draw, problem.limits, problem.progress, explained=found is None,
            most=None, watched=(), with_moves=False,
        )  # fmt: skip
        kernels.put(exploring.search.batch[0].state, held)
        graph, positions = exploring.graph(), exploring.search.positions
        size = positions.count * positions.width
        problem.limits.require(8 * size, f"the keys of {positions.count:,} positions")
        keys = numbers_of(positions.rows, "uint64", size).reshape(positions.count, positions.width).copy()
        problem.limits.hold(keys, keys.nbytes)
        return graph, keys

    key = "pack(state, key)" if found is None else "least_image(state, key)"
    source = join(*FUNCTIONS, is_witness="0", is_decided="0", write_key=key, is_exchanged="0")
    with problem.limits.enforce():
        source = source if found is None else source.with_rules(found.text)
        return machine.with_room(lambda: machine.run(source, work))


def numbers_of(numbers: Sequence[int], kind: str, count: int | None = None) -> Array:
    """The first ``count`` whole numbers, or all, in an array: the same memory if they are in machine code's, else a
    copy. Numbers of more bits stay objects of Python."""
    if isinstance(numbers, ctypes.Array | array):
        return numpy.frombuffer(numbers, kind)[:count]
    numbers = numbers[:count]
    try:
        if kind == "uint64":
            return numpy.array([number & (1 << 64) - 1 for number in numbers], kind)
        return numpy.array(numbers, kind)
    except OverflowError:
        return numpy.array(numbers, object)


# From solved positions to rows.


def rows_of(found: SolvedGraph, problem: Problem[Any]) -> SolvedRows:
    """The rows of solved positions."""
    count, solved = len(found.keys), found.solved
    problem.limits.require(ROW_BYTES * count, f"the rows of {count:,} positions")
    actors = numbers_of(solved.graph.kinds, "int32", count).astype("int8")
    if isinstance(solved, RetrogradeValues) and _fits(solved):
        outcomes, payoffs, distances, best = _retrograde_columns(solved, count)
    else:
        outcomes, payoffs, distances, best = _columns(solved, count, problem)
    rows = SolvedRows(found.keys, actors, outcomes, payoffs, distances, best)
    problem.limits.hold(rows, ROW_BYTES * count)
    return _with_canonical_root(rows, found, problem)


def _with_canonical_root(rows: SolvedRows, found: SolvedGraph, problem: Problem[Any]) -> SolvedRows:
    """The rows, in which the root has the key of its canonical image, too, if it has not come up as such."""
    key = KeyFinder(found.machine, found.images).of(problem.root)
    if found.images is None or tuple(map(int, rows.keys[ROOT])) == key:
        return rows
    if (rows.keys[1:] == key).all(axis=1).any():
        return SolvedRows(
            rows.keys[1:], rows.actors[1:], rows.outcomes[1:], rows.payoffs, rows.distances[1:], rows.best[1:]
        )
    rows.keys[ROOT] = key
    return rows


_Columns = tuple["Array", Sequence[Payoff], "Array", "Array"]
"""The payoffs by their numbers, with a list of these, the distances, and how many moves are best."""


def _columns(solved: SolvedPositions, count: int, problem: Problem[Any]) -> _Columns:
    """The columns, position by position."""
    numbers: dict[Payoff, int] = {}
    outcomes, distances, best = (numpy.full(count, -1, "int32") for _ in range(3))
    for position in range(count):
        if position % _CHECK_EVERY == 0:
            problem.progress(position)
            problem.limits.check({"nodes": position})
        payoff, distance = solved.payoff(position), solved.distance(position)
        if payoff is not None:
            outcomes[position] = numbers.setdefault(payoff, len(numbers))
        if distance is not None:
            distances[position] = distance
        if solved.graph.kinds[position] >= 0 and payoff is not None:
            best[position] = len(solved.best(position))
    return outcomes, list(numbers), distances, best


def _fits(values: RetrogradeValues) -> bool:
    """Whether all numbers of an analysis, and what moves are worth, have 64 bits."""
    most = 1 << 62
    found = [numbers_of(analysis.numbers, "int64") for analysis in (values.low, values.high)]
    return all(abs(part) < most for part in values.parts) and all(
        numbers.dtype != object and -most < numbers.min() and numbers.max() < most for numbers in found
    )


def _retrograde_columns(values: RetrogradeValues, count: int) -> _Columns:
    """The columns of :func:`_columns`, for many positions at a time."""
    low, high = (numbers_of(analysis.numbers, "int64", count) for analysis in (values.low, values.high))
    near, far = (numbers_of(analysis.distances, "int32", count) for analysis in (values.low, values.high))
    parts = [slice(first, min(first + _PART, count)) for first in range(0, count, _PART)]
    different = numpy.unique(numpy.concatenate([numpy.unique(low[part]) for part in parts]))
    contest, payoffs = values.contest, list[Payoff]()
    for number in map(int, different):
        amount = Fraction(number, values.denominator)
        alike = len(set(contest.wants)) == 1
        payoffs.append((amount,) * len(contest.wants) if alike else (amount, contest.total - amount))
    outcomes, distances, best = (numpy.empty(count, "int32") for _ in range(3))
    for part in parts:
        is_known = low[part] == high[part]
        outcomes[part] = numpy.where(is_known, numpy.searchsorted(different, low[part]), -1)
        steps = numpy.where(low[part] >= values.fair, near[part], far[part])
        distances[part] = numpy.where(is_known & (steps < FOREVER), steps, -1)
        best[part] = numpy.where(is_known, _count_best(values, part), -1)
    return outcomes, payoffs, distances, best


def _count_best(values: RetrogradeValues, part: slice) -> Array:
    """How many moves are best in some positions, as :meth:`RetrogradeValues.best` says."""
    graph = values.contest.graph
    firsts = numbers_of(graph.firsts, "int32")[part.start : part.stop + 1]
    kinds, edges = numbers_of(graph.kinds, "int32")[part], slice(int(firsts[0]), int(firsts[-1]))
    targets = numbers_of(graph.targets, "int32")[edges]
    sources = numpy.repeat(numpy.arange(part.stop - part.start), numpy.diff(firsts))
    earned: Any = 0
    if graph.rewards is not None:
        earned = numpy.array(values.parts, "int64")[numbers_of(graph.rewards, "int32")[edges]]

    def count(analysis: Analysis) -> Array:
        numbers, distances = numbers_of(analysis.numbers, "int64"), numbers_of(analysis.distances, "int32")
        here = numbers[part][sources]
        is_best = numbers[targets] + earned == here
        is_best &= (here == analysis.middle) | (distances[targets] == distances[part][sources] - 1)
        return numpy.bincount(sources[is_best], minlength=part.stop - part.start)

    if values.low is values.high:
        return count(values.low)
    wants = numpy.array(values.contest.wants)[kinds]
    return numpy.where(wants == 1, count(values.low), count(values.high))


# What distances mean: who hurries.


def distance_record(solved: SolvedPositions) -> dict[str, Any] | None:
    """Who hurries to the end and who delays it, as JSON; None where no distances are told. Players who want ``more`` of
    what the first one gets hurry where it is more than in the ``middle``, and those who want less where it is less.
    Just in the middle everybody hurries, or only those who want more. Without a middle everybody always hurries who
    wants more."""
    if not isinstance(solved, RetrogradeValues):
        return None
    is_one = solved.low is solved.high
    middle = solved.low.middle if is_one else solved.fair
    is_far = is_one and len(set(solved.contest.wants)) == 1 and solved.contest.endless is None
    return {
        "more": [player for player, want in zip(solved.graph.players, solved.contest.wants, strict=True) if want == 1],
        "middle": None if is_far else str(Fraction(middle, solved.denominator)),
        "in_the_middle": "everybody" if is_one else "more",
    }
