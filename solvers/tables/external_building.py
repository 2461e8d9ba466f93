"""Making a table in external memory, where the positions and what is known of them do not fit into memory: they are
found (:mod:`.external_exploring`), solved (:mod:`.external_solving`) and put into the order of their keys, in shards
on disk (:mod:`.shards`). The rows are those that are made in memory.

Needs a contest, one number that says what all players get: alone, against each other with a constant sum, or with a
common payoff. Plays may go round where nothing is left to chance and nothing is earned on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy
from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.kernels.retrograde import FOREVER
from zermelo.solvers.positions.graph.exploring import images_of
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.external_exploring import FaultyRules, ShardedGraph, ShardExplorer, in_memory_only, play_to
from zermelo.solvers.tables.external_solving import MOST, Ordering, ShardSolver, product, reduced, too_long
from zermelo.solvers.tables.keys import KeyFinder, key_source, lowered, no_table, sortable, words_of
from zermelo.solvers.tables.rows import ROWS, Content, RowFormat, RowPart, WhoHurries
from zermelo.solvers.tables.shards import Shards, merged, taken

Array = numpy.ndarray[Any, Any]

_SMALL: Final = 1 << 31
"""Numbers below this have 32 bits."""

SHARDS: Final = 64
"""The shards of a graph: each has to fit into memory by itself."""


def content_on_disk(problem: Problem[Any], up_to_symmetry: bool | None, folder: Path, shards: int = SHARDS) -> Content:
    """The content of a table, made in an empty folder. Raises as :func:`~.building.content` does."""
    machine = lowered(problem.machine)
    if machine.discount != 1:
        raise in_memory_only("later payoffs count less")
    if problem.facts.simultaneous.holds is not False:
        raise in_memory_only("players may choose at once")
    images = None if up_to_symmetry is False else images_of(machine)
    try:
        graph = _explored(problem, machine, images, folder, shards)
    except BeyondLimits as limit:
        if images is None:
            raise no_table(limit.why) from limit
        graph = _explored(problem, machine, None, folder, shards)
    return _Builder(problem, graph, _standard_of(graph)).content()


# Finding the positions.


def _explored(
    problem: Problem[Any], machine: LoweredMachine, images: Images | None, folder: Path, shards: int
) -> ShardedGraph:
    """All positions. Raises :class:`BeyondLimits`."""

    def work(kernels: Kernels) -> ShardedGraph:
        for path in folder.iterdir():  # where work begins again in machine code
            path.unlink()
        layout, root = kernels.program.layout, KeyFinder(machine, images).of(problem.root)
        graph = ShardedGraph(
            machine,
            images,
            Shards(folder, shards, problem.limits.memory // 8),
            layout.key_words,
            problem.facts.chance.holds is not False,
            root,
        )
        try:
            ShardExplorer(graph, kernels, problem.limits, problem.progress).explore(machine.actor(problem.root))
        except FaultyRules as fault:
            if images is not None:
                raise BeyondLimits("the rules fail in an image of a position") from fault
            _explain(problem, graph, fault)
        return graph

    with problem.limits.enforce():
        return machine.with_room(lambda: machine.run(key_source(images, expand), work))


def _explain(problem: Problem[Any], graph: ShardedGraph, fault: FaultyRules) -> NoReturn:
    """Raise the error of the rules, with a shortest play to it, or :class:`BeyondLimits`."""
    machine, finder, state = graph.machine, KeyFinder(graph.machine, None), problem.root
    for key in play_to(graph, fault.name)[1:]:
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
    """As :func:`~zermelo.solvers.positions.graph.graph.contest_of`. Raises ``ZermeloError`` (``no-table``)."""
    payments, unit, endless = graph.payments, graph.machine.program.denominator, graph.machine.endless()
    players, fair = len(graph.machine.player_names), Fraction(payments.largest_sum, 2 * unit)
    first = None if endless is None else endless[0]
    sums = {Fraction(total, unit) for total in payments.sums}
    if endless is not None:
        sums.add(sum(endless, Fraction(0)))
    if payments.alike and (endless is None or len(set(endless)) == 1):
        return Standard((1,) * players, fair, first, None)
    if players == 2 and len(sums) == 1 and payments.sums_to_0:
        (total,) = sums
        return Standard((1, -1), total / 2, first, total)
    raise in_memory_only("what one player gets does not say what the others get")


# Solving, and the rows.


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
        solvers = self._solve()
        is_one = len(solvers) == 1
        ranges, longest = dict[tuple[int, str], tuple[int, int]](), -1
        for shard in range(graph.shards.count):
            rows = self._write_rows(shard, solvers[0], solvers[-1])
            longest = max(longest, int(rows["steps"].max(initial=-1)))
            for place, numbers in self._values(rows[rows["is_known"]]).items():
                low, high = ranges.get(place, (0, 0))
                ranges[place] = min(low, int(numbers.min(initial=0))), max(high, int(numbers.max(initial=0)))
        format = RowFormat.of(players, graph.width, ranges, longest)
        return Content(
            graph.machine, graph.images, graph.positions, self._who_hurries(is_one), format, self._tables(format)
        )

    @property
    def _scale(self) -> int:
        """The parts of what is 1 in the graph."""
        return self.unit // self.graph.machine.program.denominator

    @property
    def _most(self) -> int:
        """The most that anybody gets at an end, by a move or in an endless play."""
        endless = 0 if self.standard.endless is None else self._parts(self.standard.endless)
        return max(self._scale * self.graph.payments.most, abs(endless))

    def _solve(self) -> list[ShardSolver]:
        """The solver of all positions; where it matters what endless plays pay, and the rules do not say it, those with
        that worth the least and the most."""
        standard, beyond = self.standard, 2 * self._most + 1
        is_opposed, endless = len(set(standard.wants)) > 1, standard.endless
        middle = -beyond if not is_opposed else self._parts(standard.fair)
        solver = self._begun("state", middle if endless is None else self._parts(endless))
        if solver.is_done:
            return [solver]
        if self.graph.draws:
            raise in_memory_only("chance is at work, and plays can come back to a position")
        if solver.earns_in_circles() or (self._may_earn and not is_opposed and endless is None):
            raise in_memory_only("something is earned on the way, and plays can come back to a position")
        if endless is not None:
            solver.go_round()
            return [solver]
        self.graph.shards.delete("state")
        solvers = []
        for name, amount in (("low", -beyond), ("high", beyond)):
            solvers.append(self._begun(name, amount))
            solvers[-1].go_round()
        return solvers

    @property
    def _may_earn(self) -> bool:
        return self.graph.machine.program.layout.earnings is not None

    @property
    def _number_kind(self) -> str:
        """The type of numbers: one of few bits, if all of them, and what they differ by, have so few."""
        is_small = 4 * self._most < _SMALL and not self._may_earn and not self.graph.draws
        return "int32" if is_small else "int64"

    def _begun(self, name: str, middle: int) -> ShardSolver:
        order = Ordering(self.standard.wants, middle, self.graph.draws, self._scale, self._number_kind)
        solver = ShardSolver(self.graph, order, name, self.problem.limits, self.problem.progress)
        solver.begin()
        return solver

    @property
    def _row_kind(self) -> Any:
        denominator = [("denominator", "int64")] if self.graph.draws else []
        return numpy.dtype(
            [
                ("key", self.graph.key_kind), ("actor", "int8"), ("is_known", "bool"), ("number", "int64"),
                *denominator, ("steps", "int32"), ("best", "int32"),
            ]
        )  # fmt: skip

    def _write_rows(self, shard: int, low: ShardSolver, high: ShardSolver) -> Array:
        """Write and return what is known of the positions of a shard in the order of their keys."""
        graph, shards = self.graph, self.graph.shards
        keys = sortable(shards.read(shard, "keys", (numpy.uint64, (graph.width,))))
        order = numpy.argsort(keys)
        near, far = (taken(shards.read(shard, each.name, each.order.state_kind()), order) for each in (low, high))
        rows = numpy.empty(len(keys), self._row_kind)
        rows["key"], rows["actor"], rows["number"] = keys[order], near["actor"], near["number"]
        rows["is_known"] = near["number"] == far["number"]
        if graph.draws:
            rows["denominator"] = near["denominator"]
        is_near = near["number"] >= self._parts(self.standard.fair if low is not high else Fraction(0))
        distances = numpy.where(is_near, near["steps"], far["steps"])
        has_distance = rows["is_known"] & (distances < FOREVER) & (not graph.draws)
        rows["steps"] = numpy.where(has_distance, distances, -1)
        best = numpy.where(low.order.wants_of(near["actor"]) == 1, near["best"], far["best"])
        rows["best"] = numpy.where(rows["is_known"] & (near["actor"] != CHANCE), best, -1)
        shards.check_disk(rows.nbytes)
        shards.replace(shard, "rows", rows)
        root = sortable(numpy.array([graph.root], "uint64"))
        if (rows["key"][~rows["is_known"]] == root).any():
            raise ZermeloError(
                "needs-endless",
                "a play can go on for ever, and the rules do not say what it pays then, on which the value depends",
                "say it with 'endless draw' or 'endless payoff ...', or give the game a 'discount'",
            )
        for name in {low.name, high.name} | {"firsts", "into", "ends", "keys", "actors", "opens"}:
            shards.path(shard, name).unlink(missing_ok=True)
        return rows

    def _values(self, rows: Array) -> dict[tuple[int, str], Array]:
        """The numerators and denominators of what each player gets."""
        denominators = rows["denominator"] if self.graph.draws else numpy.ones(len(rows), "int64")
        own, total = reduced(rows["number"], product(denominators, numpy.int64(self.unit))), self.standard.total
        values = {(0, "numerator"): own[0], (0, "denominator"): own[1]}
        for player in range(1, len(self.standard.wants)):
            theirs = own
            if total is not None:
                scale = numpy.int64(total.denominator)
                whole = product(own[1], numpy.int64(total.numerator)) - product(own[0], scale)
                theirs = reduced(whole, product(own[1], scale))
            values |= {(player, "numerator"): theirs[0], (player, "denominator"): theirs[1]}
        return values

    def _tables(self, format: RowFormat) -> Iterator[Any]:
        """The rows as tables of pyarrow."""
        graph = self.graph
        size = max(1 << 10, min(ROWS, self.problem.limits.memory // 8 // self._row_kind.itemsize // 4))
        for rows in merged(graph.shards, "rows", self._row_kind, "key", size):
            yield format.table(
                RowPart(
                    words_of(rows["key"], graph.width), rows["actor"], rows["is_known"], self._values(rows),
                    rows["steps"], rows["best"],
                )
            )  # fmt: skip

    def _who_hurries(self, is_one: bool) -> WhoHurries | None:
        """As :func:`~zermelo.solvers.tables.building.who_hurries`."""
        standard = self.standard
        if self.graph.draws:
            return None
        middle = standard.endless if is_one else standard.fair
        if is_one and middle is None and standard.total is not None:
            middle = standard.fair
        return WhoHurries.of(self.graph.machine.player_names, standard.wants, middle, is_one)
