"""Tables for other programs: CSV or, if the file is named so, JSON or Parquet, which needs the extra ``tables``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import Any, Final

from zermelo.files import check_writable, write_file
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library

PARQUET: Final = ".parquet"
"""The ending of files that are written with pyarrow."""

JSON: Final = ".json"
"""The ending of files with a list of objects."""


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, by its name."""
    return path.suffix.lower() == PARQUET


def check_rows_writable(path: Path) -> None:
    """Raise ``ZermeloError`` (``unwritable-file``, ``library-missing``) if rows can be seen not to be writable to a
    file, before long work."""
    check_writable(path)
    if is_parquet(path):
        _arrow("pyarrow")


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]], names: Sequence[str], kinds: Mapping[str, str]) -> None:
    """Write rows with columns of these names. In JSON and Parquet ``kinds`` are the types of those that are not texts,
    as pyarrow names them. Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``."""
    if is_parquet(path):
        write_file(path, _parquet(rows, names, kinds))
    elif path.suffix.lower() == JSON:
        plain = [{name: _plain(row.get(name), name in kinds) for name in names} for row in rows]
        lines = ",\n".join(dumps(row, ensure_ascii=False) for row in plain)
        write_file(path, f"[\n{lines}\n]\n".encode())
    else:
        write_file(path, csv_text(rows, names).encode())


def kinds_of(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, str]:
    """The types of the columns that are not texts: those whose values are all of one type that has a name here."""
    kinds: dict[str, str] = {}
    for name in names:
        values = [row[name] for row in rows if row.get(name) is not None]
        types = set(map(type, values))
        is_long = types == {int} and max(map(abs, values)) >= 1 << 63
        if len(types) == 1 and not is_long and (kind := _KINDS.get(types.pop())):
            kinds[name] = kind
    return kinds


_KINDS: Final = {bool: "bool", int: "int64", float: "double"}


def _plain(value: Any, is_typed: bool) -> Any:
    return value if value is None or is_typed else str(value)


def csv_text(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Rows with columns of these names as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _parquet(rows: Sequence[Mapping[str, Any]], names: Sequence[str], kinds: Mapping[str, str]) -> bytes:
    pyarrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    sink = pyarrow.BufferOutputStream()
    schema = pyarrow.schema([(name, kinds.get(name, "string")) for name in names])  # also where all are empty
    plain = [{name: _plain(value, name in kinds) for name, value in row.items()} for row in rows]
    parquet.write_table(pyarrow.Table.from_pylist(plain, schema), sink)
    return bytes(sink.getvalue())


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, by the names of the columns; of CSV all are texts. Raises ``ZermeloError``
    (``unreadable-file``, ``library-missing``)."""
    try:
        if is_parquet(path):
            with _arrow("pyarrow.parquet").ParquetFile(path) as file:
                read: list[dict[str, Any]] = file.read().to_pylist()
            return read
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return list(csv.DictReader(stream))
    except (OSError, ValueError, csv.Error) as error:  # of pyarrow, too, and of what is not UTF-8
        why = getattr(error, "strerror", None) or f"it is no {'Parquet' if is_parquet(path) else 'CSV'}"
        raise ZermeloError("unreadable-file", f"cannot read {path}: {why}") from error


def _arrow(name: str) -> Any:
    return import_library(name, "Parquet files", "tables")
