""""""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.functions import (
    FUNCTIONS,
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
from zermelo.interpreter.types import BoardType, MemberType
from zermelo.interpreter.values import (
    COMPASS,
    EMPTY,
    MOST_DIGITS,
    Cell,
    Direction,
    Edge,
    Member,
    OrderedSet,
    read_number,
)

PLAYERS = MemberType("Player", tuple(Member("Player", name, k) for k, name in enumerate("ABC")))
A, B, C = PLAYERS.listed
BOARD = grid("Square", 8, 8)
NORTH, EAST = COMPASS["north"], COMPASS["east"]


def at(name: str, board: BoardType = BOARD) -> Cell:
    cell = board.by_name[name]
    assert isinstance(cell, Cell)
    return cell


def cells(names: str, board: BoardType = BOARD) -> OrderedSet:
    return OrderedSet(at(name, board) for name in names.split())


def test_players() -> None:
    two = MemberType("Player", (A, B))
    assert FUNCTIONS["other"](two, A) is B
    assert FUNCTIONS["next"](PLAYERS, C) is A
    assert FUNCTIONS["next_in"](PLAYERS, A, OrderedSet((A, C))) is C
    assert FUNCTIONS["next_in"](PLAYERS, A, OrderedSet((A,))) is A
    assert FUNCTIONS["next_in"](PLAYERS, A, EMPTY) is None
    assert FUNCTIONS["number"](PLAYERS, B) == 2
    assert [FUNCTIONS["member"](PLAYERS, k) for k in (0, 1, 3, 4)] == [None, A, C, None]


def test_cells() -> None:
    assert FUNCTIONS["cell"](BOARD, 2, 3) is at("b3")
    assert FUNCTIONS["cell"](BOARD, 0, 3) is None
    assert (FUNCTIONS["x"](BOARD, at("b3")), FUNCTIONS["y"](BOARD, at("b3"))) == (2, 3)
    assert FUNCTIONS["step"](BOARD, at("h1"), EAST) is None
    assert FUNCTIONS["step"](BOARD, at("g1"), Direction(1, 2)) is at("h3")


def test_rings_go_round() -> None:
    board = ring("Place", 5)
    assert FUNCTIONS["cell"](board, 4).name == "4"
    assert FUNCTIONS["cell"](board, 5) is None
    assert FUNCTIONS["ring_step"](board, board.cells[4], 3) is board.cells[2]
    assert FUNCTIONS["ring_step"](board, board.cells[0], -1) is board.cells[4]
    assert FUNCTIONS["steps"](board, board.cells[3], board.cells[1]) == 3
    assert FUNCTIONS["distance"](board, board.cells[0], board.cells[4]) == 1


def test_directions() -> None:
    assert FUNCTIONS["direction_sum"](None, NORTH, EAST) == COMPASS["northeast"]
    assert FUNCTIONS["direction_scale"](None, 2, EAST) == Direction(2, 0)
    assert FUNCTIONS["direction_negate"](None, NORTH) == COMPASS["south"]


def test_rays_and_what_lies_between() -> None:
    assert FUNCTIONS["ray"](BOARD, at("a1"), Direction(1, 1)) == cells("b2 c3 d4 e5 f6 g7 h8")
    assert FUNCTIONS["ray"](BOARD, at("a1"), Direction(0, 0)) == EMPTY
    assert FUNCTIONS["between"](BOARD, at("d1"), at("a4")).items == cells("c2 b3").items
    assert FUNCTIONS["between"](BOARD, at("a1"), at("b3")) == EMPTY
    assert FUNCTIONS["direction"](BOARD, at("d1"), at("a4")) == COMPASS["northwest"]
    assert FUNCTIONS["direction"](BOARD, at("a1"), at("b3")) is None
    assert FUNCTIONS["direction"](BOARD, at("a1"), at("a1")) is None
    assert FUNCTIONS["neighbours_in"](BOARD, at("a1"), OrderedSet((NORTH, EAST, COMPASS["west"]))) == cells("a2 b1")
    assert FUNCTIONS["leaps"](BOARD, at("b1"), 1, 2) == cells("a3 c3 d2")


def test_on_a_hex_board_no_line_follows_the_long_diagonal() -> None:
    board = hexagonal("Hexagon", 5, 5)
    assert FUNCTIONS["direction"](board, at("a1", board), at("c3", board)) is None
    assert FUNCTIONS["direction"](board, at("a3", board), at("c1", board)) == COMPASS["southeast"]


@given(st.sampled_from([grid("G", 4, 3), hexagonal("H", 4, 4), ring("R", 7), ring("S", 2)]), st.data())
def test_distance_counts_steps_between_neighbours(board: BoardType, data: st.DataObject) -> None:
    a, b = data.draw(st.sampled_from(board.cells)), data.draw(st.sampled_from(board.cells))
    reached, far = {a}, 0
    while b not in reached:
        reached |= {there for here in reached for there in neighbours(board, here)}
        far += 1
    assert FUNCTIONS["distance"](board, a, b) == far


def test_distance_on_a_graph() -> None:
    board = graph("Point", [("a", "b", "c"), ("d", "e")])
    assert FUNCTIONS["distance"](board, board.by_name["a"], board.by_name["c"]) == 2
    assert FUNCTIONS["distance"](board, board.by_name["a"], board.by_name["e"]) is None


def test_connected() -> None:
    assert FUNCTIONS["connected"](BOARD, EMPTY) is True
    assert FUNCTIONS["connected"](BOARD, cells("a1 b2 c3")) is True
    assert FUNCTIONS["connected"](BOARD, cells("a1 b2 d4")) is False
    assert FUNCTIONS["connected_to"](BOARD, cells("a1 b2 d4"), cells("a1 a2"), cells("b2")) is True
    assert FUNCTIONS["connected_to"](BOARD, cells("a1 b2 d4"), cells("a1"), cells("d4")) is False
    assert FUNCTIONS["connected_to"](BOARD, cells("a1"), cells("a1"), cells("a1")) is True


def test_sets_and_numbers() -> None:
    assert FUNCTIONS["size"](None, cells("a1 b1")) == 2
    assert FUNCTIONS["any"](None, EMPTY) is False
    assert FUNCTIONS["greatest"](None, cells("b1 a3 c2")) is at("a3")
    assert FUNCTIONS["least"](None, EMPTY) is None
    assert FUNCTIONS["max"](None, 2, 7, 3) == 7
    assert FUNCTIONS["min"](None, 2, 7, 3) == 2
    assert FUNCTIONS["abs"](None, -3) == 3


def test_none_gives_none_and_the_empty_set() -> None:
    assert FUNCTIONS["step"](BOARD, None, NORTH) is None
    assert FUNCTIONS["ray"](BOARD, None, NORTH) == EMPTY
    assert FUNCTIONS["neighbours"](BOARD, None) == EMPTY
    assert FUNCTIONS["distance"](BOARD, None, at("a1")) is None
    assert FUNCTIONS["x"](BOARD, None) is None
    assert FUNCTIONS["other"](PLAYERS, None) is None


def test_a_number_that_is_read_has_no_more_digits_than_rules_admit() -> None:
    assert read_number("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1
    with pytest.raises(ValueError, match="too many digits"):
        read_number("9" * (MOST_DIGITS + 1))


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


@pytest.mark.parametrize(
    ("board", "full"),
    [
        (grid("Cell", 3, 3), ["a1 b2 c3", "c1 b2 a3"]),
        (grid("Cell", 3, 4), ["a1 b2 c3", "c1 b2 a3", "a2 b3 c4", "c2 b3 a4"]),
        (hexagonal("Cell", 3, 3), ["c1 b2 a3"]),
        (hexagonal("Cell", 4, 2), ["b1 a2", "c1 b2", "d1 c2"]),
        (grid("Cell", 1, 3), []),
        (hexagonal("Cell", 3, 1), []),
        (ring("Cell", 4), []),
    ],
)
def test_a_full_diagonal_is_as_long_as_the_shorter_side(board: BoardType, full: list[str]) -> None:
    assert [names(diagonal) for diagonal in diagonals(board)] == full


def test_directions_in_geometry() -> None:
    assert len(directions(grid("Cell", 2, 2))) == 8
    assert len(directions(hexagonal("Cell", 2, 2))) == 6
