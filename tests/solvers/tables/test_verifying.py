"""Verifying notices whatever is wrong in a row."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pytest
from written_games import COIN

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.tables import dataset, expanding, verifying
from zermelo.solvers.tables.dataset import TableFiles, TableWriter, new_folder
from zermelo.tables import Table

LITTLE = 20_000
"""So many bytes of memory that the positions behind a few hundred rows do not fit together."""


def rewritten(table: Table, folder: Path, rows: list[dict[str, Any]] | pyarrow.Table) -> Table:
    """A table with other rows, otherwise sound, in small row groups."""
    manifest = {
        name: value for name, value in table.files.manifest.items() if name not in ("format", "version", "files")
    }
    schema = next(table.files.groups()).schema
    with new_folder(folder) as beside, pytest.MonkeyPatch.context() as patch:
        patch.setattr(dataset, "GROUP_ROWS", 400)
        writer = TableWriter(beside, schema, table.files.width)
        writer.write(pyarrow.Table.from_pylist(rows, schema=schema) if isinstance(rows, list) else rows)
        writer.finish(manifest)
    return Table(TableFiles.open(folder), table.game)


def flaw(table: Table, little: int = LITTLE) -> str:
    """What is wrong with a table, which is the same if it is verified at once and span by span."""
    found = []
    for memory in (None, little):
        with pytest.raises(ZermeloError) as raised:
            table.verify(memory=memory)
        assert raised.value.code == "damaged-table"
        found.append(raised.value.message)
    assert found[0] == found[1]
    return found[0]


def changed(row: dict[str, Any], name: str, random: Random) -> dict[str, Any]:
    """A row with another entry in a column."""
    other = dict(row)
    if name == "value":
        low = random.choice([value for value in (-1, 0, 1) if value != row["value_X"]])
        other |= {"value_X": low, "value_O": -low}
    elif name == "to_move":
        other["to_move"] = "X" if row["to_move"] == "O" else "O"
    else:
        other[name] = (row[name] or 0) + random.choice((1, 2))
    return other


@pytest.mark.parametrize("name", ["value", "value_O", "moves_to_the_end", "best_moves", "to_move"])
def test_a_wrong_entry(name: str, tic_tac_toe: Table, tmp_path: Path) -> None:
    random, (group,) = Random(name), tic_tac_toe.files.groups()
    rows = group.to_pylist()
    for k in range(8):
        place = random.randrange(len(rows)) if k else 0
        other = [*rows[:place], changed(rows[place], name, random), *rows[place + 1 :]]
        assert flaw(rewritten(tic_tac_toe, tmp_path / str(k), other))


def test_rows_to_which_no_play_leads(tmp_path: Path) -> None:
    """They are as right as all others, but come after another beginning."""
    game = zermelo.load("tic_tac_toe")
    centre, corner = game.initial.after("mark(b2)"), game.initial.after("mark(a1)")
    table = Table.build(centre, tmp_path / "centre")
    both = Table.build([centre, corner], tmp_path / "both")
    forged = rewritten(table, tmp_path / "forged", pyarrow.concat_tables(both.files.groups()))
    assert len(forged) > len(table)
    assert forged[corner].value == both[corner].value
    assert "no play leads to it" in flaw(forged, 3000)
    both.verify(memory=3000)


ROUNDS = """
game "Rounds"
players A, B
claim zero_sum, perfect_information
var place: 1..6 = 1
endless draw
start at play(A)
phase play(p: Player):
    turn p:
        move on:
            place := if place % 3 == 0 then place - 2 else place + 1
            go play(other p)
        move stop if place == 3: end win p
"""


def test_a_circle_to_which_no_play_leads(tmp_path: Path) -> None:
    """Moves lead to each of its positions, from others of it. Where there is little room that is enough."""
    path = tmp_path / "rounds.game"
    path.write_text(ROUNDS, encoding="utf-8")
    game, other = zermelo.load(path), zermelo.load_position(path, "setup: place := 4")
    table, both = Table.build(game, tmp_path / "one"), Table.build([game, other], tmp_path / "both")
    table.verify()
    both.verify()
    forged = rewritten(table, tmp_path / "forged", pyarrow.concat_tables(both.files.groups()))
    with pytest.raises(ZermeloError, match="no play leads to it"):
        forged.verify()
    forged.verify(memory=1)


def test_with_little_room(tic_tac_toe: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few positions at a time, and not even room for the moves of one at first."""
    monkeypatch.setattr(expanding, "PART", 100)
    monkeypatch.setattr(expanding, "EDGES", 1)
    tic_tac_toe.verify()
    (group,) = tic_tac_toe.files.groups()
    rows = group.to_pylist()
    rows[4321] = changed(rows[4321], "value", Random(1))
    assert "the row with key0" in flaw(rewritten(tic_tac_toe, tmp_path / "wrong", rows))


def test_rows_that_are_missing_or_doubled(tic_tac_toe: Table, tmp_path: Path) -> None:
    (group,) = tic_tac_toe.files.groups()
    rows = group.to_pylist()
    assert "has no row" in flaw(rewritten(tic_tac_toe, tmp_path / "missing", [*rows[:700], *rows[701:]]))
    assert "come behind" in flaw(rewritten(tic_tac_toe, tmp_path / "doubled", [*rows[:700], *rows[699:]]))
    exchanged = [*rows[400:800], *rows[:400], *rows[800:]]
    assert "come behind" in flaw(rewritten(tic_tac_toe, tmp_path / "exchanged", exchanged))
    assert flaw(rewritten(tic_tac_toe, tmp_path / "root", rows[1:]))
    rewritten(tic_tac_toe, tmp_path / "right", rows).verify()
    (tmp_path / "right" / "part-00001.parquet").write_bytes(b"")
    assert "does not belong" in flaw(Table.open(tmp_path / "right"))


def test_in_spans(tic_tac_toe: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In little memory the table is read often, each time for no more positions than fit."""
    (group,) = tic_tac_toe.files.groups()
    table = rewritten(tic_tac_toe, tmp_path / "right", group.to_pylist())
    sought, look_up = list[int](), verifying.TableVerifier._rows_of

    def counted(self: Any, keys: Any, *given: Any) -> Any:
        sought.append(len(keys))
        return look_up(self, keys, *given)

    monkeypatch.setattr(verifying.TableVerifier, "_rows_of", counted)
    table.verify()
    assert sought == [len(table)]
    sought.clear()
    table.verify(memory=LITTLE)
    assert len(sought) > 5 and max(sought) < len(table) // 3


def test_positions_that_lie_behind_many(tmp_path: Path) -> None:
    """What is sought comes up again and again, and is united more than once before it is looked up."""
    table = Table.build(zermelo.load("rook_ending"), tmp_path / "table")
    rewritten(table, tmp_path / "right", pyarrow.concat_tables(table.files.groups())).verify(memory=33 * len(table) - 1)


def test_in_a_megabyte(tmp_path: Path) -> None:
    """More positions than a megabyte has room for, good, and with wrong entries at the ends of row groups."""
    table = Table.build(zermelo.load("connect_four", rows=4, columns=4), tmp_path / "table")
    assert len(table) == 67_163
    table.verify(memory=1 << 20)
    whole = pyarrow.concat_tables(table.files.groups())
    distances = whole.column("moves_to_the_end").to_pylist()
    place, kind = whole.schema.get_field_index("moves_to_the_end"), whole.schema.field("moves_to_the_end")
    for row in (0, 32_768):
        column = pyarrow.array([*distances[:row], distances[row] + 2, *distances[row + 1 :]], kind.type)
        forged = rewritten(table, tmp_path / str(row), whole.set_column(place, kind, column))
        assert f"key0 = {whole.column('key0')[row]} " in flaw(forged, 1 << 20)


def test_a_wrong_mean(tmp_path: Path) -> None:
    table = Table.build(zermelo.loads(COIN), tmp_path / "table")
    table.verify()
    (group,) = table.files.groups()
    rows = group.to_pylist()
    assert {row["to_move"] for row in rows} == {"Ann", "Bob", "chance"}
    for place, row in enumerate(rows):
        other = {**row, "value_Ann_numerator": row["value_Ann_numerator"] + 1}
        folder = tmp_path / str(place)
        assert flaw(rewritten(table, folder, [*rows[:place], other, *rows[place + 1 :]]))


def test_a_value_that_is_less_or_more_than_the_moves_bring(tmp_path: Path) -> None:
    """At the beginning, to which nothing leads: doubling brings 2/3, staying 1/3."""
    table = Table.build(zermelo.loads(COIN), tmp_path / "table")
    (group,) = table.files.groups()
    rows, key = group.to_pylist(), table.files.manifest["roots"][0]["key"]
    (place,) = [place for place, row in enumerate(rows) if [str(row["key0"])] == key]
    assert (rows[place]["value_Ann_numerator"], rows[place]["value_Ann_denominator"]) == (2, 3)
    for number, why in ((1, "a move brings more"), (3, "no move brings its value")):
        other = rows[place] | {"value_Ann_numerator": number, "value_Bob_numerator": -number}
        forged = rewritten(table, tmp_path / str(number), [*rows[:place], other, *rows[place + 1 :]])
        assert why in flaw(forged)


def test_moves_that_win_later_are_not_best(tic_tac_toe: Table, tmp_path: Path) -> None:
    """Where a move wins at once, others may win, too."""
    state = tic_tac_toe.game.initial
    for move in ("mark(a1)", "mark(a2)", "mark(b1)", "mark(a3)"):
        state = state.after(move)
    worths, best = tic_tac_toe.worths(state)
    assert [str(move) for move in best] == ["mark(c1)"]
    assert sum(worth.payoff == (1, -1) for worth in worths) > 1
    (group,) = tic_tac_toe.files.groups()
    rows = group.to_pylist()
    at_once = [place for place, row in enumerate(rows) if row["moves_to_the_end"] == row["best_moves"] == 1]
    for place in Random(1).sample(at_once, 15):
        other = rows[place] | {"best_moves": 2}
        forged = rewritten(tic_tac_toe, tmp_path / str(place), [*rows[:place], other, *rows[place + 1 :]])
        assert "number of its best moves" in flaw(forged)


UNDEFINED = """
game "Undefined"
players Ann, Bob
start at choose

phase choose:
    turn Ann:
        move take: end win Ann
        move wander: go hold(Bob)

phase hold(p: Player):
    turn p:
        move give_up: end win other p
        move hold_on: go hold(other p)
"""


def test_values_that_are_not_defined(tmp_path: Path) -> None:
    """Who holds on for ever need not lose, and the rules do not say what that pays."""
    game = zermelo.loads(UNDEFINED)
    table = Table.build(game, tmp_path / "table")
    table.verify()
    assert table[game.initial].value == (1, -1)
    wandering = table[game.initial.after("wander")]
    assert (wandering.value, wandering.distance, wandering.best_moves) == (None, None, None)
    (group,) = table.files.groups()
    rows = group.to_pylist()
    assert [row["value_Ann"] for row in rows if row["best_moves"] is None] == [None, None]


def without_value(row: dict[str, Any]) -> dict[str, Any]:
    """A row that says nothing but who is to move."""
    return {name: entry if name.startswith(("key", "to_move")) else None for name, entry in row.items()}


@pytest.mark.parametrize("name", ["nim", "coin"])
def test_values_that_are_said_not_to_be_defined(name: str, tmp_path: Path) -> None:
    """Where plays end all are: without the value that refutes another one, that one would be verified."""
    game = zermelo.loads(COIN) if name == "coin" else zermelo.load("nim", heaps=2, smallest=2)
    table = Table.build(game, tmp_path / "table")
    (group,) = table.files.groups()
    rows = group.to_pylist()
    assert "has no value" in flaw(rewritten(table, tmp_path / "all", list(map(without_value, rows))))
    for place, row in enumerate(rows):
        others = [*rows[:place], without_value(row), *rows[place + 1 :]]
        assert "has no value" in flaw(rewritten(table, tmp_path / str(place), others))


def test_a_value_for_one_player_alone(tmp_path: Path) -> None:
    table = Table.build(zermelo.loads(COIN), tmp_path / "table")
    (group,) = table.files.groups()
    rows = group.to_pylist()
    for name in (name for name in rows[0] if name.startswith("value_")):
        others = [rows[0] | {name: None}, *rows[1:]]
        assert "has no value" in flaw(rewritten(table, tmp_path / name, others))


def test_a_book_whose_last_values_are_said_not_to_be_defined(tmp_path: Path) -> None:
    game = zermelo.load("nim", heaps=2, smallest=2)
    book = Table.build(game, tmp_path / "book", plies=1)
    (group,) = book.files.groups()
    others = [without_value(row) if row["value_Ann"] < 0 else row for row in group.to_pylist()]
    assert sum(row["value_Ann"] is None for row in others) == len(others) - 2
    assert "has no value" in flaw(rewritten(book, tmp_path / "forged", others), 1 << 20)
