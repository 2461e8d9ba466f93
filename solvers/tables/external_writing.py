"""Writing the rows of all shards as the files of a table, by all who make it: each file by itself, of so many rows in
the order of their keys, which are merged from all shards.

Which rows of a shard a file has is found by looking for the keys with which it begins and ends: in each shard the rows
lie in the order of keys (:func:`~.shards.places_at`).
"""

from __future__ import annotations

from math import ceil
from typing import Any, Final, Protocol

from attrs import frozen

from zermelo.solvers.tables import dataset
from zermelo.solvers.tables.dataset import PartFile, TableFiles, TableWriter
from zermelo.solvers.tables.rounds import Shards
from zermelo.solvers.tables.rows import RowFormat, RowPart
from zermelo.solvers.tables.shards import Shard, ShardFiles, merged, places_at

_ROWS: Final = 1 << 18
"""Rows that are merged at a time, at most."""


class ShardRows(Protocol):
    """What the shards have written of their positions: records of a ``kind``, with a ``key``, in a file ``rows``."""

    @property
    def kind(self) -> Any:
        """The type of the records."""

    def part(self, rows: Any) -> RowPart:
        """What a table says, by some of the records."""


@frozen(eq=False)
class WriteFiles:
    """Write the files of these numbers, of a table of ``count`` positions. It returns the records of the files."""

    rows: ShardRows
    format: RowFormat
    count: int

    def __call__(self, shard: Shard, numbers: list[int]) -> list[dict[str, Any]]:
        return [self._write(shard, number).record() for number in numbers]

    def _write(self, shard: Shard, number: int) -> PartFile:
        kind, each = self.rows.kind, rows_of_a_file()
        files = [ShardFiles(shard.folder, other) for other in range(shard.count)]
        begin, end = (self._places(files, min(rank * each, self.count)) for rank in (number, number + 1))
        size = max(1 << 10, min(_ROWS, shard.desk.limits.memory // 8 // kind.itemsize // 4))
        writer = TableWriter(shard.folder, self.format.schema(), self.format.width, number)
        for rows in merged(files, "rows", kind, "key", size, list(map(range, begin, end))):
            writer.write(self.format.table(self.rows.part(rows)))
            shard.desk.pause()
        writer.close()
        (written,) = writer.parts
        shard.note(shard.folder / written.name)
        return written

    def _places(self, files: list[ShardFiles], rank: int) -> list[int]:
        """Where the first so many rows of all end in the files of each shard."""
        return places_at([shard.open("rows", self.rows.kind)["key"] for shard in files], rank)


def rows_of_a_file() -> int:
    """The rows of a file, if it is not the last one."""
    return dataset.FILE_GROUPS * dataset.GROUP_ROWS


def write_files(shards: Shards, rows: ShardRows, format: RowFormat, count: int) -> TableFiles:
    """The files with the rows of all shards, in the folder of these."""
    number = ceil(count / rows_of_a_file())
    given = {shard: list(range(shard, number, shards.count)) for shard in range(min(shards.count, number))}
    found = shards.map(WriteFiles(rows, format, count), given)
    shards.checkpoint()
    parts = sorted((PartFile.from_record(record) for some in found.values() for record in some), key=lambda p: p.first)
    return TableFiles(shards.work.folder, {}, parts, format.width)
