"""What a program that learns by rote has kept, and its file: Parquet, as tables are.

A file has the positions in the order in which they were first met, so that learning goes on as if it had never stopped:
columns ``key0`` and so on as in tables, the ``score`` of the first player, the ``depth`` behind it, and the ``age`` in
plays. Its metadata are what a file of weights says (:mod:`.weights`), the layout of the keys, and a digest of all of
that. It has no time and no place in it.
"""

from __future__ import annotations

from array import array
from io import BytesIO
from typing import Any, Final

from zermelo.solvers.common.libraries import import_library
from zermelo.solvers.learning.weights import MOST_COUNT, Records, RoteSettings, Weights, parse_weights, refuse_weights

MAGIC: Final = b"PAR1"
"""How files of Parquet begin."""

_TEXT: Final = b"zermelo weights"
_LAYOUT: Final = b"zermelo keys"
_DIGEST: Final = b"zermelo sha256"

_LARGEST: Final = 1e9
"""No score is as large: payoffs in machine code are smaller."""

_NUMBERS: Final = {"score": ("float64", "d"), "depth": ("int64", "q"), "age": ("int64", "q")}


def _parquet() -> tuple[Any, Any]:
    """The library. Raises ``ZermeloError`` (``library-missing``)."""
    library = import_library("pyarrow", "learning by rote", "tables")
    return library, import_library("pyarrow.parquet", "learning by rote", "tables")


def check_library() -> None:
    """Raise ``ZermeloError`` (``library-missing``) if files of records cannot be written."""
    _parquet()


def content(weights: Weights) -> bytes:
    """The file of what has been learnt by rote. Raises ``ZermeloError`` (``library-missing``)."""
    records, text = weights.records, weights.text()
    assert records is not None, "that is what rote learning keeps"
    pyarrow, parquet = _parquet()
    columns = {
        f"key{k}": pyarrow.array(records.keys[k :: records.width], pyarrow.int64()).view(pyarrow.uint64())
        for k in range(records.width)
    }
    for (name, (kind, _)), column in zip(_NUMBERS.items(), records.columns[1:], strict=True):
        columns[name] = pyarrow.array(column, getattr(pyarrow, kind)())
    metadata = {_TEXT: text.encode(), _LAYOUT: records.layout.encode(), _DIGEST: records.digest(text).encode()}
    stream = BytesIO()
    table = pyarrow.table(columns).replace_schema_metadata(metadata)
    parquet.write_table(table, stream, compression="zstd", write_page_checksum=True)
    return stream.getvalue()


def _is_score(score: float) -> bool:
    return abs(score) < _LARGEST  # which is false of what is no number


def parse_records(name: str, data: bytes) -> Weights:
    """What has been learnt by rote, from the content of the file of this name. Raises ``ZermeloError``
    (``bad-weights``, ``library-missing``)."""
    pyarrow, parquet = _parquet()
    try:
        table = parquet.read_table(BytesIO(data), page_checksum_verification=True)
    except (pyarrow.ArrowException, OSError):
        refuse_weights(name, "it is damaged, or its end is missing")
    metadata = table.schema.metadata or {}
    if not {_TEXT, _LAYOUT, _DIGEST} <= metadata.keys():
        refuse_weights(name, "it is Parquet, but does not say that it has weights")
    keys = [column for column in table.column_names if column.startswith("key")]
    kinds = {**dict.fromkeys(keys, "uint64"), **{each: kind for each, (kind, _) in _NUMBERS.items()}}
    wanted = [pyarrow.field(each, getattr(pyarrow, kind)()) for each, kind in kinds.items()]
    if list(table.schema) != wanted or any(column.null_count for column in table.columns):
        refuse_weights(name, "it has other columns than those of rote learning, or other things in them")
    words = array("q", [0]) * (len(keys) * table.num_rows)
    for k, column in enumerate(keys):
        words[k :: len(keys)] = array("q", table.column(column).combine_chunks().view("int64").to_pylist())
    numbers = (array(code, table.column(each).to_pylist()) for each, (_, code) in _NUMBERS.items())
    records = Records(len(keys), metadata[_LAYOUT].decode(errors="replace"), words, *numbers)
    if not all(map(_is_score, records.scores)) or not all(0 <= number <= MOST_COUNT for number in records.depths):
        refuse_weights(name, "a score or a depth in it is no number that could have been learnt")
    text = metadata[_TEXT].decode(errors="replace")
    if records.digest(text).encode() != metadata[_DIGEST]:
        refuse_weights(name, "it is damaged")
    found = parse_weights(name, text, records)
    if not isinstance(found.settings, RoteSettings):
        refuse_weights(name, "it has records, and was not learnt by rote")
    return found
