"""Positions in shards on disk, and the mail between these.

A position belongs to a shard by a hash of its key, and has a number there, its *place*. So where its key, what is known
of it and what is told about it lie is a matter of its shard alone: an algorithm works in rounds, in each of which it
maps some work over shards, one after another, reads the mail of a shard, and posts mail to others, which they get in
the next round. Only the shard at hand is in memory, beside mail that has not been written yet.

Arrays of records are files that hold these as they are in memory. Of one that is ``open``, the pages that are looked at
are read, and written if they are changed; it is written as a whole before, so that a full disk is an error at a call.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy
from attrs import define, field

from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import ZermeloError

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


@define(eq=False)
class Shards:
    """The ``count`` shards in a folder. Up to ``most`` bytes of mail wait in memory until they are written."""

    folder: Path
    count: int
    most: int
    _waiting: dict[int, list[Array]] = field(factory=dict)
    _bytes: int = 0

    def path(self, shard: int, name: str) -> Path:
        """A file of a shard."""
        return self.folder / f"{shard:03}.{name}"

    def length(self, shard: int, name: str, kind: Any) -> int:
        """The number of records in a file of a shard."""
        path = self.path(shard, name)
        return path.stat().st_size // numpy.dtype(kind).itemsize if path.exists() else 0

    def append(self, shard: int, name: str, records: Array) -> None:
        """Write records behind those of a file."""
        with self.path(shard, name).open("ab") as file:
            file.write(numpy.ascontiguousarray(records).view("uint8").data)

    def replace(self, shard: int, name: str, records: Array) -> None:
        """Write records instead of those of a file."""
        self.path(shard, name).unlink(missing_ok=True)
        self.append(shard, name, records)

    def read(self, shard: int, name: str, kind: Any, first: int = 0, count: int = -1) -> Array:
        """Records of a file, from the first one on."""
        path = self.path(shard, name)
        if not path.exists():
            return numpy.empty(0, kind)
        return numpy.fromfile(path, kind, count, offset=first * numpy.dtype(kind).itemsize)

    def blocks(self, shard: int, name: str, kind: Any, size: int) -> Iterator[Array]:
        """The records of a file, so many at a time."""
        for first in range(0, self.length(shard, name, kind), size):
            yield self.read(shard, name, kind, first, size)

    def open(self, shard: int, name: str, kind: Any, mode: str = "r") -> Array:
        """The records of a file, to be looked at and, with the mode ``r+``, to be changed."""
        if not self.length(shard, name, kind):
            return numpy.empty(0, kind)
        return numpy.memmap(self.path(shard, name), kind, mode)  # type: ignore[call-overload, no-any-return]

    def delete(self, name: str) -> None:
        """Delete the files of this name."""
        for shard in range(self.count):
            self.path(shard, name).unlink(missing_ok=True)

    # ------------------------------------------------------------ mail

    def post(self, to: Array, records: Array) -> None:
        """Post records to shards."""
        order = numpy.argsort(to, kind="stable")
        records, found = taken(records, order), numpy.bincount(to, minlength=self.count)
        ends = numpy.cumsum(found)
        for shard in numpy.flatnonzero(found):
            self._waiting.setdefault(int(shard), []).append(records[ends[shard] - found[shard] : ends[shard]])
        self._bytes += records.nbytes
        if self._bytes > self.most:
            self._write()

    def _write(self) -> None:
        self.check_disk(self._bytes)
        for shard, parts in self._waiting.items():
            self.append(shard, "posted", joined(parts, parts[0].dtype))
        self._waiting, self._bytes = {}, 0

    def exchange(self) -> list[int]:
        """Let the shards have the mail that has been posted to them; those that have some."""
        self._write()
        found = []
        for shard in range(self.count):
            posted = self.path(shard, "posted")
            if posted.exists():
                posted.rename(self.path(shard, "mail"))
                found.append(shard)
        return found

    def mail(self, shard: int, kind: Any, size: int) -> Iterator[Array]:
        """The mail of a shard, so many records at a time; it is gone then."""
        yield from self.blocks(shard, "mail", kind, size)
        self.path(shard, "mail").unlink(missing_ok=True)

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


def merged(shards: Shards, name: str, kind: Any, order: str, size: int) -> Iterator[Array]:
    """The records of files of this name, each sorted by the field ``order``, as one sequence, sorted likewise, about so
    many at a time."""
    each = max(1, size // shards.count)
    streams = [shards.blocks(shard, name, kind, each) for shard in range(shards.count)]
    waiting: list[Array] = [numpy.empty(0, kind)] * shards.count
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
