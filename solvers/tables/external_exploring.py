"""Finding all positions of a game in external memory: breadth first, in shards on disk.

A round makes the moves of the positions that the round before has found, and posts each edge to the shard of the
position to which it leads: ``key, source``. Then each shard sorts its mail by keys, strikes out what comes twice, and
looks up what is left in its *index*, runs of sorted keys with their places. What is not there is new: it gets the next
places, and is a new run of the index. A run is merged with the one before it unless that is longer, so that there are
no more than the logarithm of their lengths (O'Neil et al., "The log-structured merge-tree", 1996). Now both ends of
each edge have a name, and it is kept with the shard to which it leads: what is known of a position is told to those
before it later.

What a shard has in the end:

=========  ===========================================================================================
``keys``   the keys of its positions, by their places
``actors`` who acts there
``opens``  how many edges lead from there to positions
``firsts`` for each place, where the edges that lead there begin among the
``into``   edges into its positions: the source of each, what is earned and the weight
``ends``   edges from its positions to ends: the place, what is paid and the weight
=========  ===========================================================================================

What stays true: a key has one place, and is in one run of one index; each edge is in one ``edges``, later ``into``, or
in one ``ends``; places of a shard that were found in earlier rounds are lower, and those of one round are in the order
of keys.

Cost: on disk for each position its key twice and 17 bytes, for each edge 12 to 28 bytes. Each edge is posted once,
written and read, sorted once among the mail of its round, and once among all edges; each key is merged once for each
doubling of its run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy
from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.tables.expanding import Expander, Faulty, Moves
from zermelo.solvers.tables.keys import sortable, sortable_kind, words_of
from zermelo.solvers.tables.shards import PLACES, Shards, joined, names_of, owners, taken

Array = numpy.ndarray[Any, Any]

SHARD_BYTES: Final = 200
"""The bytes for each position of the shard at hand, with its edges, while these are sorted."""


def in_memory_only(why: str) -> ZermeloError:
    """The error for a game whose table is made in memory alone."""
    return ZermeloError(
        "no-table",
        f"this table does not fit into memory, and on disk it can be made only of other games: {why}",
        "--memory allows more; `zermelo table build --after MOVES` makes a smaller table",
    )


@define(eq=False)
class Payments:
    """What is known of what ends and moves pay, from all edges so far: the ``most`` that anybody gets; whether all
    players are paid ``alike``; the least and the greatest sum of what ends pay; the ``largest_sum`` that is not 0, or
    else 0; and whether what moves earn sums to 0."""

    most: int = 0
    alike: bool = True
    sums: set[int] = field(factory=set)
    largest_sum: int = 0
    sums_to_0: bool = True

    def check(self, players: int) -> None:
        """Raise ``ZermeloError`` (``no-table``) if more than one number counts."""
        if not self.alike and not (players == 2 and len(self.sums) <= 1 and self.sums_to_0):
            raise in_memory_only("what one player gets does not say what the others get")

    def add(self, ends: Array, moves: Array) -> None:
        """Take note of what some ends and some moves pay the players."""
        for paid in (ends, moves):
            self.most = max(self.most, int(abs(paid).max(initial=0)))
            self.alike &= bool((paid == paid[:, :1]).all())
        if len(ends):
            found = ends.sum(axis=1)
            self.sums |= {int(found.min()), int(found.max())}
            self.sums = {min(self.sums), max(self.sums)}
            found = found[found != 0]
            if len(found):
                self.largest_sum = max(int(found.max()), self.largest_sum or int(found.max()))
        self.sums_to_0 &= not moves.sum(axis=1).any()


@define(eq=False)
class ShardedGraph:
    """The positions of a game in shards, with the edges between them."""

    machine: LoweredMachine
    images: Images | None
    shards: Shards
    width: int
    may_draw: bool
    root: tuple[int, ...]
    positions: int = 0
    draws: bool = False
    payments: Payments = field(factory=Payments)

    @property
    def key_kind(self) -> Any:
        """The type of a key that is sortable."""
        return sortable_kind(self.width)

    @property
    def index_kind(self) -> Any:
        return self._record(("key", self.key_kind), ("place", "uint32"))

    @property
    def into_kind(self) -> Any:
        """The type of an edge, without the position to which it leads."""
        return self._record(("source", "uint64"), *self._paying)

    @property
    def edge_kind(self) -> Any:
        return self._record(("place", "uint32"), ("source", "uint64"), *self._paying)

    @property
    def end_kind(self) -> Any:
        weight = [("weight", "int64")] if self.may_draw else []
        return self._record(("place", "uint32"), ("paid", "int64"), *weight)

    @property
    def mail_kind(self) -> Any:
        return self._record(("key", self.key_kind), ("actor", "int8"), ("source", "uint64"), *self._paying)

    @property
    def _paying(self) -> list[tuple[str, str]]:
        is_earning = self.machine.program.layout.earnings is not None
        return [("paid", "int64")] * is_earning + [("weight", "int64")] * self.may_draw

    def _record(self, *fields: tuple[str, Any]) -> Any:
        return numpy.dtype(list(fields))


class FaultyRules(Exception):
    """The moves of the position of this ``name`` cannot be made, because of an ``error`` of the rules."""

    def __init__(self, name: int, error: RuleError) -> None:
        super().__init__(f"position {name}")
        self.name = name
        self.error = error


@define(eq=False)
class ShardExplorer:
    """Finds the positions of a graph; ``kernels`` have ``expand``. ``found[shard]`` is the number of its positions, of
    which those from ``begun[shard]`` on have moves that have not been made."""

    graph: ShardedGraph
    kernels: Kernels
    limits: Limits
    progress: Progress
    found: list[int] = field(init=False)
    begun: list[int] = field(init=False)
    _runs: list[list[int]] = field(init=False)
    _expander: Expander = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.found, self.begun = [0] * self.graph.shards.count, [0] * self.graph.shards.count
        self._runs = [[] for _ in self.found]
        self._expander = Expander(self.graph.machine, self.kernels)

    def explore(self, root_actor: int) -> None:
        """Find all positions behind the root, and sort their edges. Raises :class:`FaultyRules`, and
        ``ZermeloError`` (``out-of-time``, ``out-of-memory``, ``unwritable-file``)."""
        graph, shards = self.graph, self.graph.shards
        first = numpy.zeros(1, graph.mail_kind)
        words = numpy.array([graph.root], "uint64")
        first["key"], first["actor"] = sortable(words), root_actor
        shards.post(owners(words, shards.count), first)
        is_root = True
        while reached := shards.exchange():
            for shard in reached:
                self._merge(shard, is_root)
            is_root = False
            for shard in range(shards.count):
                self._expand(shard)
        for shard in range(shards.count):
            self._sort_edges(shard)
        graph.positions = sum(self.found)

    def _check(self) -> None:
        count = sum(self.found)
        self.progress(count)
        self.limits.check({"nodes": count})

    # ------------------------------------------------------------ a round

    def _expand(self, shard: int) -> None:
        """Make the moves of the new positions of a shard."""
        graph, shards = self.graph, self.graph.shards
        first, self.begun[shard] = self.begun[shard], self.found[shard]
        if first == self.found[shard]:
            return
        words = shards.read(shard, "keys", (numpy.uint64, (graph.width,)), first)
        actors = shards.read(shard, "actors", "int8", first)
        graph.draws |= bool((actors == CHANCE).any())
        for made in self._moves(shard, first, words, actors):
            places, is_end = first + made.first + made.sources, made.kinds == END
            inner = ~is_end
            graph.payments.add(made.paid[is_end], made.paid[inner])
            ends = numpy.empty(int(is_end.sum()), graph.end_kind)
            mail = numpy.empty(len(is_end) - len(ends), graph.mail_kind)
            ends["place"], ends["paid"] = places[is_end], made.paid[is_end, 0]
            mail["key"], mail["actor"] = sortable(made.targets[inner]), made.kinds[inner]
            mail["source"] = names_of(shard, places[inner])
            for records, chosen in ((ends, is_end), (mail, inner)):
                for name, numbers in (("paid", made.paid[:, 0]), ("weight", made.weights)):
                    if name in (records.dtype.names or ()):
                        records[name] = numbers[chosen]
            opens = numpy.bincount(made.sources[inner], minlength=made.count)
            shards.append(shard, "opens", opens.astype("uint32"))
            shards.append(shard, "ends", ends)
            shards.post(owners(made.targets[inner], shards.count), mail)
            graph.payments.check(made.paid.shape[1])
            self._check()

    def _moves(self, shard: int, first: int, words: Array, actors: Array) -> Iterator[Moves]:
        """The moves of positions of a shard. Raises :class:`FaultyRules`."""
        try:
            yield from self._expander.moves(words, actors)
        except Faulty as fault:
            raise FaultyRules(shard << 32 | first + fault.place, fault.error) from fault

    def _merge(self, shard: int, is_root: bool) -> None:
        """Take the mail of a round into a shard: new positions, and edges."""
        graph, shards = self.graph, self.graph.shards
        for mail in shards.mail(shard, graph.mail_kind, self._most_mail):
            self._require(shard)
            mail = taken(mail, numpy.argsort(mail["key"]))
            keys = mail["key"]
            is_first = numpy.ones(len(mail), bool)
            is_first[1:] = keys[1:] != keys[:-1]
            firsts = numpy.flatnonzero(is_first)
            own = self._look_up(shard, keys[firsts])
            is_new = own < 0
            own[is_new] = self.found[shard] + numpy.arange(int(is_new.sum()))
            self.found[shard] += int(is_new.sum())
            new = numpy.empty(int(is_new.sum()), graph.index_kind)
            new["key"], new["place"] = keys[firsts][is_new], own[is_new]
            self._enter(shard, new)
            shards.append(shard, "keys", words_of(new["key"], graph.width))
            shards.append(shard, "actors", mail["actor"][firsts][is_new])
            if not is_root:
                edges = numpy.empty(len(mail), graph.edge_kind)
                edges["place"] = own[numpy.cumsum(is_first) - 1]
                for name in graph.into_kind.names:
                    edges[name] = mail[name]
                shards.append(shard, "edges", edges)
        self._check()

    def _look_up(self, shard: int, keys: Array) -> Array:
        """The places of sorted keys in a shard, -1 where there is none."""
        own = numpy.full(len(keys), -1, "int64")
        for run in range(len(self._runs[shard])):
            index = self.graph.shards.open(shard, f"index{run}", self.graph.index_kind)
            there = numpy.minimum(numpy.searchsorted(index["key"], keys), len(index) - 1)
            is_there = index["key"][there] == keys
            own[is_there] = index["place"][there[is_there]]
        return own

    def _enter(self, shard: int, new: Array) -> None:
        """Enter sorted keys with their places into the index of a shard. Runs are merged that are not longer than what
        comes behind them, so that there are few, and each key is merged a few times."""
        shards, runs = self.graph.shards, self._runs[shard]
        while runs and len(new) >= runs[-1]:
            runs.pop()
            new = joined([shards.read(shard, f"index{len(runs)}", new.dtype), new], new.dtype)
            new = taken(new, numpy.argsort(new["key"]))
        if len(new):
            shards.replace(shard, f"index{len(runs)}", new)
            runs.append(len(new))

    @property
    def _most_mail(self) -> int:
        """The records of mail that are read at a time."""
        size: int = self.graph.mail_kind.itemsize
        return max(1 << 8, self.limits.memory // 32 // size)

    def _require(self, shard: int) -> None:
        """Raise ``out-of-memory`` if a shard does not fit into memory."""
        needed = SHARD_BYTES * self.found[shard]
        self.limits.require(needed, f"the largest of {self.graph.shards.count} parts of all positions")

    # ------------------------------------------------------------ the end

    def _sort_edges(self, shard: int) -> None:
        """Sort the edges of a shard by the places to which they lead."""
        graph, shards = self.graph, self.graph.shards
        edges = shards.read(shard, "edges", graph.edge_kind)
        shards.check_disk(edges.nbytes)
        counts = numpy.bincount(edges["place"], minlength=self.found[shard])
        into = numpy.empty(len(edges), graph.into_kind)
        for name in graph.into_kind.names:
            into[name] = edges[name]
        into = taken(into, numpy.argsort(edges["place"]))
        shards.replace(shard, "into", into)
        shards.replace(shard, "firsts", numpy.concatenate([[0], numpy.cumsum(counts)]).astype("int64"))
        for name in ("edges", *(f"index{run}" for run in range(len(self._runs[shard])))):
            shards.path(shard, name).unlink(missing_ok=True)
        self._check()


def sources_of(graph: ShardedGraph, shard: int, places: Array) -> tuple[Array, Array]:
    """The edges that lead to some positions of a shard, and for each the place among these to which it leads."""
    if not len(places):
        return numpy.empty(0, graph.into_kind), places
    firsts = graph.shards.open(shard, "firsts", "int64")
    into = graph.shards.open(shard, "into", graph.into_kind)
    begin, counts = firsts[places], firsts[places + 1] - firsts[places]
    which = numpy.repeat(numpy.arange(len(places)), counts)
    ends = numpy.cumsum(counts)
    edges = numpy.arange(int(counts.sum())) + numpy.repeat(begin - ends + counts, counts)
    return taken(into, edges), which


def play_to(graph: ShardedGraph, name: int) -> list[tuple[int, ...]]:
    """The keys of the positions on a shortest play from the root to the position of a name, while its edges have not
    been sorted: the first edge that is kept of those to a position is one by which it has been found."""
    shards, keys = graph.shards, list[tuple[int, ...]]()
    while True:
        shard, place = name >> 32, name & PLACES - 1
        (key,) = shards.read(shard, "keys", (numpy.uint64, (graph.width,)), place, 1)
        keys.append(tuple(map(int, key)))
        if keys[-1] == graph.root:
            return keys[::-1]
        for edges in shards.blocks(shard, "edges", graph.edge_kind, 1 << 16):
            found = edges["source"][edges["place"] == place]
            if len(found):
                name = int(found[0])
                break
