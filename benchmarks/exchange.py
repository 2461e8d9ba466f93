"""What a thousand shards would send each other while they make a table: a simulation, and what large tables cost.

``python -m benchmarks.exchange`` finds the positions of games breadth first, as a table is made on disk, in one process
and in memory, and counts for each round what would go from each shard to each other one. It prints

- for each game the positions, the moves to other positions that a position has, the rounds, the messages and their
  size, and how uneven the work is: the fullest shard beside the mean, and the same for the mail of rounds, which end
  when the last shard is done;
- how evenly keys that are made up are spread;
- what tables of 1e10 and of 1e12 positions cost, by what connect four takes for a position.

docs/scaling.md shows and explains these figures.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, Final

import numpy
from attrs import define, field, frozen

from benchmarks import ours
from benchmarks.report import markdown_row
from zermelo.interpreter.machine import END
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.solvers.kernels.expansion import expand
from zermelo.solvers.tables.dataset import GROUP_ROWS
from zermelo.solvers.tables.expanding import Expander
from zermelo.solvers.tables.keys import KeyFinder, key_source, sortable, words_of
from zermelo.solvers.tables.shards import owners

Array = numpy.ndarray[Any, Any]

SHARDS: Final = 1000

_KEYS: Final = 1_000_000
"""How many keys are made up."""

GAMES: Final[Sequence[tuple[str, Mapping[str, int], int | None]]] = (
    ("connect_four", {"rows": 4, "columns": 5}, None),
    ("othello", {"size": 4}, None),
    ("kalah", {"pits": 4, "seeds": 2}, None),
    ("dobutsu_shogi", {}, 1_000_000),
)
"""The games, and how many positions are found at least before it ends, None for all."""


# A game, round by round.


@define(eq=False)
class Exchange:
    """What ``shards`` send each other in the ``rounds`` of finding positions. Shard k owns ``owned[k]`` positions. Of
    ``explored`` positions the moves have been made. A message is what one shard sends another in a round; there are
    ``messages``, with ``edges`` in all, and as many as ``largest`` in one. Summed over rounds are what the shard gets
    that gets most, ``busiest``, and what each would get if all got as much, ``even``."""

    shards: int
    owned: Array = field(init=False)
    explored: int = 0
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
    finder = KeyFinder.on(machine, symmetries=1)

    def work(kernels: Kernels) -> Exchange:
        found = Exchange(shards)
        expander, root = Expander(machine, kernels), machine.initial()
        words, actors = numpy.array([finder.of(root)], "uint64"), numpy.array([machine.actor(root)], "int8")
        known = sortable(words)
        while len(words):
            own = owners(words, shards).astype("int64")
            found.owned += numpy.bincount(own, minlength=shards)
            if least is not None and found.positions >= least:
                break
            found.explored += len(words)
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
            words = words_of(keys[is_new], machine.program.layout.key_words)
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
    """Different numbers with up to five bits of 64, as of a board with few pieces."""
    bits = numpy.random.default_rng(1).integers(64, size=(2 * count, 5), dtype="uint64")
    return numpy.unique(numpy.bitwise_or.reduce(numpy.uint64(1) << bits, axis=1))[:count]


def unevenness_of(keys: Array, shards: int) -> float:
    """The keys of the fullest shard, beside the mean."""
    found = numpy.bincount(owners(keys, shards), minlength=shards)
    return float(found.max() / found.mean())


# What large tables cost.


@frozen
class Costs:
    """What a table costs whose keys have one word and whose values are few, in bytes for each position and for each
    edge, a move to another position; and the seconds of a core."""

    kept: float = 2
    """In the files of the table, for a position: connect four 5x5."""

    on_disk: tuple[float, float] = (42, 15)
    """While it is made, at most; for a position and an edge: connect four 4x5."""

    written: tuple[float, float] = (115, 49)
    """Written to disk in all, and read again."""

    sent: float = 29
    """For an edge: 17 bytes where it leads when it is found, and 12 back when the position behind it is settled."""

    in_memory: float = 200
    """Of the shard at hand, for a position."""

    seconds: float = 0.93e-6
    """Of a core, for an edge, with 64 shards: connect four 4x5, 2.3 microseconds a position."""

    shard_seconds: float = 1.3e-3
    """Of a core, for each round of each shard: connect four 4x5 with 1,000 shards."""


@frozen
class Machine:
    """A machine of a cluster: cores, bytes, and bytes a second."""

    cores: int = 32
    memory: float = 128e9
    disk: float = 4e12
    disk_rate: float = 1e9
    network_rate: float = 1.25e9


def price(positions: float, edges: float, rounds: int, costs: Costs, machine: Machine) -> dict[str, str]:
    """What a table of so many ``positions`` with so many ``edges`` each costs, in so many ``rounds`` of finding and of
    solving. Half of each disk is used, and half of the memory, a part for each core."""
    on_disk, written = (positions * (each + edges * edge) for each, edge in (costs.on_disk, costs.written))
    sent = positions * edges * costs.sent
    machines = ceil(2 * on_disk / machine.disk)
    shards = ceil(positions * costs.in_memory / (machine.memory / 2 / machine.cores))
    busy = positions * edges * costs.seconds + rounds * shards * costs.shard_seconds
    return {
        "positions": f"{positions:.0e}",
        "moves that a position has to others": f"{edges:g}",
        "rounds": f"{rounds:,}",
        "the table": _bytes(positions * costs.kept),
        "on disk while it is made": _bytes(on_disk),
        "written to disk, and read": _bytes(written),
        "sent": _bytes(sent),
        "machines": f"{machines:,}",
        "hours of all cores": _hours(busy / (machines * machine.cores)),
        "hours of all disks": _hours(2 * written / (machines * machine.disk_rate)),
        "hours of all networks": _hours(0 if machines == 1 else sent / (machines * machine.network_rate)),
        "shards": f"{shards:,}",
        "messages a round, between shards": f"{shards * shards:.1e}",
        "bytes a message, between shards": _bytes(sent / rounds / shards**2),
        "messages a round, from processes to shards": f"{machines * machine.cores * shards:.1e}",
        "bytes a message, from a process to a shard": _bytes(sent / rounds / (machines * machine.cores * shards)),
        "bytes a message, between machines": "" if machines == 1 else _bytes(sent / rounds / machines**2),
        "files while it is made": f"{10 * shards:,}",
        "row groups of the table": f"{ceil(positions / GROUP_ROWS):,}",
    }


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.2g}"


def _bytes(count: float) -> str:
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= size:
            return f"{count / size:.2g} {unit}" if count < 100 * size else f"{count / size:.0f} {unit}"
    return f"{count:.2g} B"


PRICED: Final[Sequence[tuple[float, float, int]]] = (
    (1e10, 2.5, 100),
    (1e10, 10, 300),
    (1e12, 2.5, 100),
    (1e12, 10, 300),
)
"""Positions, edges of each, and rounds: as of connect four, and as of a game with more moves, in circles."""


# All of it, as tables in Markdown.


def exchange_table(shards: int) -> list[str]:
    """What the shards of each game send each other."""
    heads = ("game", "positions", "edges", "rounds", "messages a round", "edges a message", "fullest shard", "waiting")
    lines = [markdown_row(heads), markdown_row(["---"] * len(heads))]
    for name, parameters, least in GAMES:
        found = simulate(name, parameters, shards, least)
        told = ", ".join([name, *(f"{key} = {value}" for key, value in parameters.items())])
        cells = (
            told if least is None else f"{told}, its first rounds",
            f"{found.positions:,}",
            f"{found.edges / found.explored:.2f}",
            f"{found.rounds}",
            f"{found.messages / found.rounds:,.0f}",
            f"{found.edges / found.messages:.1f}, at most {found.largest:,}",
            f"{found.unevenness:.2f} x",
            f"{found.waiting:.2f} x",
        )
        lines.append(markdown_row(cells))
    return lines


def keys_table(count: int, shards: int) -> list[str]:
    """How evenly keys are spread."""
    lines = [markdown_row(("keys", "fullest shard")), markdown_row(["---"] * 2)]
    return lines + [markdown_row((told, f"{unevenness_of(keys(count), shards):.2f} x")) for told, keys in KEYS.items()]


def price_table() -> list[str]:
    """What large tables cost."""
    columns = [price(*each, Costs(), Machine()) for each in PRICED]
    heads, *rows = [(name, *(column[name] for column in columns)) for name in columns[0]]
    return [markdown_row(heads), markdown_row(["---"] * len(heads)), *map(markdown_row, rows)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all tables; 0."""
    parser = ArgumentParser("python -m benchmarks.exchange", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shards", type=int, default=SHARDS, help=f"how many there are (default: {SHARDS:,})")
    shards = parser.parse_args(arguments).shards
    for lines in (exchange_table(shards), keys_table(_KEYS, shards), price_table()):
        print(*lines, "", sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
