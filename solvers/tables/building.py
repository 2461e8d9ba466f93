"""Making a table: the positions of a game are found and solved as by the solver of positions, and each gets a row.
Where they do not fit into memory, it is done on disk (:mod:`.external_building`), with the same rows.

Where the rules have symmetries that leave the players as they are, one position of those that are images of each other
is enough, the canonical one: values, distances and numbers of best moves are the same for all. Where more than one
number counts, ties could be broken in another way among canonical positions than among all, so all are kept there. In
contests in which only ends pay (:func:`.keys.may_exchange`) the two players may change places in an image, too: then
what each gets in the canonical position is what the other gets in its image.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy
from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Payoff
from zermelo.interpreter.native.dialect.kernel_source import kernel as join
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels.position_graph import start_also
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions import retrograde
from zermelo.solvers.positions.answering import explain_refusal
from zermelo.solvers.positions.graph.exploring import FUNCTIONS, Exploring
from zermelo.solvers.positions.graph.graph import (
    EXCHANGED,
    ROOT,
    EarnsForEver,
    NeedsEndless,
    NeedsMixing,
    NeedsOneNumber,
    NotEnclosed,
    PositionGraph,
    as_one_component,
    contest_of,
)
from zermelo.solvers.positions.retrograde import Analysis, RetrogradeValues
from zermelo.solvers.positions.solved_positions import Guide, SolvedPositions
from zermelo.solvers.positions.solving import solve
from zermelo.solvers.running.backend import exchange_of
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.expanding import numbers_of
from zermelo.solvers.tables.keys import DEPENDS_ON_TIES, KeyFinder, asked_images, lowered, no_table
from zermelo.solvers.tables.rows import ROWS, Content, Ranges, RowFormat, RowPart, WhoHurries

if TYPE_CHECKING:
    from zermelo.solvers.tables.on_disk import OnDisk

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


def solve_positions(
    problem: Problem[Any], up_to_symmetry: bool | None, others: Sequence[Problem[Any]] = ()
) -> SolvedGraph:
    """All positions of a problem, and of others with the same rules that begin elsewhere, or one of those that are
    alike up to symmetry; where that is None, the latter if it is proved that it makes no difference.

    Raises ``ZermeloError``: ``no-table``; those of the solver of positions."""
    with suppress(_Unexplained):
        return _solve_together(problem, up_to_symmetry, others)
    for each in (problem, *others):  # what is wrong is told with a play from one of the roots
        solve_positions(each, up_to_symmetry)
    raise no_table("what comes after one of its beginnings and after another one can only be solved apart")


class _Unexplained(Exception):
    """Something is wrong with positions behind one of several roots."""


def _solve_together(problem: Problem[Any], up_to_symmetry: bool | None, others: Sequence[Problem[Any]]) -> SolvedGraph:
    """As :func:`solve_positions`. Raises :class:`_Unexplained` if there are several roots."""
    machine = lowered(problem.machine)
    found = asked_images((problem, *others), machine, up_to_symmetry)
    graph = None
    if found is not None:
        try:
            graph, keys = explore_with_keys(problem, machine, found, others)
        except BeyondLimits:  # without images it is told what is wrong
            found = None
        else:
            if contest_of(graph) is None:
                found = graph = None
                if up_to_symmetry:
                    raise no_table(DEPENDS_ON_TIES)
    if graph is None:
        try:
            graph, keys = explore_with_keys(problem, machine, None, others)
        except BeyondLimits as limit:
            if others:
                raise _Unexplained from limit
            raise no_table(limit.why) from limit
    if graph.has_rounds:
        raise no_table(SIMULTANEOUS)
    guide, count = Guide(machine, problem.root, graph), len(keys)
    problem.limits.require(ROW_BYTES * count, f"the rows of {count:,} positions")  # sooner than after a long solve
    problem.limits.hold(keys, ROW_BYTES * count)
    try:
        solved = _solve(graph, count, problem)
    except (NeedsEndless, EarnsForEver, NeedsOneNumber, NeedsMixing, NotEnclosed) as refusal:
        if others:
            raise _Unexplained from refusal
        raise explain_refusal(refusal, guide, problem.facts) from None
    if solved.bounds(ROOT) is not None:
        raise no_table("its values are too long for fractions, and a table has exact ones")
    for other in others:
        (place,) = numpy.flatnonzero((keys == KeyFinder(lowered(other.machine), found).of(other.root)).all(axis=1))[:1]
        if solved.payoff(int(place)) is None:
            raise _Unexplained
    return SolvedGraph(machine, found, keys, solved)


def _solve(graph: PositionGraph, count: int, problem: Problem[Any]) -> SolvedPositions:
    """What the positions are worth, of which so many are no ends."""
    contest = contest_of(graph)
    if not graph.exchanges or contest is None:
        return solve(graph, problem.limits, problem.progress)
    return retrograde.solve(contest, as_one_component(graph, count), problem.limits, problem.progress)


def explore_with_keys(
    problem: Problem[Any], machine: LoweredMachine, found: Images | None, others: Sequence[Problem[Any]] = ()
) -> tuple[PositionGraph, Array]:
    """The graph of positions, and the keys of all that are no ends, which come first. Raises
    :class:`BeyondLimits`."""
    held = LoweredBackend(machine).held(problem.root)
    limits = evolve(problem.limits, memory=problem.limits.memory // 2)  # to solve them takes as much again, at least
    may_draw = any(each.facts.chance.holds is not False for each in (problem, *others))
    also = [
        (KeyFinder(lowered(other.machine), None).of(other.root), other.machine.actor(other.root)) for other in others
    ]

    def work(kernels: Kernels) -> tuple[PositionGraph, Array]:
        exploring = Exploring(
            machine, kernels, problem.root, may_draw, limits, problem.progress, explained=found is None and not also,
            most=None, watched=(), with_moves=False, exchanges=found is not None and found.exchange, also=also,
        )  # fmt: skip
        kernels.put(exploring.search.batch[0].state, held)
        graph, positions = exploring.graph(), exploring.search.positions
        size = positions.count * positions.width
        problem.limits.require(8 * size, f"the keys of {positions.count:,} positions")
        keys = numbers_of(positions.rows, "uint64", size).reshape(positions.count, positions.width).copy()
        problem.limits.hold(keys, keys.nbytes)
        return graph, keys

    key = "pack(state, key)" if found is None else "least_image(state, key)"
    functions = (*FUNCTIONS, start_also) if also else FUNCTIONS
    source = join(*functions, is_witness="0", is_decided="0", write_key=key, is_exchanged=exchange_of(found))
    with problem.limits.enforce():
        source = source if found is None else source.with_rules(found.text)
        return machine.with_room(lambda: machine.run(source, work))


# From solved positions to rows.


@frozen(eq=False)
class SolvedRows:
    """Solved positions, in arrays. Position p has the key ``keys[p]``, of one or several words, and the payoff
    ``payoffs[outcomes[p]]``, None if that is -1; so have ``distances``, ``best`` and, if there are any, ``depths``."""

    keys: Array
    actors: Array
    outcomes: Array
    payoffs: Sequence[Payoff]
    distances: Array
    best: Array
    depths: Array | None = None

    def parts(self, players: int) -> Iterator[RowPart]:
        """The rows in the order of their keys, so many at a time."""
        order = numpy.lexsort(self.keys.T[::-1])
        values = {place: self._amounts(*place) for place in _value_places(players)}
        for first in range(0, len(order), ROWS):
            some = order[first : first + ROWS]
            outcomes = self.outcomes[some]
            chosen = {place: amounts[numpy.maximum(outcomes, 0)] for place, amounts in values.items()}
            depths = None if self.depths is None else self.depths[some]
            yield RowPart(
                self.keys[some], self.actors[some], outcomes >= 0, chosen, self.distances[some], self.best[some], depths
            )

    def _amounts(self, player: int, part: str) -> Array:
        """A part of each payoff for a player; one that is not asked for, if there are none."""
        return numbers_of([getattr(payoff[player], part) for payoff in self.payoffs] or [0], "int64")

    def ranges(self, players: int) -> Ranges:
        """The ranges of all values."""
        found = {place: self._amounts(*place) for place in _value_places(players)}
        return {place: (min(numbers), max(numbers)) for place, numbers in found.items()}


def _value_places(players: int) -> list[tuple[int, str]]:
    """The players, each with both parts of a value."""
    return [(player, part) for player in range(players) for part in ("numerator", "denominator")]


def content(
    problem: Problem[Any], up_to_symmetry: bool | None, on_disk: OnDisk, others: Sequence[Problem[Any]] = ()
) -> Content:
    """What the table of a problem says, and of others with the same rules that begin elsewhere: of all positions, or of
    one of those that are alike up to symmetry; where that is None, the latter if it is proved that it makes no
    difference. It is made in memory or, where it does not fit or that is asked for, on disk, in files that are needed
    until all rows have been read.

    Raises ``ZermeloError``: ``no-table``; those of the solver of positions; ``unwritable-file``; ``cluster-failed``;
    ``unfinished-table``, ``other-table`` and ``damaged-table`` for what has been left there."""
    if any(each.machine.actor(each.root) == END for each in (problem, *others)):
        raise no_table("the play has ended")
    if not on_disk.is_asked:
        try:
            return _content_in_memory(problem, up_to_symmetry, others)
        except ZermeloError as error:
            if error.code != "out-of-memory":
                raise
            refusal = error
        refusal.__context__ = refusal.__traceback__ = None  # their frames hold all that has been found
    return on_disk.content(problem, up_to_symmetry, others)


def _content_in_memory(problem: Problem[Any], up_to_symmetry: bool | None, others: Sequence[Problem[Any]]) -> Content:
    found = solve_positions(problem, up_to_symmetry, others)
    rows, players = _rows_of(found, problem), found.solved.graph.players
    width, longest = rows.keys.shape[1], int(rows.distances.max())
    format = RowFormat.of(players, width, rows.ranges(len(players)), longest)
    tables = map(format.table, rows.parts(len(players)))
    return Content(found.machine, found.images, len(rows.keys), who_hurries(found.solved), format, tables)


def _rows_of(found: SolvedGraph, problem: Problem[Any]) -> SolvedRows:
    """The rows of solved positions."""
    count, solved = len(found.keys), found.solved
    actors = numbers_of(solved.graph.kinds, "int32", count).astype("int8")
    if isinstance(solved, RetrogradeValues) and _fits(solved):
        outcomes, payoffs, distances, best = _retrograde_columns(solved, count)
    else:
        outcomes, payoffs, distances, best = _columns(solved, count, problem)
    rows = SolvedRows(found.keys, actors, outcomes, payoffs, distances, best)
    return _with_canonical_root(rows, found, problem)


def _with_canonical_root(rows: SolvedRows, found: SolvedGraph, problem: Problem[Any]) -> SolvedRows:
    """The rows, in which the root has the key of its canonical image, too, if it has not come up as such."""
    key, is_exchanged = KeyFinder(found.machine, found.images).find(problem.root)
    if found.images is None or tuple(map(int, rows.keys[ROOT])) == key:
        return rows
    if (rows.keys[1:] == key).all(axis=1).any():
        return SolvedRows(
            rows.keys[1:], rows.actors[1:], rows.outcomes[1:], rows.payoffs, rows.distances[1:], rows.best[1:]
        )
    rows.keys[ROOT] = key
    return _with_exchanged_root(rows) if is_exchanged else rows


def _with_exchanged_root(rows: SolvedRows) -> SolvedRows:
    """The rows, in which the two players have changed places at the root."""
    rows.actors[ROOT] = 1 - rows.actors[ROOT]
    first, second = rows.payoffs[rows.outcomes[ROOT]]
    rows.outcomes[ROOT] = len(rows.payoffs)
    return evolve(rows, payoffs=[*rows.payoffs, (second, first)])


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
    known = [numpy.unique(low[part][low[part] == high[part]]) for part in parts]
    different = numpy.unique(numpy.concatenate(known))
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
    is_exchanged = graph.exchanges & (targets & EXCHANGED != 0)
    targets = numpy.where(is_exchanged, targets & (EXCHANGED - 1), targets)
    sources = numpy.repeat(numpy.arange(part.stop - part.start), numpy.diff(firsts))
    earned: Any = 0
    if graph.rewards is not None:
        earned = numpy.array(values.parts, "int64")[numbers_of(graph.rewards, "int32")[edges]]

    def count(analysis: Analysis) -> Array:
        numbers, distances = numbers_of(analysis.numbers, "int64"), numbers_of(analysis.distances, "int32")
        here, there = numbers[part][sources], numbers[targets]
        there = numpy.where(is_exchanged, 2 * values.fair - there, there)
        is_best = there + earned == here
        is_best &= (here == analysis.middle) | (distances[targets] == distances[part][sources] - 1)
        return numpy.bincount(sources[is_best], minlength=part.stop - part.start)

    if values.low is values.high:
        return count(values.low)
    wants = numpy.array(values.contest.wants)[kinds]
    return numpy.where(wants == 1, count(values.low), count(values.high))


# What distances mean: who hurries.


def who_hurries(solved: SolvedPositions) -> WhoHurries | None:
    """Who hurries to the end and who delays it; None where no distances are told."""
    if not isinstance(solved, RetrogradeValues):
        return None
    is_one = solved.low is solved.high
    middle = solved.low.middle if is_one else solved.fair
    is_far = is_one and len(set(solved.contest.wants)) == 1 and solved.contest.endless is None
    amount = None if is_far else Fraction(middle, solved.denominator)
    return WhoHurries.of(solved.graph.players, solved.contest.wants, amount, is_one)
