"""Shards: the files of one part of all positions, and the work that is done on it.

A position belongs to a shard by a hash of its key, and has a number there, its *place*. So where its key, what is known
of it and what is told about it lie is a matter of its shard alone: an algorithm works in rounds, in each of which it
maps a *job* over shards (:mod:`.rounds`). A job is a function of one shard, with its mail, and of what it is given: it
changes the files of this shard alone, posts mail to others, which get it in a later round, and returns some small
counts. Only the shard at hand is in memory, beside mail that has not been written yet. (In the end jobs read the rows
of all shards, a part at a time, where nobody changes them any more.) Which process does a job is of no importance; each
has a :class:`Desk` at which it does its jobs one after another.

Arrays of records are files that hold these as they are in memory. So that a round can be undone, they are changed in
three ways only. A file is *written* once, as a whole; or records are *appended* to it; or records are *changed* in
their places, and the old ones are written down before, in a file of their own. A file that is no longer needed is gone
when the round is over.
"""

from __future__ import annotations

import shutil
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy
from attrs import define, field, frozen

from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits

Array = numpy.ndarray[Any, Any]

PLACES: Final = 1 << 32
"""The most positions of a shard."""

_SPARE: Final = 1 << 26
"""The bytes of the disk that are left free, at least."""


def owners(words: Array, count: int) -> Array:
    """The shards of some keys."""
    mixed = numpy.zeros(len(words), "uint64")
    for k in range(words.shape[1]):
        mixed = (mixed ^ words[:, k]) * numpy.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> numpy.uint64(29)
    return ((mixed >> numpy.uint64(32)) * numpy.uint64(count) >> numpy.uint64(32)).astype("uint16")


# The files of a shard, to be read.


@define(eq=False)
class ShardFiles:
    """The files of the shard of a ``number`` in a folder."""

    folder: Path
    number: int

    def file_name(self, name: str) -> str:
        return f"{self.number:03}.{name}"

    def path(self, name: str) -> Path:
        """A file of the shard."""
        return self.folder / self.file_name(name)

    def length(self, name: str, kind: Any) -> int:
        """The number of records in a file."""
        path = self.path(name)
        return path.stat().st_size // numpy.dtype(kind).itemsize if path.exists() else 0

    def read(self, name: str, kind: Any, first: int = 0, count: int = -1) -> Array:
        """Records of a file, from the first one on."""
        path = self.path(name)
        if not path.exists():
            return numpy.empty(0, kind)
        return numpy.fromfile(path, kind, count, offset=first * numpy.dtype(kind).itemsize)

    def blocks(self, name: str, kind: Any, size: int, among: range | None = None) -> Iterator[Array]:
        """The records of a file, or those in some places, so many at a time."""
        among = range(self.length(name, kind)) if among is None else among
        for first in among[::size]:
            yield self.read(name, kind, first, min(size, among.stop - first))

    def open(self, name: str, kind: Any) -> Array:
        """The records of a file, of which those that are looked at are read."""
        if not self.length(name, kind):
            return numpy.empty(0, kind)
        there: Array = numpy.memmap(self.path(name), kind, "r")
        return there


# Jobs, and where they are done.


Job = Callable[["Shard", Any], Any]
"""Work on a shard, by what it is given; what it returns is plain data, as JSON has it."""


Parcel = tuple[str, int, int]
"""A part of a file of mail: the name of the file, where the part begins, and how many bytes it has."""


@frozen(eq=False)
class MapStep:
    """A ``job`` for some of ``count`` shards, each with what it is ``given`` and with its ``mail``. It has a
    ``number``, and can be undone up to the ``checkpoint`` of another one."""

    count: int
    number: int
    checkpoint: int
    job: Job
    given: Mapping[int, Any]
    mail: Mapping[int, Sequence[Parcel]]

    def of(self, shards: Iterable[int]) -> MapStep:
        """The part for some of the shards."""
        chosen = [shard for shard in shards if shard in self.given]
        mail = {shard: self.mail[shard] for shard in chosen if shard in self.mail}
        given = {shard: self.given[shard] for shard in chosen}
        return MapStep(self.count, self.number, self.checkpoint, self.job, given, mail)


@define(eq=False)
class Report:
    """What has been done: the ``results`` of a job for the shards, the length in bytes of each of the ``files`` that
    are longer or new now, the names of those that are ``discarded``, and what has been ``posted`` to shards."""

    results: dict[int, Any] = field(factory=dict)
    files: dict[str, int] = field(factory=dict)
    discarded: list[str] = field(factory=list)
    posted: dict[int, list[Parcel]] = field(factory=dict)

    def add(self, other: Report) -> None:
        """Add what has been done elsewhere."""
        self.results |= other.results
        self.files |= other.files
        self.discarded += other.discarded
        for shard, parcels in other.posted.items():
            self.posted[shard] = self.posted.get(shard, []) + parcels


@define(eq=False)
class Desk:
    """Where a process does its jobs: the one of a ``number``, on shards in a folder. An eighth of the memory is for
    mail that waits to be written. ``tool`` is what jobs need beside files, and ``pause`` is called by them now and
    then."""

    folder: Path
    number: int
    limits: Limits
    pause: Callable[[], None] = lambda: None
    tool: Any = None
    _waiting: dict[int, list[Array]] = field(factory=dict)
    _bytes: int = 0
    _report: Report = field(factory=Report)

    def work(self, step: MapStep) -> Report:
        """Do the jobs of a step."""
        self._waiting, self._bytes, self._report = {}, 0, Report()
        for number, given in step.given.items():
            self._report.results[number] = step.job(Shard(self.folder, number, self, step, self._report), given)
        self._write(step)
        return self._report

    def post(self, step: MapStep, to: Array, records: Array) -> None:
        """Post records to shards."""
        order = numpy.argsort(to, kind="stable")
        records, found = taken(records, order), numpy.bincount(to, minlength=step.count)
        ends = numpy.cumsum(found)
        for shard in numpy.flatnonzero(found):
            self._waiting.setdefault(int(shard), []).append(records[ends[shard] - found[shard] : ends[shard]])
        self._bytes += records.nbytes
        if self._bytes > self.limits.memory // 8:
            self._write(step)

    def _write(self, step: MapStep) -> None:
        """Write the mail that waits: one file has that of all shards, since it takes long to make a file."""
        if not self._waiting:
            return
        self.check_disk(self._bytes)
        name, parts = f"mail.{step.number}.{self.number}", sorted(self._waiting.items())
        kind = parts[0][1][0].dtype
        first = self._report.files.get(name, 0)
        end = append(self.folder / name, joined([part for _, some in parts for part in some], kind))
        self._report.files[name] = end
        for shard, some in parts:
            size = sum(part.nbytes for part in some)
            self._report.posted.setdefault(shard, []).append((name, first, size))
            first += size
        self._waiting, self._bytes = {}, 0

    def check_disk(self, needed: int) -> None:
        """Raise ``ZermeloError`` (``unwritable-file``) if so many bytes are not free."""
        free = shutil.disk_usage(self.folder).free
        if needed + _SPARE > free:
            raise ZermeloError(
                "unwritable-file",
                f"the disk of {self.folder.parent} is full: {format_bytes(free)} are free",
                "a table takes some 60 bytes a position while it is made, beside its folder; --memory allows more in "
                "memory",
            )


@define(eq=False)
class Shard(ShardFiles):
    """A shard with its mail, on which a job of a step is done at a ``desk``."""

    desk: Desk
    _step: MapStep
    _report: Report

    @property
    def count(self) -> int:
        """How many shards there are."""
        return self._step.count

    def append(self, name: str, records: Array) -> None:
        """Write records behind those of a file."""
        self._report.files[self.file_name(name)] = append(self.path(name), records)

    def write(self, name: str, records: Array) -> None:
        """Write a file that is not there."""
        self.desk.check_disk(records.nbytes)
        self.append(name, records)

    def note(self, path: Path) -> None:
        """Take note of a file that has been written in another way."""
        self._report.files[path.name] = path.stat().st_size

    def change(self, name: str, places: Array, records: Array) -> None:
        """Put records in the places of those of a file."""
        if not len(places):
            return
        there: Array = numpy.memmap(self.path(name), records.dtype, "r+")
        old = numpy.empty(len(places), [("place", "int64"), ("record", f"V{records.dtype.itemsize}")])
        old["place"], old["record"] = places, _plain(there).take(places)
        undo = undo_name(self.file_name(name), self._step.checkpoint, records.dtype.itemsize)
        append(self.folder / undo, old)
        put(there, places, records)

    def discard(self, *names: str) -> None:
        """Let files be deleted when the round is over."""
        self._report.discarded += [self.file_name(name) for name in names if self.path(name).exists()]

    def mail(self, kind: Any, size: int) -> Iterator[Array]:
        """The mail, about so many records at a time; it is gone when the round is over."""
        parts, count = list[Array](), 0
        for name, first, length in self._step.mail.get(self.number, ()):
            for begin in range(first, first + length, size * numpy.dtype(kind).itemsize):
                many = min(size, (first + length - begin) // numpy.dtype(kind).itemsize)
                if count and count + many > size:
                    yield joined(parts, kind)
                    parts, count = [], 0
                parts.append(numpy.fromfile(self.folder / name, kind, many, offset=begin))
                count += many
        if parts:
            yield joined(parts, kind)

    def post(self, to: Array, records: Array) -> None:
        """Post records to shards."""
        self.desk.post(self._step, to, records)


def append(path: Path, records: Array) -> int:
    """Write records behind those of a file; the bytes that it has then."""
    with path.open("ab") as file:
        file.write(numpy.ascontiguousarray(records).view("uint8").data)
        return file.tell()


# Undoing what has been changed since a checkpoint.


def undo_name(file: str, checkpoint: int, size: int) -> str:
    """The name of the file with the old records of another one, which have so many bytes."""
    return f"{file}.undo.{checkpoint}.{size}"


def undo(path: Path) -> None:
    """Put the old records that a file holds back into their places, the latest first. It may be done again."""
    name, _, rest = path.name.partition(".undo.")
    size = int(rest.partition(".")[2])
    kind = numpy.dtype([("place", "int64"), ("record", f"V{size}")])
    old = numpy.fromfile(path, kind, path.stat().st_size // kind.itemsize)[::-1]  # what was not written was not changed
    if len(old):
        there: Array = numpy.memmap(path.with_name(name), f"V{size}", "r+")
        there[old["place"]] = old["record"]  # the last one that is put into a place stays there


# Records are moved as so many bytes: numpy takes ten times as long if it looks at their fields.


def _plain(records: Array) -> Array:
    return numpy.asarray(records).view(f"V{records.dtype.itemsize}")


def joined(parts: Sequence[Array], kind: Any) -> Array:
    """Records of one type, one part behind the other."""
    whole: Array = numpy.concatenate([_plain(numpy.empty(0, kind)), *map(_plain, parts)]).view(kind)
    return whole


def taken(records: Array, places: Array) -> Array:
    """The records at some places."""
    found: Array = _plain(records).take(places).view(records.dtype)
    return found


def put(records: Array, places: Array, others: Array) -> None:
    """Put others in the places of some records."""
    _plain(records)[places] = _plain(others)


# Sorted files.


def places_at(columns: Sequence[Array], rank: int) -> list[int]:
    """Where the first ``rank`` of all keys end in each of some columns, which are sorted. No key comes twice.

    Of what may still lie on either side, the middle of the longest part goes to one of them, with all that is less or
    all that is more."""
    firsts, ends = [0] * len(columns), list(map(len, columns))
    while firsts != ends:
        longest = max(range(len(columns)), key=lambda k: ends[k] - firsts[k])
        middle = (firsts[longest] + ends[longest]) // 2
        key, parts = columns[longest][middle], zip(columns, firsts, ends, strict=True)
        below = [bisect_left(column, key, first, end) for column, first, end in parts]
        if sum(below) < rank:
            firsts = below
            firsts[longest] += 1
        else:
            ends = below
    return firsts


def merged(
    files: Sequence[ShardFiles], name: str, kind: Any, order: str, size: int, among: Sequence[range]
) -> Iterator[Array]:
    """The records in some places of files of this name, each sorted by the field ``order``, as one sequence, sorted
    likewise, about so many at a time."""
    each = max(1, size // len(files))
    streams = [shard.blocks(name, kind, each, places) for shard, places in zip(files, among, strict=True)]
    waiting: list[Array] = [numpy.empty(0, kind)] * len(files)
    while True:
        for shard, stream in enumerate(streams):
            if len(waiting[shard]) < each:
                waiting[shard] = joined([waiting[shard], *islice(stream, 1)], kind)
        lasts = [part[order][-1] for part in waiting if len(part)]
        if not lasts:
            return
        bound, found = min(lasts), []
        for shard, part in enumerate(waiting):
            end = int(numpy.searchsorted(part[order], bound, "right"))
            found.append(part[:end])
            waiting[shard] = part[end:]
        whole = joined(found, kind)
        yield taken(whole, numpy.argsort(whole[order]))


def places_of(numbers: Iterable[int] | Array) -> tuple[Array, Array]:
    """The shards and the places of positions that are named by both in one number."""
    whole = numpy.asarray(numbers, "uint64")
    return (whole >> numpy.uint64(32)).astype("uint16"), (whole & numpy.uint64(PLACES - 1)).astype("int64")


def names_of(shard: int, places: Array | Sequence[int]) -> Array:
    """Numbers that name positions of a shard by their places, too."""
    found: Array = numpy.asarray(places, "uint64") | numpy.uint64(shard << 32)
    return found
