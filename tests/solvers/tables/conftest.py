"""Fixtures: tables of small games, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo
from zermelo.tables import Table

pytest.importorskip("pyarrow")


@pytest.fixture(scope="session")
def tic_tac_toe(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """All positions of tic-tac-toe, one by one."""
    folder = tmp_path_factory.mktemp("tables") / "tic_tac_toe"
    return Table.build(zermelo.load("tic_tac_toe"), folder, up_to_symmetry=False)


@pytest.fixture
def copied(tic_tac_toe: Table, tmp_path: Path) -> Path:
    """A copy of the folder of that table, to be damaged."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for path in tic_tac_toe.files.folder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder
