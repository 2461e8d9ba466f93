"""Tables of all that comes after one of several positions: the same rows as in the tables of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import PlayError
from zermelo.tables import Table

pytest.importorskip("pyarrow")


def rows_of(table: Table) -> dict[Any, Any]:
    """The rows of a table by their keys."""
    rows = [row for group in table.files.groups() for row in group.to_pylist()]
    keys = [name for name in table.files.columns if name.startswith("key")]
    return {tuple(row[name] for name in keys): row for row in rows}


def refused(call: Callable[[], object]) -> ZermeloError:
    with pytest.raises(ZermeloError) as raised:
        call()
    return raised.value


CASES: list[tuple[str, dict[str, int], list[str]]] = [
    ("tic_tac_toe", {}, ["mark(b2), mark(a1)", "mark(a1), mark(b1)", "mark(c3), mark(b3)"]),
    ("kalah", {"pits": 2, "seeds": 2}, ["sow(1)", "sow(2)"]),
    ("kalah", {"pits": 2, "seeds": 2}, ["sow(1)", ""]),
    ("pig", {"target": 6}, ["roll, die(3)", "roll, die(2), hold", "roll, die(1)"]),
    ("rook_ending", {"size": 4}, ["move_rook(a2)", "move_king(a2)"]),
]


def after(game: Game, play: str) -> State:
    state = game.initial
    for move in filter(None, play.split(", ")):
        state = state.after(move)
    return state


@pytest.mark.parametrize("up_to_symmetry", [None, False], ids=["alike", "all"])
@pytest.mark.parametrize(
    ("name", "parameters", "plays", "on_disk"),
    [(*case, on_disk) for case in CASES for on_disk in ((False,) if case[0] == "pig" else (False, True))],
)
def test_the_rows_are_those_of_the_tables_of_each(
    name: str, parameters: dict[str, int], plays: list[str], on_disk: bool, up_to_symmetry: bool | None, tmp_path: Path
) -> None:
    game = zermelo.load(name, **parameters)
    roots = [after(game, play) for play in plays]
    union = Table.build(roots, tmp_path / "union", up_to_symmetry=up_to_symmetry, resume=on_disk)
    union.verify()
    expected: dict[Any, Any] = {}
    for number, root in enumerate(roots):
        alone = Table.build(root, tmp_path / str(number), up_to_symmetry=up_to_symmetry)
        expected |= rows_of(alone)
        assert union[root] == alone[root]
        assert union.worths(root) == alone.worths(root)
    assert rows_of(union) == expected
    assert [root.play for root in Table.open(tmp_path / "union").roots] == [root.play for root in roots]


def test_an_unfinished_table_has_its_roots(tmp_path: Path) -> None:
    """It goes on with the same ones alone."""
    game, folder = zermelo.load("connect_four", rows=4, columns=4), tmp_path / "table"
    left, right = after(game, "drop(1)"), after(game, "drop(2)")
    assert refused(lambda: Table.build([left, right], folder, memory=200_000, resume=True)).code == "out-of-memory"
    for others in ([left], [right, left], [left, game]):
        assert refused(lambda others=others: Table.build(others, folder, resume=True)).code == "other-table"
    assert rows_of(Table.build([left, right], folder, resume=True)) == rows_of(
        Table.build([left, right], tmp_path / "at_once")
    )


# ------------------------------------------------------------- games that begin elsewhere

FAR = "setup:\n    king[White] := d1\n    rook := a1\n    king[Black] := c3\nstart at black"
NEAR = "setup:\n    king[White] := c3\n    rook := b2\n    king[Black] := a1"


@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "disk"])
def test_positions_of_files(on_disk: bool, tmp_path: Path) -> None:
    """Each is worth what it is alone; the table is found to be of all of them, whatever its first root is."""
    far, near = (zermelo.load_position("rook_ending", text, size=4) for text in (FAR, NEAR))
    table = Table.build([far, near.initial], tmp_path / "table", resume=on_disk)
    table.verify()
    for game in (far, near, *(root.game for root in Table.open(tmp_path / "table").roots)):
        solution = zermelo.solve(game, "positions")
        entry = table[game.initial]
        assert (entry.value, entry.distance, entry.best_moves) == (
            solution.value,
            solution.distance,
            len(solution.best),
        )
        looked_up = zermelo.solve(game, endgames=table.endgames(game))
        assert looked_up.value == solution.value and looked_up.counts["lookups"] > 0


CLIMB = """
game "Climb"
players A, B
claim zero_sum, perfect_information
var place: 0..9 = 0
var wall[1..2]: 0..9 = 9
{endless}
start at play(A)
phase play(p: Player):
    if {end}: end win p
    turn p:
        move climb(n in 1..2) if {way}:
            place += n
            go play(other p)
        move wait if place == 8 and {waits}:
            go play(other p)
"""


def climb(path: Path, position: str = "", **parts: str) -> Game:
    """A game of climbing up to 9."""
    usual = {"endless": "endless draw", "end": "place == wall[1]", "way": "place + n <= 9", "waits": "false"}
    path.write_text(CLIMB.format_map(usual | parts), encoding="utf-8")
    return zermelo.load_position(path, position) if position else zermelo.load(path)


@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "disk"])
def test_what_is_wrong_behind_another_root_is_told_with_a_play_from_there(on_disk: bool, tmp_path: Path) -> None:
    """From 7 on, 10 can be climbed to; a play that begins with 0 ends with 2."""
    parts = {"end": "place in {1, 2}", "way": "place + n < 3 or place >= 7"}
    path = tmp_path / "climb.game"
    game, late = climb(path, **parts), climb(path, "setup: place := 7", **parts)
    assert len(Table.build(game, tmp_path / "fine", resume=on_disk)) == 1
    with pytest.raises(PlayError) as alone:
        Table.build(late, tmp_path / "late", resume=on_disk)
    with pytest.raises(PlayError) as together:
        Table.build([game, late], tmp_path / "both", resume=on_disk)
    assert together.value.play == alone.value.play != ()
    assert together.value.code == alone.value.code
    assert list(tmp_path.glob("both*")) == []


@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "disk"])
def test_the_value_of_each_root_has_to_be_defined(on_disk: bool, tmp_path: Path) -> None:
    """In 8 one can only wait, and for ever; a play that begins with 0 ends with 2."""
    parts = {"endless": "", "end": "place in {1, 2}", "way": "place < 2", "waits": "true"}
    path = tmp_path / "climb.game"
    game, late = climb(path, **parts), climb(path, "setup: place := 8", **parts)
    assert len(Table.build(game, tmp_path / "fine", resume=on_disk)) == 1
    assert refused(lambda: Table.build([game, late], tmp_path / "both", resume=on_disk)).code == "needs-endless"
    assert refused(lambda: Table.build([late, game], tmp_path / "both", resume=on_disk)).code == "needs-endless"


def test_roots_for_which_there_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "climb.game"
    other, game = climb(path, end="place == 7"), climb(path)
    walled = climb(path, "setup: wall[1] := 3")
    end = after(game, "climb(2), climb(2), climb(2), climb(2), climb(1)")
    assert end.is_over
    for roots in ([game.initial, end], [game, other], [game, walled], [walled, game]):
        assert refused(lambda roots=roots: Table.build(roots, tmp_path / "table")).code == "no-table"
    assert refused(lambda: Table.build([game, game], tmp_path / "table", plies=2)).code == "no-table"
    assert list(tmp_path.glob("table*")) == []


def test_the_same_root_twice(tmp_path: Path) -> None:
    game = zermelo.load("tic_tac_toe")
    roots = [after(game, "mark(a1)"), after(game, "mark(c3)"), after(game, "mark(a1)")]
    assert rows_of(Table.build(roots, tmp_path / "three")) == rows_of(Table.build(roots[0], tmp_path / "one"))
