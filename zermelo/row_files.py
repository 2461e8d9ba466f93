"""Tables for other programs: CSV or, if the file is named so, Parquet, which needs the extra ``tables``."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from zermelo.files import check_writable, write_file
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library

PARQUET: Final = ".parquet"
"""The ending of files that are written with pyarrow."""


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
    """Write rows with columns of these names. In Parquet ``kinds`` are the types of those that are not texts, as
    pyarrow names them. Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``."""
    write_file(path, _parquet(rows, names, kinds) if is_parquet(path) else _csv(rows, names).encode())


def _csv(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, names)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _parquet(rows: Sequence[Mapping[str, Any]], names: Sequence[str], kinds: Mapping[str, str]) -> bytes:
    pyarrow, parquet = _arrow("pyarrow"), _arrow("pyarrow.parquet")
    sink = pyarrow.BufferOutputStream()
    schema = pyarrow.schema([(name, kinds.get(name, "string")) for name in names])  # also where all are empty
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), sink)
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
