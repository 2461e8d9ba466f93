"""The files of a table: a Parquet dataset in a folder, sorted by keys, with a manifest beside it.

The files have nothing of their own: any program that reads Parquet reads them. Keys are columns ``key0``, ``key1`` and
so on of 64 bits without a sign, sorted as numbers, the first one first, and encoded by their differences; a look-up
finds the row group by the statistics in the footer of a file, and then searches that row group.

**Damage.** The checksums of Parquet's pages are written, and cover what is in the pages, but neither the headers of
pages nor the footer, in which the statistics are. So the manifest has a digest of each row group, and one of the rest
of each file; whatever is read is compared with its digest first. The manifest ends with its own digest. Thus a byte
that has changed is an error and never a value.

A table is written into a folder beside its own and moved into place as a whole. So there is no half a table, whatever
happens meanwhile.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, define, field, frozen

from zermelo.foundation.disk_cache import write_whole
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library

if TYPE_CHECKING:
    import numpy

MANIFEST: Final = "_zermelo.json"
"""The file beside the data. Readers of Parquet pass over names that begin like this."""

FORMAT: Final = "zermelo table"
VERSION: Final = 2
"""The version of the manifest and of the columns."""

GROUP_ROWS: Final = 1 << 15
"""The rows of a row group: as many as a look-up may read."""

FILE_GROUPS: Final = 1 << 7
"""The row groups of a file: as many as have a footer that a look-up may read, and as a worker writes at a time."""

KEPT_GROUPS: Final = 16
"""The row groups that are kept in memory when they have been looked at."""

KEPT_FILES: Final = 1 << 6
"""The files that are kept open: systems allow some hundreds."""

_LEVEL: Final = 9
"""The level of compression by zstd: a fifteenth smaller than by default, and no slower than solving."""

_RANDOM: Final = 4
"""The random bytes in the name of a folder that is being written."""

_MAGIC: Final = 4
"""The bytes before the first row group."""

Key = tuple[int, ...]
"""The words of a packed key, without a sign."""


def parquet() -> Any:
    """The module of pyarrow for Parquet. Raises ``ZermeloError`` (``library-missing``)."""
    import_library("pyarrow", "tables of positions", "tables")
    return import_library("pyarrow.parquet", "tables of positions", "tables")


def key_names(width: int) -> list[str]:
    """The columns of the key."""
    return [f"key{k}" for k in range(width)]


def damaged(path: Path, why: str) -> ZermeloError:
    """The error of files that are not as they were written."""
    return ZermeloError(
        "damaged-table", f"the table {path} cannot be used: {why}", "`zermelo table build` makes it again"
    )


# What a manifest says of the files.


@frozen(eq=False, repr=False)
class PartFile(ByValue):
    """A file of a table: its name, its rows, its bytes, the first and the last key, where the row groups end, and the
    digests: one for each row group, and one for the rest."""

    name: str
    rows: int
    bytes: int
    first: Key
    last: Key
    groups_end: int
    groups: Sequence[str]
    rest: str

    def record(self) -> dict[str, Any]:
        """As JSON: keys as text, since not all programs read numbers of 64 bits."""
        return {**asdict(self), "first": list(map(str, self.first)), "last": list(map(str, self.last))}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> PartFile:
        first, last = (tuple(map(int, record[name])) for name in ("first", "last"))
        return cls(**{**record, "first": first, "last": last})


def group_ranges(metadata: Any) -> list[tuple[int, int]]:
    """Where the row groups of a file begin and end, by its footer."""
    ranges = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        chunks = [group.column(k) for k in range(group.num_columns)]
        starts = [
            chunk.data_page_offset if chunk.dictionary_page_offset is None else chunk.dictionary_page_offset
            for chunk in chunks
        ]
        ends = [start + chunk.total_compressed_size for start, chunk in zip(starts, chunks, strict=True)]
        ranges.append((min(starts), max(ends)))
    return ranges


def _digest(*parts: bytes | memoryview) -> str:
    found = sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


# Writing.


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write to, beside the one given, which takes its place when the block ends without an error.

    Raises ``ZermeloError`` (``unwritable-file``) if there is something of this name that is not an empty folder."""
    try:
        place = Path(os.path.abspath(folder))
        beside = place.with_name(f"{place.name}.{os.urandom(_RANDOM).hex()}.part")
        is_taken = place.exists() and not (place.is_dir() and not any(place.iterdir()))
        if not is_taken:
            beside.mkdir(parents=True)
    except (OSError, ValueError) as error:
        raise unwritable(folder, getattr(error, "strerror", None) or "no folder can have this name") from error
    if is_taken:
        raise unwritable(folder, "there is something already", "a folder is written to that is new, or empty")
    try:
        yield beside
        if place.exists():
            place.rmdir()  # only Linux moves a folder to the place of an empty one
        beside.rename(place)
    except OSError as error:
        raise unwritable(folder, error.strerror or str(error)) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def remove_parts(folder: Path) -> None:
    """Remove what processes that were killed have left beside a folder when they wrote it."""
    name = re.compile(rf"{re.escape(folder.name)}\.[0-9a-f]{{{2 * _RANDOM}}}\.part")
    for path in folder.parent.iterdir():
        if name.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)


def unwritable(folder: Path, why: str, help: str = "") -> ZermeloError:
    """The error of a folder that cannot be written to."""
    return ZermeloError("unwritable-file", f"cannot write {folder}: {why}", help)


@define(eq=False)
class TableWriter:
    """Writes rows, which come in the order of their keys, to the files of a folder, of which the ``first`` has this
    number."""

    folder: Path
    schema: Any
    width: int
    first: int = 0
    parts: list[PartFile] = field(factory=list)
    _waiting: Any = None
    _writer: Any = None
    _groups: int = 0
    _ends: list[Key] = field(factory=list)

    def write(self, rows: Any) -> None:
        """Write a table of pyarrow, of any number of rows."""
        import pyarrow

        waiting = rows if self._waiting is None else pyarrow.concat_tables([self._waiting, rows])
        whole = waiting.num_rows // GROUP_ROWS * GROUP_ROWS
        for first in range(0, whole, GROUP_ROWS):
            self._write_group(waiting.slice(first, GROUP_ROWS))
        self._waiting = waiting.slice(whole)

    def take(self, files: TableFiles) -> None:
        """Have the files of another folder for one's own. They stay there, too, as nothing may be missing where a
        program is killed now."""
        for part in files.parts:
            there, here = files.folder / part.name, self.folder / part.name
            try:
                os.link(there, here)
            except OSError:  # not all file systems give a file two names
                shutil.copyfile(there, here)
            self.parts.append(part)

    def close(self) -> None:
        """Write what is left."""
        if self._waiting is not None and self._waiting.num_rows:
            self._write_group(self._waiting)
        self._close()

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write what is left, and the manifest."""
        self.close()
        record = {
            "format": FORMAT,
            "version": VERSION,
            **manifest,
            "files": [part.record() for part in self.parts],
        }
        write_whole(self.folder / MANIFEST, _manifest_text(record).encode())

    @property
    def _path(self) -> Path:
        return self.folder / f"part-{self.first + len(self.parts):05}.parquet"

    def _write_group(self, rows: Any) -> None:
        if self._writer is None:
            self._writer = self._new_writer()
        self._writer.write_table(rows, row_group_size=GROUP_ROWS)
        self._groups += 1
        for place in (0, rows.num_rows - 1):
            self._ends.append(tuple(rows.column(k)[place].as_py() for k in range(self.width)))
        if self._groups == FILE_GROUPS:
            self._close()

    def _new_writer(self) -> Any:
        keys, library = key_names(self.width), parquet()
        return library.ParquetWriter(
            self._path,
            self.schema,
            compression="zstd",
            compression_level=_LEVEL,
            column_encoding=dict.fromkeys(keys, "DELTA_BINARY_PACKED"),
            use_dictionary=[name for name in self.schema.names if name not in keys],
            write_page_checksum=True,
            sorting_columns=[library.SortingColumn(k) for k in range(self.width)],
        )

    def _close(self) -> None:
        """Complete the file at hand, and note what the manifest says of it."""
        if self._writer is None:
            return
        import pyarrow

        self._writer.close()
        path = self._path
        with path.open("rb") as file:
            os.fsync(file.fileno())
        with pyarrow.memory_map(str(path)) as data:
            metadata, size = parquet().read_metadata(data), data.size()
            ranges = group_ranges(metadata)
            end = ranges[-1][1]
            self.parts.append(
                PartFile(
                    path.name,
                    metadata.num_rows,
                    size,
                    self._ends[0],
                    self._ends[-1],
                    end,
                    [_digest(data.read_at(end - first, first)) for first, end in ranges],
                    _digest(data.read_at(_MAGIC, 0), data.read_at(size - end, end)),
                )
            )
        self._writer, self._groups, self._ends = None, 0, []


def _manifest_text(record: Mapping[str, Any]) -> str:
    """A manifest with its digest."""
    whole = {**record, "sha256": _digest(json.dumps(record).encode())}
    return json.dumps(whole, indent=1) + "\n"


# Reading.


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a table. Raises ``ZermeloError``: ``unreadable-file``, ``damaged-table``, ``other-table``."""
    path = folder / MANIFEST
    try:
        text = path.read_bytes().decode()
        record = json.loads(text)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ZermeloError(
            "unreadable-file", f"there is no table in {folder}: it has no {MANIFEST}", "`zermelo table build` makes one"
        ) from error
    except OSError as error:
        raise ZermeloError("unreadable-file", f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise damaged(folder, f"{MANIFEST} is damaged") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise damaged(folder, f"{MANIFEST} is damaged")
    if record.get("version") != VERSION:
        raise ZermeloError(
            "other-table",
            f"the table {folder} has version {record.get('version')} of the format, and this program reads version "
            f"{VERSION}",
            "`zermelo table build` makes it again",
        )
    plain = {name: value for name, value in record.items() if name != "sha256"}
    if _manifest_text(plain) != text:
        raise damaged(folder, f"{MANIFEST} is damaged")
    return plain


@define(eq=False)
class TableFiles:
    """The files of a table, open for reading. ``manifest`` is what was written beside them."""

    folder: Path
    manifest: Mapping[str, Any]
    parts: Sequence[PartFile]
    width: int
    _open: dict[int, OpenPart] = field(factory=dict)
    _recent: dict[tuple[int, int], GroupRows] = field(factory=dict)

    @classmethod
    def open(cls, folder: Path) -> TableFiles:
        """The files of a folder. Raises as :func:`read_manifest` does."""
        manifest = read_manifest(folder)
        parts = [PartFile.from_record(record) for record in manifest["files"]]
        for part in parts:
            path = folder / part.name
            if not path.is_file():
                raise damaged(folder, f"its file {part.name} is missing")
            if path.stat().st_size != part.bytes:
                raise damaged(folder, f"its file {part.name} has {path.stat().st_size:,} bytes, not {part.bytes:,}")
        return cls(folder, manifest, parts, len(parts[0].first))

    @property
    def rows(self) -> int:
        """The number of positions."""
        return sum(part.rows for part in self.parts)

    @property
    def bytes(self) -> int:
        """The bytes of the files, without the manifest."""
        return sum(part.bytes for part in self.parts)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        names: list[str] = self._part(0).reader.schema_arrow.names
        return names

    def find(self, key: Key) -> dict[str, Any] | None:
        """The row of a key, by the names of its columns; None if there is none. Raises ``damaged-table``."""
        number = bisect_right([part.first for part in self.parts], key) - 1
        if number < 0 or key > self.parts[number].last:
            return None
        part = self._part(number)
        for group in part.groups_with(key):
            rows = self._recent.pop((number, group), None) or part.group(group)
            self._recent[number, group] = rows  # as the latest one
            if len(self._recent) > KEPT_GROUPS:
                del self._recent[next(iter(self._recent))]
            place = rows.place_of(key)
            if place is not None:
                return rows.row(place)
        return None

    @property
    def group_count(self) -> int:
        """The number of row groups."""
        return sum(len(part.groups) for part in self.parts)

    def groups(self, first: int = 0, end: int | None = None, columns: list[str] | None = None) -> Iterator[Any]:
        """The row groups in their order, or those from one to another, with all or some columns, as tables of pyarrow,
        each compared with its digest."""
        places = [(number, group) for number, part in enumerate(self.parts) for group in range(len(part.groups))]
        for number, group in places[first:end]:
            yield self._part(number).read(group, columns)

    def _part(self, number: int) -> OpenPart:
        part = self._open.pop(number, None) or OpenPart.of(self.folder, self.parts[number], self.width)
        self._open[number] = part  # as the latest one
        if len(self._open) > KEPT_FILES:
            del self._open[next(iter(self._open))]
        return part


@contextmanager
def _reading(folder: Path, file: PartFile) -> Iterator[None]:
    """A block that reads a file, in which an error of reading is one of the table."""
    try:
        yield
    except OSError as error:
        raise damaged(folder, f"its file {file.name} cannot be read: {error}") from error


@define(eq=False)
class OpenPart:
    """A file that is open, whose footer has been compared with its digest. The row groups have keys from ``lows[k]`` to
    ``highs[k]`` in word k."""

    folder: Path
    file: PartFile
    width: int
    data: Any
    reader: Any
    ranges: Sequence[tuple[int, int]]
    lows: numpy.ndarray[Any, Any]
    highs: numpy.ndarray[Any, Any]

    @classmethod
    def of(cls, folder: Path, file: PartFile, width: int) -> OpenPart:
        import numpy

        library = parquet()
        import pyarrow

        with _reading(folder, file):
            data = pyarrow.OSFile(str(folder / file.name))
            tail = data.read_at(file.bytes - file.groups_end, file.groups_end)
            if _digest(data.read_at(_MAGIC, 0), tail) != file.rest:
                raise damaged(folder, f"the end of its file {file.name} is damaged")
        reader = library.ParquetFile(data, page_checksum_verification=True)
        groups = [reader.metadata.row_group(number) for number in range(reader.metadata.num_row_groups)]
        statistics = [[group.column(k).statistics for group in groups] for k in range(width)]
        lows, highs = (
            numpy.array([[getattr(each, end) for each in row] for row in statistics], numpy.uint64)
            for end in ("min", "max")
        )
        return cls(folder, file, width, data, reader, group_ranges(reader.metadata), lows, highs)

    def groups_with(self, key: Key) -> list[int]:
        """The row groups that may have a key: one, or as many as the words of the key, about."""
        import numpy

        may = numpy.ones(self.lows.shape[1], bool)
        for low, high, word in zip(self.lows, self.highs, key, strict=True):
            may &= (low <= word) & (word <= high)
        return [int(number) for number in numpy.flatnonzero(may)]

    def read(self, number: int, columns: list[str] | None = None) -> Any:
        """A row group, or some of its columns, compared with its digest, as a table of pyarrow."""
        first, end = self.ranges[number]
        with _reading(self.folder, self.file):
            if _digest(self.data.read_at(end - first, first)) != self.file.groups[number]:
                raise damaged(self.folder, f"row group {number} of its file {self.file.name} is damaged")
            return self.reader.read_row_group(number, columns)

    def group(self, number: int) -> GroupRows:
        """The rows of a row group, to be searched."""
        return GroupRows.of(self.read(number), self.width)


@frozen(eq=False)
class GroupRows:
    """Rows in the order of their keys, as a table of pyarrow, and the columns of the keys."""

    rows: Any
    keys: Sequence[numpy.ndarray[Any, Any]]

    @classmethod
    def of(cls, rows: Any, width: int) -> GroupRows:
        """Rows with keys of so many words."""
        return cls(rows, [rows.column(k).to_numpy() for k in range(width)])

    def place_of(self, key: Key) -> int | None:
        """The place of a key among the rows."""
        import numpy

        first, end = 0, self.rows.num_rows
        for column, word in zip(self.keys, key, strict=True):
            part, wanted = column[first:end], numpy.uint64(word)
            first, end = (first + int(numpy.searchsorted(part, wanted, side)) for side in ("left", "right"))
        return first if first < end else None

    def row(self, place: int) -> dict[str, Any]:
        """A row, by the names of the columns."""
        (row,) = self.rows.slice(place, 1).to_pylist()
        found: dict[str, Any] = row
        return found
