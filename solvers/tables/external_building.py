"""Making a table in external memory, where the positions and what is known of them do not fit into memory: they are
found (:mod:`.external_exploring`), solved (:mod:`.external_solving`) and put into the order of their keys, in shards
on disk (:mod:`.rounds`). The rows are those that are made in memory.

In a contest one number says what all players get: alone, against each other with a constant sum, or with a common
payoff. There plays may go round where nothing is left to chance, nothing is earned on the way and later payoffs count
as much. Other games are solved without circles alone (:mod:`.external_equilibria`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any, Final, NoReturn

import numpy
from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.dataset import Key
from zermelo.solvers.tables.external_equilibria import equilibrium_content
from zermelo.solvers.tables.external_exploring import (
    FaultyRules,
    GraphKinds,
    MoveMaker,
    SeveralNumbers,
    ShardedGraph,
    TooFewShards,
    explore,
    in_memory_only,
    play_to,
)
from zermelo.solvers.tables.external_solving import (
    MOST,
    Discard,
    Ordering,
    ShardSolver,
    Solving,
    product,
    reduced,
    too_long,
)
from zermelo.solvers.tables.external_writing import write_files
from zermelo.solvers.tables.keys import (
    DEPENDS_ON_TIES,
    NO_DECISIVE_MOVES,
    KeyFinder,
    asked_images,
    decisive_behind,
    lowered,
    no_table,
    sortable,
    words_of,
)
from zermelo.solvers.tables.rounds import Shards
from zermelo.solvers.tables.rows import Content, RowFormat, RowPart, WhoHurries
from zermelo.solvers.tables.shards import Shard, taken

Array = numpy.ndarray[Any, Any]

SHARDS: Final = (4, 64)
"""How many shards a graph has: the first number, unless one of so few has more than :data:`FEW` positions. A shard has
to fit into memory by itself; and it costs some time in each round, however small it is."""

FEW: Final = 1 << 16

_SMALL: Final = 1 << 31
"""Numbers below this have 32 bits."""


def content_on_disk(
    problem: Problem[Any],
    up_to_symmetry: bool | None,
    shards: Shards,
    others: Sequence[Problem[Any]] = (),
    missed_wins: bool = True,
) -> Content:
    """The content of a table, of a problem and of ``others`` that begin elsewhere, made in shards, whose files are
    needed until all rows have been read or taken. Without ``missed_wins`` it has no positions that only come up behind
    other moves of decided positions. Raises as :func:`~.building.content` does."""
    machine = lowered(problem.machine)
    begun = (problem, *others)
    if any(each.facts.simultaneous.holds is not False for each in begun):
        raise in_memory_only("players may choose at once")
    images = asked_images(begun, machine, up_to_symmetry)
    if missed_wins:
        graph = _graph_of(begun, machine, images, bool(up_to_symmetry), shards)
    else:
        graph = _graph_of_wins(begun, machine, images, shards)
    if graph.kinds.players is not None:
        return equilibrium_content(problem, graph)
    return _Builder(problem, graph, _standard_of(graph)).content()


# Finding the positions.


def _graph_of(
    begun: Sequence[Problem[Any]], machine: LoweredMachine, images: Images | None, needs_images: bool, shards: Shards
) -> ShardedGraph:
    """All positions, or one of those that are alike. If more than one number counts, which is seen when it comes up,
    all begins again, with records of what each player gets."""
    try:
        try:
            return _explored(begun, machine, images, decisive_behind(begun, machine), None, shards)
        except BeyondLimits:  # with all positions and all edges it is told what is wrong
            return _explored_in_full(begun, machine, None, shards)
    except SeveralNumbers:
        if images is not None and needs_images:
            raise no_table(DEPENDS_ON_TIES) from None
    shards.clear()
    return _explored_in_full(begun, machine, len(machine.player_names), shards)


def _graph_of_wins(
    begun: Sequence[Problem[Any]], machine: LoweredMachine, images: Images | None, shards: Shards
) -> ShardedGraph:
    """The positions that come up as long as nobody misses a win."""
    decisive = decisive_behind(begun, machine)
    if not decisive:
        raise no_table(NO_DECISIVE_MOVES)
    try:
        return _explored(begun, machine, images, (), None, shards, MoveMaker.of(machine, images, decisive))
    except BeyondLimits as limit:
        raise no_table(limit.why) from limit


def _explored_in_full(
    begun: Sequence[Problem[Any]], machine: LoweredMachine, players: int | None, shards: Shards
) -> ShardedGraph:
    """As :func:`_explored`, with all positions and all edges. Raises ``ZermeloError`` (``no-table``) beyond limits."""
    try:
        return _explored(begun, machine, None, (), players, shards)
    except BeyondLimits as limit:
        raise no_table(limit.why) from limit


def _explored(
    begun: Sequence[Problem[Any]],
    machine: LoweredMachine,
    images: Images | None,
    decisive: tuple[int, ...],
    players: int | None,
    shards: Shards,
    maker: MoveMaker | None = None,
) -> ShardedGraph:
    """All positions behind the roots of some problems, by the moves of a ``maker``, which are all moves by default, in
    as many shards as suit their number. Raises :class:`BeyondLimits`, :class:`SeveralNumbers`."""
    *few, many = SHARDS
    for shards.count in few:
        try:
            return _explored_in(begun, machine, images, decisive, players, shards, maker, FEW)
        except TooFewShards:
            shards.clear()
    shards.count = many
    return _explored_in(begun, machine, images, decisive, players, shards, maker, inf)


def _explored_in(
    begun: Sequence[Problem[Any]],
    machine: LoweredMachine,
    images: Images | None,
    decisive: tuple[int, ...],
    players: int | None,
    shards: Shards,
    maker: MoveMaker | None,
    most: float,
) -> ShardedGraph:
    """As :func:`_explored`, in the shards that there are. Raises :class:`TooFewShards` if one has more than ``most``
    positions."""
    limits, progress = begun[0].limits, begun[0].progress

    def work() -> ShardedGraph:
        layout, may_draw = machine.program.layout, any(each.facts.chance.holds is not False for each in begun)
        kinds = GraphKinds(layout.key_words, layout.earnings is not None, may_draw, players)
        found = [KeyFinder(lowered(each.machine), images).find(each.root) for each in begun]
        actors = [each.machine.actor(each.root) for each in begun]
        actors = [1 - actor if is_exchanged else actor for actor, (_, is_exchanged) in zip(actors, found, strict=True)]
        graph = ShardedGraph(machine, images, shards, kinds, [key for key, _ in found], decisive)
        shards.provide(maker or MoveMaker.of(machine, images))
        try:
            explore(graph, actors, limits, progress, most)
        except FaultyRules as fault:
            try:
                machine.refuse_limit(fault.error)
                if images is not None or decisive:
                    raise BeyondLimits("the rules fail where no play is known to come") from fault
            except BeyondLimits:
                shards.clear()
                raise
            _explain(begun, graph, fault)
        return graph

    with limits.enforce():
        return machine.with_room(work)


def _explain(begun: Sequence[Problem[Any]], graph: ShardedGraph, fault: FaultyRules) -> NoReturn:
    """Raise the error of the rules, with a shortest play to it, or :class:`BeyondLimits`."""
    first, *following = play_to(graph, fault.name)
    problem = begun[graph.roots.index(first)]
    machine, state = lowered(problem.machine), problem.root
    finder = KeyFinder(machine, None)
    for key in following:
        behind = (machine.after(state, move) for move in choices_at(machine, state))
        state = next(there for there in behind if machine.actor(there) != END and finder.of(there) == key)
    for move in choices_at(machine, state):
        machine.after(state, move)
    machine.explain(state, [], fault.error)


# What is better.


@frozen
class Standard:
    """What counts in a contest: what each player ``wants``, ``fair``, what an endless play pays if that is known,
    and the ``total`` that two opposed players get together, None if all get the same."""

    wants: tuple[int, ...]
    fair: Fraction
    endless: Fraction | None
    total: Fraction | None


def _standard_of(graph: ShardedGraph) -> Standard:
    """What counts in a contest."""
    players, fair = len(graph.machine.player_names), graph.payments.largest_sum
    half = Fraction(fair, 2 * graph.machine.program.denominator)
    first = None if graph.endless is None else graph.endless[0]
    if graph.is_common:
        return Standard((1,) * players, half, first, None)
    total = next(iter(graph.sums), Fraction(0))
    return Standard((1, -1), total / 2, first, total)


# The rows.


def row_kind(kinds: GraphKinds, fractions: bool) -> Any:
    """The type of what the table says of a position."""
    denominator = [("denominator", "int64")] if fractions else []
    return numpy.dtype(
        [
            ("key", kinds.key), ("actor", "int8"), ("is_known", "bool"), ("number", "int64"),
            *denominator, ("steps", "int32"), ("best", "int32"),
        ]
    )  # fmt: skip


@frozen(eq=False)
class WriteRows:
    """Write what is known of the positions of a shard in the order of their keys, by one or two ways of solving.
    Numbers are whole parts of 1 over the ``unit``, and those from ``fair`` on are near. It returns the ranges of
    numerators and denominators for each player, the greatest distance, and whether one of the ``roots`` is there
    without a value."""

    low: Solving
    high: Solving
    standard: Standard
    unit: int
    fair: int
    roots: Sequence[Key]

    def __call__(self, shard: Shard, given: None) -> Any:
        rows = self._rows(shard)
        shard.write("rows", rows)
        shard.discard(*{self.low.name, self.high.name}, "firsts", "into", "ends", "keys", "actors", "opens")
        roots = sortable(numpy.array(self.roots, "uint64"))
        values = values_of(rows[rows["is_known"]], self.standard, self.unit)
        return {
            "ranges": [
                [player, part, int(numbers.min(initial=0)), int(numbers.max(initial=0))]
                for (player, part), numbers in values.items()
            ],
            "longest": int(rows["steps"].max(initial=-1)),
            "lacks_root": bool(numpy.isin(roots, rows["key"][~rows["is_known"]]).any()),
        }

    @property
    def kind(self) -> Any:
        return row_kind(self.low.kinds, self.low.order.fractions)

    def part(self, rows: Array) -> RowPart:
        values = values_of(rows, self.standard, self.unit)
        words = words_of(rows["key"], self.low.kinds.width)
        return RowPart(words, rows["actor"], rows["is_known"], values, rows["steps"], rows["best"])

    def _rows(self, shard: Shard) -> Array:
        kinds, fractions = self.low.kinds, self.low.order.fractions
        keys = sortable(shard.read("keys", kinds.words))
        order = numpy.argsort(keys)
        near, far = (taken(shard.read(each.name, each.order.state_kind()), order) for each in (self.low, self.high))
        rows = numpy.empty(len(keys), self.kind)
        rows["key"], rows["actor"], rows["number"] = keys[order], near["actor"], near["number"]
        rows["is_known"] = near["number"] == far["number"]
        if fractions:
            rows["denominator"] = near["denominator"]
        distances = numpy.where(near["number"] >= self.fair, near["steps"], far["steps"])
        has_distance = rows["is_known"] & (distances < FOREVER) & (not fractions)
        rows["steps"] = numpy.where(has_distance, distances, -1)
        best = numpy.where(self.low.order.wants_of(near["actor"]) == 1, near["best"], far["best"])
        rows["best"] = numpy.where(rows["is_known"] & (near["actor"] != CHANCE), best, -1)
        return rows


def values_of(rows: Array, standard: Standard, unit: int) -> dict[tuple[int, str], Array]:
    """The numerators and denominators of what each player gets, by rows whose numbers are parts of 1 over a unit."""
    if "denominator" in (rows.dtype.names or ()):
        return _values(rows["number"], rows["denominator"], standard, unit)
    numbers = rows["number"]
    low, high = (int(end(initial=0)) for end in (numbers.min, numbers.max))
    if high - low >= len(numbers):
        return _values(numbers, numpy.ones(len(numbers), "int64"), standard, unit)
    each = numpy.arange(low, high + 1)  # of few numbers each is looked at once
    found = _values(each, numpy.ones(len(each), "int64"), standard, unit)
    return {place: amounts.take(numbers - low) for place, amounts in found.items()}


def _values(numbers: Array, denominators: Array, standard: Standard, unit: int) -> dict[tuple[int, str], Array]:
    own, total = reduced(numbers, product(denominators, numpy.int64(unit))), standard.total
    values = {(0, "numerator"): own[0], (0, "denominator"): own[1]}
    for player in range(1, len(standard.wants)):
        theirs = own
        if total is not None:
            scale = numpy.int64(total.denominator)
            whole = product(own[1], numpy.int64(total.numerator)) - product(own[0], scale)
            theirs = reduced(whole, product(own[1], scale))
        values |= {(player, "numerator"): theirs[0], (player, "denominator"): theirs[1]}
    return values


# Solving, and all rows.


@define(eq=False)
class _Builder:
    """Makes the content of a table of a graph by a standard. Numbers are whole parts of 1 over the ``unit``."""

    problem: Problem[Any]
    graph: ShardedGraph
    standard: Standard

    @property
    def unit(self) -> int:
        """The parts of 1. What is paid, half of the total and what is endless are whole numbers of them."""
        endless = self.standard.endless
        return lcm(2 * self.graph.machine.program.denominator, 1 if endless is None else endless.denominator)

    def _parts(self, amount: Fraction) -> int:
        return int(amount * self.unit)

    def content(self) -> Content:
        graph, players = self.graph, self.graph.machine.player_names
        if self._most > MOST // 4:
            raise too_long()
        low, high = (solver.solving for solver in self._solve())
        fair = self._parts(self.standard.fair if low is not high else Fraction(0))
        job = WriteRows(low, high, self.standard, self.unit, fair, graph.roots)
        ranges, longest = dict[tuple[int, str], tuple[int, int]](), -1
        for written in graph.shards.map(job).values():
            if written["lacks_root"]:
                raise ZermeloError(
                    "needs-endless",
                    "a play can go on for ever, and the rules do not say what it pays then, on which the value depends",
                    "say it with 'endless draw' or 'endless payoff ...', or give the game a 'discount'",
                )
            longest = max(longest, written["longest"])
            for player, part, least, most in written["ranges"]:
                low_end, high_end = ranges.get((player, part), (0, 0))
                ranges[player, part] = min(low_end, least), max(high_end, most)
        graph.shards.checkpoint()
        format = RowFormat.of(players, graph.kinds.width, ranges, longest)
        files = write_files(graph.shards, job, format, graph.positions)
        who_hurries = self._who_hurries(low is high)
        return Content(graph.machine, graph.images, graph.positions, who_hurries, format, files.groups(), files)

    @property
    def _scale(self) -> int:
        """The parts of what is 1 in the graph."""
        return self.unit // self.graph.machine.program.denominator

    @property
    def _most(self) -> int:
        """The most that anybody gets at an end, by a move or in an endless play."""
        endless = 0 if self.standard.endless is None else self._parts(self.standard.endless)
        return max(self._scale * self.graph.payments.most, abs(endless))

    def _solve(self) -> tuple[ShardSolver, ShardSolver]:
        """The solver of all positions, twice; where it matters what endless plays pay, and the rules do not say it,
        those with that worth the least and the most."""
        standard, beyond = self.standard, 2 * self._most + 1
        is_opposed, endless = len(set(standard.wants)) > 1, standard.endless
        middle = -beyond if not is_opposed else self._parts(standard.fair)
        solver = self._begun("state", middle if endless is None else self._parts(endless))
        if solver.is_done:
            return solver, solver
        if self.graph.machine.discount != 1:
            raise in_memory_only("later payoffs count less, and plays can come back to a position")
        if self.graph.draws:
            raise in_memory_only("chance is at work, and plays can come back to a position")
        if solver.earns_in_circles() or (self._may_earn and not is_opposed and endless is None):
            raise in_memory_only("something is earned on the way, and plays can come back to a position")
        if endless is not None:
            solver.go_round()
            return solver, solver
        self.graph.shards.map(Discard("state"))
        solvers = []
        for name, amount in (("low", -beyond), ("high", beyond)):
            solvers.append(self._begun(name, amount))
            solvers[-1].go_round()
        return solvers[0], solvers[1]

    @property
    def _may_earn(self) -> bool:
        return self.graph.kinds.may_earn

    @property
    def _number_kind(self) -> str:
        """The type of numbers: one of few bits, if all of them, and what they differ by, have so few."""
        is_small = 4 * self._most < _SMALL and not self._may_earn and not self.graph.fractions
        return "int32" if is_small else "int64"

    def _begun(self, name: str, middle: int) -> ShardSolver:
        graph, standard = self.graph, self.standard
        total = 0 if standard.total is None else self._parts(standard.total)
        order = Ordering(
            standard.wants, middle, total, graph.fractions, self._scale, self._number_kind, graph.machine.discount
        )
        solving = Solving(self.graph.kinds, order, name)
        solver = ShardSolver(self.graph, solving, self.problem.limits, self.problem.progress)
        solver.begin()
        return solver

    def _who_hurries(self, is_one: bool) -> WhoHurries | None:
        """As :func:`~zermelo.solvers.tables.building.who_hurries`."""
        standard = self.standard
        if self.graph.fractions:
            return None
        middle = standard.endless if is_one else standard.fair
        if is_one and middle is None and standard.total is not None:
            middle = standard.fair
        return WhoHurries.of(self.graph.machine.player_names, standard.wants, middle, is_one)
