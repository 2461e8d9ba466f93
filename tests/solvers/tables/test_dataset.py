"""The files of a table: look-ups, other programs that read them, damage."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import numpy
import pyarrow
import pytest
from pyarrow import parquet

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.tables import dataset
from zermelo.solvers.tables.dataset import MANIFEST, TableFiles, TableWriter, key_names, new_folder
from zermelo.tables import Table

# ---------------------------------------------------------------- look-ups


def written(folder: Path, keys: numpy.ndarray) -> TableFiles:
    """A table whose rows have these sorted keys, and their places."""
    width = keys.shape[1]
    fields = [pyarrow.field(name, pyarrow.uint64(), nullable=False) for name in key_names(width)]
    schema = pyarrow.schema([*fields, ("place", pyarrow.int64())])
    with new_folder(folder) as beside:
        writer = TableWriter(beside, schema, width)
        for first in range(0, len(keys), 7):
            part = keys[first : first + 7]
            columns = [pyarrow.array(part[:, k]) for k in range(width)]
            places = pyarrow.array(numpy.arange(first, first + len(part)))
            writer.write(pyarrow.Table.from_arrays([*columns, places], schema=schema))
        writer.finish({})
    return TableFiles.open(folder)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_every_key_is_found_and_no_other(width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several row groups and files, with words that many keys have in common, and of 64 bits."""
    monkeypatch.setattr(dataset, "GROUP_ROWS", 8)
    monkeypatch.setattr(dataset, "FILE_GROUPS", 3)
    random = Random(width)
    words = [0, 1, 2, 5, 1 << 62, (1 << 63) + 1, (1 << 64) - 1]
    if width == 1:
        words = sorted(random.getrandbits(64) for _ in range(90))
    every = sorted({tuple(random.choice(words) for _ in range(width)) for _ in range(150)})
    files = written(tmp_path / "table", numpy.array(every, "uint64"))
    assert len(files.parts) > 1
    assert [files.find(key) for key in every] == [
        {**dict(zip(key_names(width), key, strict=True)), "place": place} for place, key in enumerate(every)
    ]
    others = {tuple(random.choice([*words, 3, 1 << 63]) for _ in range(width)) for _ in range(300)} - set(every)
    assert others
    assert all(files.find(key) is None for key in others)
    assert sum(group.num_rows for group in files.groups()) == files.rows == len(every)


def test_a_look_up_reads_one_row_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "GROUP_ROWS", 10)
    files = written(tmp_path / "table", numpy.arange(1000, dtype="uint64").reshape(-1, 1) * 3)
    read: list[int] = []
    monkeypatch.setattr(
        dataset.OpenPart,
        "group",
        lambda part, number, group=dataset.OpenPart.group: (read.append(number), group(part, number))[1],
    )
    assert files.find((300,)) is not None
    assert files.find((301,)) is None
    assert read == [10]  # the second time it is still known
    keys = numpy.stack([numpy.full(1000, 7), numpy.arange(1000) * 3], axis=1).astype("uint64")
    assert written(tmp_path / "wide", keys).find((7, 600)) is not None
    assert read == [10, 20]


def test_the_pages_have_checksums_and_sorted_keys(tic_tac_toe: Table) -> None:
    path = tic_tac_toe.files.folder / tic_tac_toe.files.parts[0].name
    group = parquet.read_metadata(path).row_group(0)
    assert group.sorting_columns == (parquet.SortingColumn(0),)
    assert group.column(0).compression == "ZSTD"
    assert "DELTA_BINARY_PACKED" in group.column(0).encodings
    start = group.column(0).data_page_offset
    damaged = bytearray(path.read_bytes())
    damaged[start + group.column(0).total_compressed_size - 1] ^= 1
    with pytest.raises(OSError, match="CRC"):
        parquet.ParquetFile(pyarrow.BufferReader(bytes(damaged)), page_checksum_verification=True).read(["key0"])


# ---------------------------------------------------------------- other programs

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@cache
def outcome(board: str) -> tuple[int, int]:
    """Tic-tac-toe once more: 1, 0 or -1 for who is to move, and the marks that are still made if the winner hurries."""
    if any(board[a] == board[b] == board[c] != "." for a, b, c in LINES):
        return -1, 0
    if "." not in board:
        return 0, 0
    mark = "XO"[board.count("X") > board.count("O")]
    behind = [outcome(board[:k] + mark + board[k + 1 :]) for k in range(9) if board[k] == "."]
    value = -min(each for each, _ in behind)
    steps = [distance for each, distance in behind if -each == value]
    return value, 1 + (max(steps) if value < 0 else min(steps))


def lost_by_distance() -> dict[int, int]:
    """How many positions of tic-tac-toe are lost for who is to move, by the distance to the end."""
    met, waiting = set[str](), ["." * 9]
    while waiting:
        board = waiting.pop()
        if board in met or outcome(board)[1] == 0:
            continue
        met.add(board)
        mark = "XO"[board.count("X") > board.count("O")]
        waiting += [board[:k] + mark + board[k + 1 :] for k in range(9) if board[k] == "."]
    assert len(met) == 4520
    return Counter(distance for value, distance in map(outcome, met) if value < 0)


def test_duckdb_counts_what_is_lost(tic_tac_toe: Table) -> None:
    duckdb = pytest.importorskip("duckdb")
    query = f"""
        select moves_to_the_end, count(*) from '{tic_tac_toe.files.folder}/*.parquet'
        where (case to_move when 'X' then value_X else value_O end) < 0
        group by moves_to_the_end
    """
    assert dict(duckdb.sql(query).fetchall()) == lost_by_distance()


def test_as_an_arrow_dataset(tic_tac_toe: Table) -> None:
    table = tic_tac_toe.dataset().to_table()
    assert table.num_rows == len(tic_tac_toe) == 4520
    assert table.column_names == ["key0", "to_move", "value_X", "value_O", "moves_to_the_end", "best_moves"]
    keys = table.column("key0").to_pylist()
    assert keys == sorted(keys)


# ---------------------------------------------------------------- damage


def read_all(folder: Path) -> None:
    """Read all of a table."""
    for _ in TableFiles.open(folder).groups():
        pass


def test_every_flipped_bit_is_noticed(copied: Path) -> None:
    random, paths = Random(35), sorted(copied.iterdir())
    sizes = [path.stat().st_size for path in paths]
    whole = TableFiles.open(copied)
    key = whole.parts[0].last
    right = whole.find(key)
    for _ in range(500):
        (path,) = random.choices(paths, sizes)
        content = path.read_bytes()
        flipped = bytearray(content)
        flipped[random.randrange(len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(flipped)
        with pytest.raises(ZermeloError) as raised:
            read_all(copied)
        assert raised.value.code in ("damaged-table", "other-table")
        try:
            assert TableFiles.open(copied).find(key) == right
        except ZermeloError as error:
            assert error.code in ("damaged-table", "other-table")
        path.write_bytes(content)
    read_all(copied)


def test_files_that_are_missing_or_cut_or_too_many(copied: Path) -> None:
    (part,) = copied.glob("*.parquet")
    content = part.read_bytes()
    part.write_bytes(content[:-1])
    assert refused(copied) == "damaged-table"
    part.unlink()
    assert refused(copied) == "damaged-table"
    part.write_bytes(content)
    (copied / MANIFEST).unlink()
    assert refused(copied) == "unreadable-file"


def test_another_version_is_told(copied: Path) -> None:
    path = copied / MANIFEST
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, "version": record["version"] + 1}))
    assert refused(copied) == "other-table"
    path.write_text("[]")
    assert refused(copied) == "damaged-table"


def refused(folder: Path) -> str:
    with pytest.raises(ZermeloError) as raised:
        read_all(folder)
    return raised.value.code


# ---------------------------------------------------------------- all or nothing


def test_a_folder_is_there_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    with pytest.raises(KeyboardInterrupt), new_folder(folder) as beside:
        (beside / "part").write_text("")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    folder.mkdir()
    with new_folder(folder) as beside:
        (beside / "part").write_text("")
    assert [path.name for path in folder.iterdir()] == ["part"]
    with pytest.raises(ZermeloError) as raised, new_folder(folder):
        pass
    assert raised.value.code == "unwritable-file"
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
