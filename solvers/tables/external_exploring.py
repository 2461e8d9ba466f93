"""Finding all positions of a game in external memory: breadth first, in shards on disk.

An edge is posted to the shard of the position to which it leads: ``key, source``. In a round each shard sorts its mail
by keys, strikes out what comes twice, and looks up what is left in its *index*, runs of sorted keys with their places.
What is not there is new: it gets the next places, and is a new run of the index. A run is merged with the one before it
unless that is longer, so that there are no more than the logarithm of their lengths (O'Neil et al., "The log-structured
merge-tree", 1996). Now both ends of each edge have a name, and it is kept with the shard to which it leads: what is
known of a position is told to those before it later. Then the moves of the new positions are made, and posted.

A position is *decided* if a move ends the play at once, and pays those to move the most that any play can pay. Nothing
behind its other moves matters then: what is found by them is found, but they are not kept as edges
(:mod:`zermelo.solvers.kernels.exploration` has the proof).

What a shard has in the end:

=========  ===========================================================================================
``keys``   the keys of its positions, by their places
``actors`` who acts there
``opens``  how many edges lead from there to positions, 0 if it is decided
``firsts`` for each place, where the edges that lead there begin among the
``into``   edges into its positions: the source of each, with a mark if the players change places behind it, what is
           earned and the weight
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

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Final

import numpy
from attrs import asdict, define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import Executor, Kernels, Outgrown
from zermelo.interpreter.native.running.machine import LoweredMachine, machine_over
from zermelo.interpreter.native.running.views import BeyondLimits, RuleError
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.tables.dataset import Key
from zermelo.solvers.tables.expanding import Expander, Faulty, Moves
from zermelo.solvers.tables.keys import key_source, sortable, sortable_kind, words_of
from zermelo.solvers.tables.rounds import Shards
from zermelo.solvers.tables.shards import PLACES, Shard, ShardFiles, joined, names_of, owners, taken

Array = numpy.ndarray[Any, Any]

EXCHANGED: Final = numpy.uint64(63)
"""The bit of the name of a source that says that the players have changed places behind the edge."""

NOBODY: Final = numpy.uint64((1 << 64) - 1)
"""The name of the source of an edge that is not kept."""

SHARD_BYTES: Final = 200
"""The bytes for each position of the shard at hand, with its edges, while these are sorted."""


def in_memory_only(why: str) -> ZermeloError:
    """The error for a game whose table is made in memory alone."""
    return ZermeloError(
        "no-table",
        f"the table of this game cannot be made on disk: {why}",
        "in memory it can, without --resume, --workers and --cluster, if --memory is enough; "
        "`zermelo table build --after MOVES` makes a smaller table",
    )


# What is known of the graph.


@define(eq=False)
class Payments:
    """What is known of what ends and moves pay, from all edges so far: the ``most`` that anybody gets; whether all
    players are paid ``alike``; the ``sums`` of what ends pay, the least and the greatest; the ``largest_sum`` that is
    not 0, or else 0; and whether what moves earn ``sums_to_0``."""

    most: int = 0
    alike: bool = True
    sums: list[int] = field(factory=list)
    largest_sum: int = 0
    sums_to_0: bool = True

    def add(self, other: Payments) -> None:
        """Take note of what others pay."""
        self.most = max(self.most, other.most)
        self.alike &= other.alike
        both = {*self.sums, *other.sums}
        self.sums = sorted({min(both), max(both)}) if both else []
        self.largest_sum = max((each for each in (self.largest_sum, other.largest_sum) if each), default=0)
        self.sums_to_0 &= other.sums_to_0

    @classmethod
    def of(cls, ends: Array, moves: Array) -> Payments:
        """What some ends and some moves pay the players."""
        most = max(int(abs(paid).max(initial=0)) for paid in (ends, moves))
        alike = all(bool((paid == paid[:, :1]).all()) for paid in (ends, moves))
        sums = ends.sum(axis=1)
        other, least = sums[sums != 0], sorted({int(sums.min()), int(sums.max())}) if len(sums) else []
        return cls(most, alike, least, int(other.max()) if len(other) else 0, not moves.sum(axis=1).any())


@frozen
class GraphKinds:
    """The types of the records of a graph whose keys have ``width`` words: edges have what is earned where the rules
    have earnings, and weights where something may be left to chance. What is paid is what the first player gets, or, if
    these ``players`` are not None, what each of so many gets; then the place of each edge among those of its source is
    known, too, its ``move``."""

    width: int
    may_earn: bool
    may_draw: bool
    players: int | None = None

    @property
    def paid(self) -> Any:
        """The type of what is paid."""
        return numpy.dtype("int64" if self.players is None else ("int64", (self.players,)))

    @property
    def words(self) -> Any:
        """The type of the words of a key."""
        return numpy.dtype((numpy.uint64, (self.width,)))

    @property
    def key(self) -> Any:
        """The type of a key that is sortable."""
        return sortable_kind(self.width)

    @property
    def new(self) -> Any:
        """The type of a position that has been found in a round."""
        return self._record(("key", self.key), ("actor", "int8"))

    @property
    def index(self) -> Any:
        return self._record(("key", self.key), ("place", "uint32"))

    @property
    def into(self) -> Any:
        """The type of an edge, without the position to which it leads."""
        return self._record(("source", "uint64"), *self._paying)

    @property
    def edge(self) -> Any:
        return self._record(("place", "uint32"), ("source", "uint64"), *self._paying)

    @property
    def end(self) -> Any:
        return self._record(("place", "uint32"), ("paid", self.paid), *self._weighed)

    @property
    def mail(self) -> Any:
        return self._record(("key", self.key), ("actor", "int8"), ("source", "uint64"), *self._paying)

    @property
    def _paying(self) -> list[tuple[str, Any]]:
        return [("paid", self.paid)] * self.may_earn + self._weighed

    @property
    def _weighed(self) -> list[tuple[str, Any]]:
        return [("weight", "int64")] * self.may_draw + [("move", "uint32")] * (self.players is not None)

    def _record(self, *fields: tuple[str, Any]) -> Any:
        return numpy.dtype(list(fields))


@define(eq=False)
class ShardedGraph:
    """The positions of a game in shards, with the edges between them. ``roots`` are the keys of those with which it
    begins. ``found[shard]`` is the number of those that have been found. ``decisive`` is what the first player gets by
    a decisive move of each player, empty if that does not matter."""

    machine: LoweredMachine
    images: Images | None
    shards: Shards
    kinds: GraphKinds
    roots: Sequence[Key]
    decisive: tuple[int, ...]
    found: list[int] = field(init=False)
    draws: bool = False
    payments: Payments = field(factory=Payments)

    def __attrs_post_init__(self) -> None:
        self.found = [0] * self.shards.count

    @property
    def positions(self) -> int:
        """How many have been found."""
        return sum(self.found)

    @property
    def fractions(self) -> bool:
        """Whether values are fractions of what is paid."""
        return self.draws or self.machine.discount != 1

    @property
    def endless(self) -> Sequence[Fraction] | None:
        """What an endless play pays; None if that is not known. Where later payoffs count less it vanishes."""
        return None if self.machine.discount != 1 else self.machine.endless()

    @property
    def is_common(self) -> bool:
        """Whether all players get the same."""
        return self.payments.alike and (self.endless is None or len(set(self.endless)) == 1)

    @property
    def sums(self) -> set[Fraction]:
        """What two players get together where plays end, and in endless plays, as far as it is known."""
        found = {Fraction(total, self.machine.program.denominator) for total in self.payments.sums}
        return found if self.endless is None else found | {sum(self.endless, Fraction(0))}

    @property
    def may_be_contest(self) -> bool:
        """Whether one number may say what all players get, as in
        :func:`~zermelo.solvers.positions.graph.graph.contest_of`."""
        is_opposed = len(self.machine.player_names) == 2 and len(self.sums) <= 1 and self.payments.sums_to_0
        return self.is_common or (is_opposed and (self.machine.discount == 1 or not any(self.sums)))


# Making moves, in any process.


@define(eq=False)
class MoveMaker:
    """Makes the moves of positions by the lowered rules, first in Python, if the work may be small, as an
    :class:`Expander` does with what is ``decisive``. A pickle has the program; machine code comes from the cache of the
    computer where it is used."""

    program: Program
    images: Images | None
    compiles_after: int | None
    begins_in_python: bool
    decisive: Sequence[int] = ()
    _machine: LoweredMachine | None = None
    _expander: Expander | None = None

    @classmethod
    def of(cls, machine: LoweredMachine, images: Images | None, decisive: Sequence[int] = ()) -> MoveMaker:
        return cls(machine.program, images, machine.executor.compiles_after, machine.begins_in_python, decisive)

    def __reduce__(self) -> tuple[Any, ...]:
        return MoveMaker, (self.program, self.images, self.compiles_after, self.begins_in_python, self.decisive)

    @property
    def machine(self) -> LoweredMachine:
        """A machine of its own, on which rules may be found faulty without any consequence elsewhere."""
        if self._machine is None:
            executor = Executor(self.program, self.compiles_after)
            self._machine = machine_over(self.program, executor, self.begins_in_python)
        return self._machine

    def compile(self) -> None:
        """Have the machine code in the cache, if there is to be any."""
        self._begin(self.machine.load(key_source(self.images, expand)))

    def moves(self, words: Array, actors: Array) -> Iterator[Moves]:
        """As :meth:`Expander.moves`."""
        source, done = key_source(self.images, expand), 0
        while done < len(words):
            expander = self._expander or self._begin(self.machine.begin(source))
            first = done
            try:
                for made in expander.moves(words[first:], actors[first:]):
                    made.first += first
                    yield made
                    done = made.first + made.count
            except Outgrown:
                self._begin(self.machine.hurry(source))
            except Faulty as fault:
                raise Faulty(first + fault.place, fault.error) from fault

    def _begin(self, kernels: Kernels) -> Expander:
        self._expander = Expander(self.machine, kernels, self.decisive)
        return self._expander


class FaultyRules(Exception):
    """The moves of the position of this ``name`` cannot be made, because of an ``error`` of the rules."""

    def __init__(self, name: int, error: RuleError) -> None:
        super().__init__(f"position {name}")
        self.name = name
        self.error = error


class TooFewShards(Exception):
    """A shard has more positions than it is to have as long as there are few of them."""


class SeveralNumbers(Exception):
    """More than one number counts: what one player gets does not say what the others get."""


# A round in a shard.


@frozen
class Advance:
    """Take the mail of a round into a shard, new positions and edges, and make the moves of the new positions. Given is
    how many have been ``found``, and the ``runs`` of the index, each with its name and its length; that is what it
    returns, with what is paid, whether chance draws, and the place and the site of an error of the rules. Mail
    ``is_root`` if it names the positions with which all begins; ``decisive`` is as in :class:`ShardedGraph`. If there
    are more than ``most`` positions it returns None."""

    kinds: GraphKinds
    is_root: bool
    decisive: tuple[int, ...]
    most: float

    def __call__(self, shard: Shard, given: Sequence[Any]) -> Any:
        first, runs = given
        found, new = first, list[Array]()
        for mail in shard.mail(self.kinds.mail, self._most_mail(shard)):
            needed = SHARD_BYTES * found
            if found > self.most or (self.most < inf and needed > shard.desk.limits.free):
                return None
            shard.desk.limits.require(needed, f"the largest of {shard.count} parts of all positions")
            new.append(self._merge(shard, found, runs, mail))
            found += len(new[-1])
        return {"found": found, "runs": runs, **self._expand(shard, first, joined(new, self.kinds.new))}

    def _most_mail(self, shard: Shard) -> int:
        """The records of mail that are read at a time."""
        size: int = self.kinds.mail.itemsize
        return max(1 << 8, shard.desk.limits.memory // 32 // size)

    def _merge(self, shard: Shard, found: int, runs: list[list[int]], mail: Array) -> Array:
        """Take mail into a shard in which so many positions have been found; the new ones."""
        mail = taken(mail, numpy.argsort(mail["key"]))
        keys = mail["key"]
        is_first = numpy.ones(len(mail), bool)
        is_first[1:] = keys[1:] != keys[:-1]
        firsts = numpy.flatnonzero(is_first)
        own = self._look_up(shard, runs, keys[firsts])
        is_new = own < 0
        count = int(is_new.sum())
        own[is_new] = found + numpy.arange(count)
        new = numpy.empty(count, self.kinds.index)
        new["key"], new["place"] = keys[firsts][is_new], own[is_new]
        some = numpy.empty(count, self.kinds.new)
        some["key"], some["actor"] = new["key"], mail["actor"][firsts][is_new]
        if count:
            shard.append("keys", words_of(some["key"], self.kinds.width))
            shard.append("actors", some["actor"])
            self._enter(shard, runs, new, found)
        if not self.is_root:
            is_kept = mail["source"] != NOBODY
            edges = numpy.empty(int(is_kept.sum()), self.kinds.edge)
            edges["place"] = own[numpy.cumsum(is_first) - 1][is_kept]
            for name in self.kinds.into.names:
                edges[name] = mail[name][is_kept]
            shard.append("edges", edges)
        return some

    def _look_up(self, shard: Shard, runs: Sequence[Sequence[int]], keys: Array) -> Array:
        """The places of sorted keys in a shard, -1 where there is none."""
        own = numpy.full(len(keys), -1, "int64")
        for name, _ in runs:
            index = shard.open(f"index{name}", self.kinds.index)
            there = numpy.minimum(numpy.searchsorted(index["key"], keys), len(index) - 1)
            is_there = index["key"][there] == keys
            own[is_there] = index["place"][there[is_there]]
        return own

    def _enter(self, shard: Shard, runs: list[list[int]], new: Array, name: int) -> None:
        """Enter sorted keys with their places into the index of a shard, as a run of a new name. Runs are merged that
        are not longer than what comes behind them, so that there are few, and each key is merged a few times."""
        while runs and len(new) >= runs[-1][1]:
            before, _ = runs.pop()
            new = joined([shard.read(f"index{before}", new.dtype), new], new.dtype)
            new = taken(new, numpy.argsort(new["key"]))
            shard.discard(f"index{before}")
        shard.write(f"index{name}", new)
        runs.append([name, len(new)])

    def _expand(self, shard: Shard, first: int, new: Array) -> dict[str, Any]:
        """Make the moves of the positions of a shard from a place on."""
        words, actors = words_of(new["key"], self.kinds.width), numpy.ascontiguousarray(new["actor"])
        payments, fault = Payments(), None
        try:
            for made in shard.desk.tool.moves(words, actors):
                payments.add(self._post(shard, first, made, actors[made.first : made.first + made.count]))
                shard.desk.pause()
        except Faulty as error:
            fault = [first + error.place, error.error.site]
        except BeyondLimits as error:
            assert isinstance(error.__cause__, RuleError), "machine code has met a limit"
            fault = [first, error.__cause__.site]
        return {"draws": bool((actors == CHANCE).any()), "payments": asdict(payments), "fault": fault}

    def _post(self, shard: Shard, first: int, made: Moves, actors: Array) -> Payments:
        """Write and post edges of positions in which these ``actors`` act; what they pay."""
        places, is_end = first + made.first + made.sources, made.kinds == END
        inner, is_decided = ~is_end, self._decided(made, actors)
        ends = numpy.empty(int(is_end.sum()), self.kinds.end)
        mail = numpy.empty(len(is_end) - len(ends), self.kinds.mail)
        ends["place"] = places[is_end]
        mail["key"], mail["actor"] = sortable(made.targets[inner]), made.kinds[inner]
        sources = names_of(shard.number, places[inner]) | made.exchanged[inner].astype("uint64") << EXCHANGED
        mail["source"] = numpy.where(is_decided[made.sources[inner]], NOBODY, sources)
        paid = made.paid[:, 0] if self.kinds.players is None else made.paid
        moves = numpy.arange(len(is_end)) - made.firsts[made.sources]
        weights = made.weights * (actors[made.sources] == CHANCE)
        for records, chosen in ((ends, is_end), (mail, inner)):
            for name, numbers in (("paid", paid), ("weight", weights), ("move", moves)):
                if name in (records.dtype.names or ()):
                    records[name] = numbers[chosen]
        opens = numpy.where(is_decided, 0, numpy.bincount(made.sources[inner], minlength=made.count))
        shard.append("opens", opens.astype("uint32"))
        shard.append("ends", ends)
        shard.post(owners(made.targets[inner], shard.count), mail)
        return Payments.of(made.paid[is_end], made.paid[inner])

    def _decided(self, made: Moves, actors: Array) -> Array:
        """Which positions are decided by a move that ends the play and pays those to move the most."""
        return made.decided(actors, self.decisive) if self.decisive else numpy.zeros(made.count, bool)


@frozen
class PostRoots:
    """Post the positions with which all begins, in which these ``actors`` act."""

    kinds: GraphKinds
    roots: Sequence[Key]
    actors: Sequence[int]

    def __call__(self, shard: Shard, given: None) -> None:
        first, words = numpy.zeros(len(self.roots), self.kinds.mail), numpy.array(self.roots, "uint64")
        first["key"], first["actor"] = sortable(words), self.actors
        shard.post(owners(words, shard.count), first)


@frozen
class SortEdges:
    """Sort the edges of a shard by the places to which they lead, when all have been found. Given is how many positions
    have been found, and the runs of the index."""

    kinds: GraphKinds

    def __call__(self, shard: Shard, given: Sequence[Any]) -> None:
        found, runs = given
        edges = shard.read("edges", self.kinds.edge)
        counts = numpy.bincount(edges["place"], minlength=found)
        into = numpy.empty(len(edges), self.kinds.into)
        for name in self.kinds.into.names:
            into[name] = edges[name]
        into = taken(into, numpy.argsort(edges["place"]))
        shard.write("into", into)
        shard.write("firsts", numpy.concatenate([[0], numpy.cumsum(counts)]).astype("int64"))
        shard.discard("edges", *(f"index{name}" for name, _ in runs))


# All rounds.


def explore(graph: ShardedGraph, actors: Sequence[int], limits: Limits, progress: Progress, most: float) -> None:
    """Find all positions behind the roots, in which these ``actors`` act, and sort their edges. Raises
    :class:`TooFewShards` if one has more than ``most`` positions, :class:`FaultyRules`, :class:`SeveralNumbers`, and
    ``ZermeloError`` (``out-of-time``, ``out-of-memory``, ``unwritable-file``)."""
    shards, runs = graph.shards, [list[Any]() for _ in graph.found]
    shards.map(PostRoots(graph.kinds, graph.roots, actors), {0: None})
    is_root = True
    while reached := shards.exchange():
        given = {shard: [graph.found[shard], runs[shard]] for shard in reached}
        for shard, found in shards.map(Advance(graph.kinds, is_root, graph.decisive, most), given).items():
            if found is None:
                raise TooFewShards
            if found["fault"] is not None:
                place, site = found["fault"]
                raise FaultyRules(shard << 32 | place, RuleError(site))
            graph.found[shard], runs[shard] = found["found"], found["runs"]
            graph.draws |= found["draws"]
            graph.payments.add(Payments(**found["payments"]))
        if graph.kinds.players is None and not graph.may_be_contest:
            raise SeveralNumbers
        shards.checkpoint()
        is_root = False
        progress(graph.positions)
        limits.check({"nodes": graph.positions})
    shards.map(SortEdges(graph.kinds), {shard: [graph.found[shard], runs[shard]] for shard in shards.numbers})
    shards.checkpoint()


# Asking the graph.


def sources_of(kinds: GraphKinds, shard: ShardFiles, places: Array) -> tuple[Array, Array]:
    """The edges that lead to some positions of a shard, and for each the place among these to which it leads."""
    if not len(places):
        return numpy.empty(0, kinds.into), places
    firsts = shard.open("firsts", "int64")
    into = shard.open("into", kinds.into)
    begin, counts = firsts[places], firsts[places + 1] - firsts[places]
    which = numpy.repeat(numpy.arange(len(places)), counts)
    ends = numpy.cumsum(counts)
    edges = numpy.arange(int(counts.sum())) + numpy.repeat(begin - ends + counts, counts)
    return taken(into, edges), which


def play_to(graph: ShardedGraph, name: int) -> list[tuple[int, ...]]:
    """The keys of the positions on a shortest play from a root to the position of a name, while its edges have not
    been sorted: the first edge that is kept of those to a position is one by which it has been found."""
    files, keys = graph.shards.files, list[tuple[int, ...]]()
    while True:
        shard, place = files[name >> 32], name & PLACES - 1
        (key,) = shard.read("keys", graph.kinds.words, place, 1)
        keys.append(tuple(map(int, key)))
        if keys[-1] in graph.roots:
            return keys[::-1]
        for edges in shard.blocks("edges", graph.kinds.edge, 1 << 16):
            found = edges["source"][edges["place"] == place]
            if len(found):
                name = int(found[0])
                break
