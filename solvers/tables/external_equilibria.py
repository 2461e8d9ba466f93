"""Solving a graph of positions in external memory in which more than one number counts: of three and more players with
aims of their own, or of two whose payoffs have no constant sum. It is solved as in memory, by backward induction
(:func:`~zermelo.solvers.positions.stochastic_games.matrix_rounds.subgame_perfect_shares`), so only without circles.
Where a player decides, a position is worth to all what the move brings that is best for that player, the first of these
in the order of moves; where chance draws, the mean.

The rounds are those of :mod:`.external_solving`. What is told of a move is what each player gets by it, and which move
it is: so the first one of those that are as good is found in whatever order the mail comes.

Numbers are whole parts of a unit, or fractions of it with a denominator that all players have in common, of 64 bits.

Cost: for each position a state of 18 bytes and 8 for each player, with fractions 16 more; each edge is read and told
once, in 8 bytes and 8 for each player, with fractions 16 more.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy
from attrs import frozen

from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.external_exploring import ShardedGraph, in_memory_only
from zermelo.solvers.tables.external_solving import (
    MOST,
    Ordering,
    ShardSolver,
    Solving,
    product,
    reduced,
    too_long,
    weights_of,
)
from zermelo.solvers.tables.external_writing import write_files
from zermelo.solvers.tables.keys import sortable, words_of
from zermelo.solvers.tables.rows import Content, RowFormat, RowPart
from zermelo.solvers.tables.shards import Shard, taken

Array = numpy.ndarray[Any, Any]


# What is better.


@frozen
class SharesOrdering(Ordering):
    """What is better, if each player wants more for themselves. A position has the ``numbers`` of all players, with one
    denominator, and the ``move`` by which they get these."""

    amounts: ClassVar[str] = "numbers"

    def state_kind(self) -> Any:
        fractions = [("weight", "int64")] if self.fractions else []
        return numpy.dtype(
            [
                *self._numbers, *fractions, ("move", "uint32"), ("best", "uint32"), ("opens", "uint32"),
                ("actor", "int8"), ("is_settled", "bool"),
            ]
        )  # fmt: skip

    def mail_kind(self) -> Any:
        fractions = [("weight", "int64")] if self.fractions else []
        return numpy.dtype([("place", "uint32"), *self._numbers, *fractions, ("move", "uint32")])

    @property
    def _numbers(self) -> list[tuple[str, Any]]:
        denominator = [("denominator", "int64")] if self.fractions else []
        return [("numbers", ("int64", (len(self.wants),))), *denominator]

    def told_by_ends(self, ends: Array) -> Array:
        told = numpy.empty(len(ends), self.mail_kind())
        told["place"], told["numbers"], told["move"] = ends["place"], ends["paid"], ends["move"]
        if self.fractions:
            told["denominator"], told["weight"] = 1, weights_of(ends)
        return told

    def told_before(self, edges: Array, known: Array) -> Array:
        mail = numpy.empty(len(edges), self.mail_kind())
        mail["numbers"], mail["move"] = known["numbers"], edges["move"]
        if self.fractions:
            mail["weight"] = weights_of(edges)
            mail["numbers"], mail["denominator"] = self.discounted(known["numbers"], known["denominator"], edges)
        if "paid" in (edges.dtype.names or ()):
            paid = edges["paid"]
            mail["numbers"] += product(paid, mail["denominator"][:, None]) if self.fractions else paid
        if len(mail) and int(numpy.abs(mail["numbers"]).max()) > MOST // 4:
            raise too_long()
        return mail

    def take(self, known: Array, told: Array) -> None:
        draws, which = known["actor"] == CHANCE, numpy.arange(len(known))
        own, theirs = (some["numbers"][which, known["actor"]] for some in (known, told))
        if self.fractions:
            own, theirs = product(own, told["denominator"]), product(theirs, known["denominator"])
        is_better = ~draws & ((known["best"] == 0) | (theirs > own))
        is_same = ~draws & ~is_better & (theirs == own)
        is_taken = is_better | (is_same & (told["move"] < known["move"]))
        known["best"] = numpy.where(is_better, 1, known["best"] + is_same)
        known["move"] = numpy.where(is_taken, told["move"], known["move"])
        known["numbers"] = numpy.where(is_taken[:, None], told["numbers"], known["numbers"])
        if self.fractions:
            known["denominator"] = numpy.where(is_taken, told["denominator"], known["denominator"])
            self.add_outcomes(known, told, draws)


# The rows.


@frozen(eq=False)
class WriteShares:
    """Write what is known of the positions of a shard in the order of their keys. Numbers are parts of 1 over the
    ``unit``. It returns the ranges of numerators and denominators for each player."""

    solving: Solving
    order: SharesOrdering
    unit: int

    def __call__(self, shard: Shard, given: None) -> Any:
        kinds, state = self.solving.kinds, shard.read(self.solving.name, self.order.state_kind())
        keys = sortable(shard.read("keys", kinds.words))
        order = numpy.argsort(keys)
        state, rows = taken(state, order), numpy.empty(len(keys), self.kind)
        rows["key"], rows["actor"], rows["numbers"] = keys[order], state["actor"], state["numbers"]
        if self.order.fractions:
            rows["denominator"] = state["denominator"]
        rows["best"] = numpy.where(state["actor"] == CHANCE, -1, state["best"])
        shard.write("rows", rows)
        shard.discard(self.solving.name, "firsts", "into", "ends", "keys", "actors", "opens")
        return [
            [player, part, int(numbers.min(initial=0)), int(numbers.max(initial=0))]
            for (player, part), numbers in _values(rows, self.unit).items()
        ]

    @property
    def kind(self) -> Any:
        denominator = [("denominator", "int64")] if self.order.fractions else []
        numbers = ("numbers", ("int64", (len(self.order.wants),)))
        key = self.solving.kinds.key
        return numpy.dtype([("key", key), ("actor", "int8"), numbers, *denominator, ("best", "int32")])

    def part(self, rows: Array) -> RowPart:
        words, count = words_of(rows["key"], self.solving.kinds.width), len(rows)
        known, far = numpy.ones(count, bool), numpy.full(count, -1, "int32")
        return RowPart(words, rows["actor"], known, _values(rows, self.unit), far, rows["best"])


def _values(rows: Array, unit: int) -> dict[tuple[int, str], Array]:
    """The numerators and denominators of what each player gets."""
    values, numbers = dict[tuple[int, str], Array](), rows["numbers"]
    has_denominators = "denominator" in (rows.dtype.names or ())
    scale = rows["denominator"] if has_denominators else numpy.ones(len(rows), "int64")
    for player in range(numbers.shape[1]):
        numerators, denominators = reduced(numbers[:, player], product(scale, numpy.int64(unit)))
        values |= {(player, "numerator"): numerators, (player, "denominator"): denominators}
    return values


# Solving, and all rows.


def equilibrium_content(problem: Problem[Any], graph: ShardedGraph) -> Content:
    """The content of a table of a graph that says what each player gets. Raises ``ZermeloError`` (``no-table``)."""
    machine, players = graph.machine, graph.machine.player_names
    if graph.payments.most > MOST // 4:
        raise too_long()
    order = SharesOrdering((1,) * len(players), 0, 0, graph.fractions, 1, "int64", machine.discount)
    solver = ShardSolver(graph, Solving(graph.kinds, order, "state"), problem.limits, problem.progress)
    solver.begin()
    if not solver.is_done:
        raise in_memory_only("what one player gets does not say what the others get, and plays can come back")
    job, ranges = (
        WriteShares(solver.solving, order, machine.program.denominator),
        dict[tuple[int, str], tuple[int, int]](),
    )
    for written in graph.shards.map(job).values():
        for player, part, least, most in written:
            low, high = ranges.get((player, part), (0, 0))
            ranges[player, part] = min(low, least), max(high, most)
    graph.shards.checkpoint()
    format = RowFormat.of(players, graph.kinds.width, ranges, -1)
    files = write_files(graph.shards, job, format, graph.positions)
    return Content(machine, None, graph.positions, None, format, files.groups(), files)
