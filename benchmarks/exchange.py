"""What a thousand shards would send each other while they make a table: a simulation, and what large tables cost.

``python -m benchmarks.exchange`` finds the positions of games breadth first, as a table is made on disk, in one process
and in memory, and counts for each round what would go from each shard to each other one. It prints

- for each game the positions, the moves to other positions that a position has, the rounds, the messages and their
  size, and how uneven the work is: the fullest shard beside the mean, and the same for the mail of rounds, which end
  when the last shard is done;
- how evenly keys that are made up are spread;
- what tables of 1e10 and of 1e12 positions cost, by what connect four 5x5 takes for a position.

docs/scaling.md shows and explains these figures.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy
from attrs import define, field, frozen

import zermelo
from benchmarks import ours
from benchmarks.report import markdown_row
from zermelo.interpreter.machine import END
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.tables.expanding import Expander
from zermelo.solvers.tables.keys import KeyFinder, key_source, sortable, words_of
from zermelo.solvers.tables.shards import owners

Array = numpy.ndarray[Any, Any]

SHARDS: Final = 1000

GAMES: Final[Sequence[tuple[str, Mapping[str, int], int | None]]] = (
    ("connect_four", {"rows": 4, "columns": 5}, None),
    ("three_mens_morris", {}, None),
    ("kalah", {"houses": 4, "seeds": 2}, None),
    ("dobutsu_shogi", {}, 400_000),
)
"""The games, and how many positions are found at least before it ends, None for all."""


# A game, round by round.


@define(eq=False)
class Exchange:
    """What ``shards`` send each other in the rounds of finding positions: ``sent[shard]`` positions are where; a message
    is what one shard sends another in a round, ``messages`` are so many of these with ``edges`` in all, ``busiest`` and
    ``even`` sum over rounds what the shard gets that gets most, and what it would get if all got as much."""

    shards: int
    key_words: int
    owned: Array = field(init=False)
    rounds: int = 0
    messages: int = 0
    edges: int = 0
    largest: int = 0
    busiest: int = 0
    even: float = 0

    def __attrs_post_init__(self) -> None:
        self.owned = numpy.zeros(self.shards, "int64")

    @property
    def positions(self) -> int:
        """The positions that have been found."""
        return int(self.owned.sum())

    def add(self, sent: Array) -> None:
        """Enter a round: how many edges each shard has sent to each other one, row by row."""
        got = sent.sum(axis=0)
        self.rounds += 1
        self.messages += int((sent > 0).sum())
        self.edges += int(sent.sum())
        self.largest = max(self.largest, int(sent.max()))
        self.busiest += int(got.max())
        self.even += float(got.mean())

    @property
    def unevenness(self) -> float:
        """The positions of the fullest shard, beside the mean."""
        return float(self.owned.max() / self.owned.mean())

    @property
    def waiting(self) -> float:
        """How much longer rounds take than if each shard got as much mail as the others."""
        return self.busiest / self.even


def simulate(name: str, parameters: Mapping[str, int], shards: int, least: int | None = None) -> Exchange:
    """The exchange of a game, round by round until ``least`` positions have been found, or all."""
    machine = ours.machine_of(name, **parameters)
    finder = KeyFinder.on(machine, up_to_symmetry=False)

    def work(kernels: Kernels) -> Exchange:
        found = Exchange(shards, machine.program.layout.key_words)
        expander, root = Expander(machine, kernels), machine.initial()
        words, actors = numpy.array([finder.of(root)], "uint64"), numpy.array([machine.actor(root)], "int8")
        known = sortable(words)
        while len(words):
            own = owners(words, shards).astype("int64")
            found.owned += numpy.bincount(own, minlength=shards)
            if least is not None and found.positions >= least:
                break
            sent, behind = numpy.zeros(shards * shards, "int64"), list[tuple[Array, Array]]()
            for made in expander.moves(words, actors):
                inner = made.kinds != END
                to = owners(made.targets[inner], shards)
                sent += numpy.bincount(own[made.first + made.sources[inner]] * shards + to, minlength=len(sent))
                keys, firsts = numpy.unique(sortable(made.targets[inner]), return_index=True)
                behind.append((keys, made.kinds[inner][firsts].astype("int8")))
            if sent.any():
                found.add(sent.reshape(shards, shards))
            keys, firsts = numpy.unique(numpy.concatenate([part for part, _ in behind]), return_index=True)
            places = numpy.minimum(numpy.searchsorted(known, keys), len(known) - 1)
            is_new = known[places] != keys
            words = words_of(keys[is_new], found.key_words)
            actors = numpy.concatenate([part for _, part in behind])[firsts[is_new]]
            known = numpy.sort(numpy.concatenate([known, keys[is_new]]))
        return found

    return machine.with_room(lambda: machine.run(key_source(None, expand), work))


# Keys that are made up.

KEYS: Final[Mapping[str, Callable[[int], Array]]] = {
    "numbers in a row": lambda count: numpy.arange(count, dtype="uint64")[:, None],
    "multiples of 2^40": lambda count: (numpy.arange(count, dtype="uint64") << numpy.uint64(40))[:, None],
    "with few bits": lambda count: _with_few_bits(count)[:, None],
    "of two words, the first in a row": lambda count: numpy.stack(
        [numpy.arange(count, dtype="uint64"), numpy.zeros(count, "uint64")], axis=1
    ),
    "at random": lambda count: numpy.random.default_rng(1).integers(1 << 63, size=(count, 1), dtype="uint64"),
}


def _with_few_bits(count: int) -> Array:
    """Different numbers with up to four bits of 64, as of a board with few pieces."""
    bits = numpy.arange(64, dtype="uint64")
    one = numpy.uint64(1) << bits
    two = (one[:, None] | one[None, :]).reshape(-1)
    return numpy.unique((two[:, None] | two[None, :]).reshape(-1))[:count]


def unevenness_of(keys: Array, shards: int) -> float:
    """The keys of the fullest shard, beside the mean."""
    found = numpy.bincount(owners(keys, shards), minlength=shards)
    return float(found.max() / found.mean())


# What large tables cost.


@frozen
class Costs:
    """What a table costs for each position, and each of its ``edges``: moves to other positions. ``scratch`` and
    ``scratch_edge`` are bytes on disk while it is made, ``wire`` bytes an edge in messages, ``kept`` bytes of the table;
    ``rate`` is positions a second and core, solved and written, and ``memory`` bytes of a shard's memory."""

    edges: float
    scratch: float = 60
    scratch_edge: float = 20
    wire: float = 29
    kept: float = 2
    rate: float = 500_000
    memory: float = 200
    rounds: int = 100


@frozen
class Cluster:
    """Machines, with their ``cores``, ``memory`` and ``network`` in bytes and bytes a second."""

    cores: int = 32
    memory: float = 128e9
    network: float = 1.25e9
    disk: float = 4e12
    disk_rate: float = 1e9


def priced(positions: float, costs: Costs, shards: int, cluster: Cluster) -> dict[str, str]:
    """What a table of so many positions costs."""
    edges = positions * costs.edges
    scratch = positions * costs.scratch + edges * costs.scratch_edge
    machines = max(1, -(-scratch // cluster.disk))
    busy = positions / costs.rate / (machines * cluster.cores)
    wire = edges * costs.wire
    sending = wire / (machines * cluster.network)
    moving = 3 * scratch / (machines * cluster.disk_rate)
    message = wire / (2 * costs.rounds * shards * shards)
    return {
        "positions": f"{positions:.0e}",
        "edges": f"{edges:.1e}",
        "kept": _bytes(positions * costs.kept),
        "scratch": _bytes(scratch),
        "wire": _bytes(wire),
        "machines": f"{machines:,.0f}",
        "hours of cores": f"{busy / 3600:.1f}",
        "hours of the network": f"{sending / 3600:.1f}",
        "hours of disks": f"{moving / 3600:.1f}",
        "least shards": f"{-(-positions * costs.memory // (cluster.memory / cluster.cores)):,.0f}",
        "a message": _bytes(message),
    }


def _bytes(count: float) -> str:
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} B"
