from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from zermelo.interpreter.functions import (
    columns,
    diagonals,
    directions,
    edges,
    graph,
    grid,
    hexagonal,
    lines,
    neighbours,
    ring,
    rows,
)
from zermelo.interpreter.types import BoardType
from zermelo.interpreter.values import Edge


def names(cells: Iterable[Any]) -> str:
    return " ".join(cell.name for cell in cells)


def named(board: BoardType, name: str):
    return board.by_name[name]


def test_grid_counts_by_rows_from_a1() -> None:
    board = grid("Square", 3, 2)
    assert names(board.listed) == "a1 b1 c1 a2 b2 c2"
    assert [(cell.x, cell.y) for cell in board.cells] == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2)]


def test_wide_grids_go_on_after_z() -> None:
    assert names(grid("Wide", 28, 1).listed[24:]) == "y1 z1 aa1 ab1"


def test_neighbours_on_a_grid_go_clockwise_from_north() -> None:
    board = grid("Square", 3, 3)
    assert names(neighbours(board, named(board, "b2"))) == "b3 c3 c2 c1 b1 a1 a2 a3"
    assert names(neighbours(board, named(board, "a1"))) == "a2 b2 b1"


def test_hexagons_touch_six() -> None:
    board = hexagonal("Hexagon", 3, 3)
    b2 = named(board, "b2")
    assert {(cell.x - 2, cell.y - 2) for cell in neighbours(board, b2)} == {
        (1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1),
    }  # fmt: skip


@pytest.mark.parametrize(("size", "expected"), [(1, [""]), (2, ["1", "0"]), (4, ["1 3", "0 2", "1 3", "0 2"])])
def test_ring(size: int, expected: list[str]) -> None:
    board = ring("Place", size)
    assert [names(neighbours(board, cell)) for cell in board.cells] == expected


def test_graph_takes_its_cells_from_the_chains() -> None:
    board = graph("Point", [("a", "b", "c"), ("c", "d"), ("b", "d", "b")])
    assert names(board.listed) == "a b c d"
    assert names(neighbours(board, named(board, "b"))) == "a c d"
    assert [names(line) for line in lines(board, 3)] == ["a b c"]
    assert [names(line) for line in lines(board, 2)] == ["a b", "b c", "b d", "c d"]


def test_edges_are_pairs_of_neighbours() -> None:
    board = grid("Dot", 2, 2)
    found = edges("Side", board)
    assert [edge.name for edge in found.listed] == ["a1-b1", "a1-a2", "a1-b2", "b1-a2", "b1-b2", "a2-b2"]
    first = found.listed[0]
    assert isinstance(first, Edge) and names(first.ends) == "a1 b1"
    assert found.board is board


def test_tic_tac_toe_has_eight_lines() -> None:
    found = [names(line) for line in lines(grid("Cell", 3, 3), 3)]
    assert sorted(found) == [
        "a1 a2 a3", "a1 b1 c1", "a1 b2 c3", "a2 b2 c2", "a3 b3 c3", "b1 b2 b3", "c1 b2 a3", "c1 c2 c3",
    ]  # fmt: skip


def test_lines_of_a_connect_four_board() -> None:
    assert len(lines(grid("Cell", 7, 6), 4)) == 24 + 21 + 12 + 12


def test_lines_of_one_cell_and_of_none() -> None:
    board = grid("Cell", 2, 2)
    assert [names(line) for line in lines(board, 1)] == ["a1", "b1", "a2", "b2"]
    assert len(lines(board, 0)) == 0
    assert len(lines(board, 3)) == 0


def test_lines_of_a_hex_board_follow_three_axes() -> None:
    found = {names(line) for line in lines(hexagonal("Cell", 2, 2), 2)}
    assert found == {"a1 a2", "a1 b1", "b1 a2", "b1 b2", "a2 b2"}


def test_lines_of_a_ring_go_round() -> None:
    assert [names(line) for line in lines(ring("Place", 4), 3)] == ["0 1 2", "0 1 3", "0 2 3", "1 2 3"]
    assert len(lines(ring("Place", 3), 3)) == 1


def test_rows_columns_diagonals() -> None:
    board = grid("Cell", 3, 2)
    assert [names(row) for row in rows(board)] == ["a1 b1 c1", "a2 b2 c2"]
    assert [names(column) for column in columns(board)] == ["a1 a2", "b1 b2", "c1 c2"]
    assert [names(diagonal) for diagonal in diagonals(board)] == ["a1 b2", "b1 a2", "b1 c2", "c1 b2"]


def test_directions() -> None:
    assert len(directions(grid("Cell", 2, 2))) == 8
    assert len(directions(hexagonal("Cell", 2, 2))) == 6
