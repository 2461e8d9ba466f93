"""Sweeps over parameters: rows in the order of the grid, files that go on, and what is refused before anything runs."""

from __future__ import annotations

import csv
import shlex
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.commands import sweep as command
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.row_files import read_rows
from zermelo.sweeping import MOST, SweepRow, _Work, sweep

NIM = {"heaps": "1..3", "smallest": [1, 2]}

LOTTERY = """\
game "Lottery"
players 1..3 = 1
type Colour = red | green
param share: 0..2 by 1/2 = 1
param seconds: 1..20000 = 1
param colour: Colour = red
param open: Bool = true
require seconds != 3
start at choose
phase choose:
    turn P1:
        move keep: end payoff {p: share for p in Player}
        move leave: end payoff {p: if open and colour == red then 0 else seconds for p in Player}
"""
"""For one, two or three players, each of whom gets the same."""


def nim_value(heaps: int, smallest: int) -> str:
    """By the theorem of Bouton (1901): who begins loses if the sum without carries is 0."""
    return "1" if reduce(xor, range(smallest, smallest + heaps)) else "-1"


@pytest.mark.parametrize("jobs", [1, 3])
def test_rows_stand_in_the_order_of_the_grid(jobs: int) -> None:
    rows = sweep("nim", NIM, jobs=jobs)
    found = [(*row.parameters.values(), row.value) for row in rows]
    expected = [(heaps, smallest, nim_value(heaps, smallest)) for heaps in (1, 2, 3) for smallest in (1, 2)]
    assert [(heaps, smallest, value and value["Ann"]) for heaps, smallest, value in found] == expected
    assert all(row.certainty == "exact" and row.solver and row.nodes and not row.error for row in rows)


@pytest.mark.parametrize(
    ("grid", "values"),
    [
        ({}, [(1, "1", 1, "red", True)]),
        ({"share": "0..1"}, [(1, share, 1, "red", True) for share in ("0", "1/2", "1")]),
        ({"share": "1/2 .. 2, 0"}, [(1, share, 1, "red", True) for share in ("1/2", "1", "3/2", "2", "0")]),
        ({"share": "0..2 by 1"}, [(1, share, 1, "red", True) for share in ("0", "1", "2")]),
        ({"share": Fraction(1, 2)}, [(1, "1/2", 1, "red", True)]),
        ({"colour": "green, red"}, [(1, "1", 1, colour, True) for colour in ("green", "red")]),
        ({"open": [False, True]}, [(1, "1", 1, "red", False), (1, "1", 1, "red", True)]),
        ({"seconds": "2,2,1..2"}, [(1, "1", seconds, "red", True) for seconds in (2, 1)]),
        ({"seconds": [5, 4], "players": (2, 3)}, [(p, "1", s, "red", True) for s in (5, 4) for p in (2, 3)]),
    ],
)
def test_what_a_grid_stands_for(
    game_file: Callable[[str], str], grid: Mapping[str, Any], values: list[tuple[Any, ...]]
) -> None:
    rows = sweep(game_file(LOTTERY), grid, jobs=1)
    assert [(p, str(share), *rest) for p, share, *rest in (row.parameters.values() for row in rows)] == values
    assert [list(row.value or ()) for row in rows] == [[f"P{k + 1}" for k in range(p)] for p, *_ in values]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("-p seconds=0..3", "parameter-out-of-range", "cannot be 0"),
        ("-p seconds=1,many", "parameter-out-of-range", "cannot be 'many'"),
        ("-p share=1/3", "parameter-out-of-range", "cannot be 1/3"),
        ("-p second=1", "unknown-parameter", "did you mean 'seconds'?"),
        ("-p seconds=3..1", "bad-usage", "'3..1': the parameter 'seconds' has no such range"),
        ("-p seconds=a..3", "bad-usage", "'a..3': the parameter 'seconds' has no such range"),
        ("-p 'share=0..1 by 1/3'", "bad-usage", "'0..1 by 1/3': the parameter 'share' has no such step"),
        ("-p 'share=0..1 by x'", "bad-usage", "has no such step"),
        ("-p 'share=0..1 by 0'", "bad-usage", "has no such step"),
        ("-p colour=red..green", "bad-usage", "the parameter 'colour' is not a number that goes in steps"),
        ("-p open=false..true", "bad-usage", "the parameter 'open' is not a number that goes in steps"),
        ("-p seconds=1..20000", "bad-usage", "has too many values in this range"),
        (f"-p seconds=1..{MOST // 2 + 1} -p open=true,false", "bad-usage", "these are 10,002 combinations"),
        ("-p seconds=1 --solver minmax", "unknown-solver", "minimax"),
    ],
)
def test_what_is_refused_before_anything_runs(
    run: Callable[..., Any], game_file: Callable[[str], str], tmp_path: Path, words: str, code: str, says: str
) -> None:
    ran = run("sweep", game_file(LOTTERY), *shlex.split(words), "-o", "rows.csv")
    assert ran.code in (1, 2) and f"error[{code}]" in ran.err and says in ran.err
    assert not (tmp_path / "rows.csv").exists()


def test_a_grid_needs_values() -> None:
    with pytest.raises(ZermeloError, match="'heaps' has no value"):
        sweep("nim", {"heaps": []})


def test_what_fails_stops_nothing(run: Callable[..., Any], game_file: Callable[[str], str]) -> None:
    """Parameters that do not go together, and a solver that does not fit."""
    ran = run("sweep", game_file(LOTTERY), "-p", "seconds=2..4", "--json")
    assert ran.code == 1
    assert [(row["error"], row["value"]) for row in ran.record["rows"]] == [
        ("", {"P1": "1"}),
        ("requirement-not-met", None),
        ("", {"P1": "1"}),
    ]
    shown = run("sweep", "test.game", "-p", "seconds=2..4", "-p", "players=1,2", "--solver", "minimax")
    assert shown.code == 1 and "requirement-not-met" in shown.out and "needs-two-players" in shown.out


def test_limits_are_for_each() -> None:
    assert [row.error for row in sweep("nim", {"heaps": "2..4"}, time=0.0, jobs=2)] == ["out-of-time"] * 3
    (row,) = sweep("leduc_poker", {}, memory=1 << 16)
    assert row.error == "out-of-memory"


# ---------------------------------------------------------------- files


@pytest.fixture(params=["rows.csv", "rows.parquet"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def without_seconds(path: Path) -> list[dict[str, Any]]:
    return [{name: cell for name, cell in cells.items() if name != "seconds taken"} for cells in read_rows(path)]


def test_rows_that_a_file_has_are_kept(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are not in the grid, behind the others; and they are not solved again."""
    sweep("nim", {"heaps": [3, 1], "smallest": 2}, file=file, jobs=1)
    sweep("nim", {"heaps": [2], "smallest": 1}, file=str(file), jobs=1)
    seconds = {cells["heaps"]: cells["seconds taken"] for cells in read_rows(file)}
    found, told = dict[int, SweepRow](), sweep("nim", NIM, jobs=2)
    monkeypatch.setattr(_Work, "__call__", lambda *given: pytest.fail("this is solved again"))
    monkeypatch.setattr("zermelo.sweeping._SAVING", 0.0)
    kept = sweep("nim", {"heaps": [1, 3], "smallest": [2]}, file=file, report=found.__setitem__)
    assert list(found.items()) == list(enumerate(kept)) and kept == [told[1], told[5]]
    monkeypatch.undo()
    assert sweep("nim", NIM, file=file, jobs=2) == told
    written = read_rows(file)
    assert [
        cells["seconds taken"]
        for cells in written
        if str(cells["heaps"]) + str(cells["smallest"]) in ("12", "21", "32")
    ] == [seconds[type(written[0]["heaps"])(heaps)] for heaps in (1, 2, 3)]


def test_two_sweeps_may_keep_their_rows_in_one_file(file: Path) -> None:
    """While one is at work the other one comes and goes."""

    def begin_another(number: int, row: SweepRow) -> None:
        if number == 0:
            sweep("nim", {"heaps": 2, "smallest": 1}, file=file, jobs=1)

    sweep("nim", {"heaps": [1, 3], "smallest": 2}, file=file, jobs=1, report=begin_another)
    assert [str(cells["heaps"]) for cells in read_rows(file)] == ["1", "3", "2"]


def test_a_file_has_the_same_rows_however_it_came_about(file: Path, tmp_path: Path) -> None:
    whole = tmp_path / f"whole{file.suffix}"
    sweep("nim", NIM, file=whole, jobs=2)
    for heaps in (2, 3, 1):
        sweep("nim", {**NIM, "heaps": heaps}, file=file, jobs=1)
    sweep("nim", NIM, file=file, jobs=1)
    assert without_seconds(file) == without_seconds(whole)


def test_rows_of_all_kinds_are_read_as_they_were_written(game_file: Callable[[str], str], file: Path) -> None:
    """With fewer players, fractions, names, errors, and a parameter whose name is that of something else."""
    name = game_file(LOTTERY)
    grid = {"players": "1..3", "share": "0..1", "seconds": [2, 3], "open": "true,false", "colour": "green"}
    rows = sweep(name, grid, file=file, jobs=2)
    assert len({row.error for row in rows}) == 2
    assert sweep(name, grid, file=file, jobs=1) == rows
    read = read_rows(file)
    assert {str(cells["seconds"]) for cells in read} == {"2", "3"}
    assert {cells["value for P3"] or "" for cells in read} == {"", "2"}


def test_certain_decimals_are_read_again(file: Path) -> None:
    """Of a value that is too long as a fraction, and of strategies that are near an equilibrium."""
    for game, grid, solver in (("pig", {"target": [12]}, None), ("kuhn_poker", {}, "cfr_plus")):
        rows = sweep(game, grid, solver=solver, file=file, jobs=1)
        assert rows[0].value and sweep(game, grid, solver=solver, file=file) == rows
        file.unlink()


def test_rows_of_others_are_refused(run: Callable[..., Any], file: Path, tmp_path: Path) -> None:
    assert run("sweep", "nim", "-p", "heaps=1,2", "-o", str(file)).code == 0
    before = file.read_bytes()
    for words, says in (
        ("chomp -p rows=2", "another game, or of another text of this one"),
        ("nim -p heaps=1..3 --time 60", "were made without options, and these would be made with --time 60"),
        ("nim -p heaps=1..3 --solver minimax", "with --solver minimax"),
        ("nim -p heaps=1..3 --memory 1M", "with --memory 1048576"),
    ):
        refused = run("sweep", *words.split(), "-o", str(file))
        assert refused.code == 1 and "error[other-sweep]" in refused.err and says in " ".join(refused.err.split())
        assert file.read_bytes() == before


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "heaps,smallest,digest of rules\n1,2,3\n", "a,b\n"])
def test_other_tables_are_left_alone(run: Callable[..., Any], tmp_path: Path, content: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(content)
    assert "error[other-sweep]" in run("sweep", "nim", "-p", "heaps=1", "-o", str(path)).err
    assert path.read_text() == content


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_what_is_no_table_is_left_alone(run: Callable[..., Any], tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xff\xfe")
    refused = run("sweep", "nim", "-p", "heaps=1", "-o", str(tmp_path / name))
    assert (refused.code, "error[unreadable-file]" in refused.err) == (2, True)
    assert (tmp_path / name).read_bytes() == b"\xff\xfe"


def test_a_row_whose_cells_are_not_what_they_were(tmp_path: Path, run: Callable[..., Any]) -> None:
    path = tmp_path / "rows.csv"
    sweep("nim", {"heaps": 1}, file=path, jobs=1)
    with path.open(newline="") as stream:
        (cells,) = csv.DictReader(stream)
    path.write_text(path.read_text().replace(f",{cells['nodes visited']},", ",many,"))
    assert "error[other-sweep]" in run("sweep", "nim", "-p", "heaps=1", "-o", str(path)).err


@pytest.mark.parametrize(
    ("before", "after"),
    [("1,3,1,-1", "1,3,01-Feb,-1"), ("1,3,1,-1", "1,3,1/0,-1"), ("1,3,1,-1", "99,3,1,-1")],
)
def test_a_row_that_another_program_has_changed(
    tmp_path: Path, run: Callable[..., Any], before: str, after: str
) -> None:
    path = tmp_path / "rows.csv"
    sweep("nim", {"heaps": 1}, file=path, jobs=1)
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    assert "error[other-sweep]" in run("sweep", "nim", "-p", "heaps=1", "-o", str(path)).err


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    rows = sweep("nim", {"heaps": 1}, file=path, jobs=1)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert sweep("nim", {"heaps": 1}, file=path, jobs=1) == rows


def test_of_a_parameter_given_twice_the_last_values_count(run: Callable[..., Any]) -> None:
    heads = run("sweep", "nim", "-p", "heaps=1..3", "-p", "heaps=2", "-j", "1").out.splitlines()[0].split()
    assert heads.count("heaps") == 1


def test_without_its_library_the_extra_is_named(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is solved."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("zermelo.sweeping.build", lambda *given: None)
    refused = run("sweep", "nim", "-p", "heaps=1", "-o", str(tmp_path / "rows.parquet"))
    assert refused.code == 1 and "error[library-missing]" in refused.err and "zermelo[tables]" in refused.err


# ---------------------------------------------------------------- interrupts


def interrupt_after(count: int, told: list[SweepRow]) -> Callable[[int, SweepRow], None]:
    def report(number: int, row: SweepRow) -> None:
        told.append(row)
        if len(told) == count:
            raise KeyboardInterrupt

    return report


def test_an_interrupt_keeps_what_is_finished(file: Path) -> None:
    told = list[SweepRow]()
    with pytest.raises(KeyboardInterrupt):
        sweep("nim", NIM, file=file, jobs=2, report=interrupt_after(3, told))
    assert len(read_rows(file)) == 3
    rows = sweep("nim", NIM, file=file, jobs=2)
    assert rows == sweep("nim", NIM, jobs=1) and all(row in rows for row in told)


def test_an_interrupt_before_the_first_row_leaves_no_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.sweeping.spread_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sweep("nim", NIM, file=file)
    assert not file.exists()


def test_a_command_that_is_interrupted_prints_what_is_finished(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(game: str, grid: Mapping[str, Any], report: Callable[[int, SweepRow], None], **more: Any) -> None:
        report(1, SweepRow({"heaps": 2}, {"Ann": "1"}))
        report(0, SweepRow({"heaps": 1}, {"Ann": "-1"}))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "sweep", interrupted)
    ran = run("sweep", "nim", "-p", "heaps=1..3")
    assert ran.code == 130 and ran.out.index("-1") < ran.out.index("2  ")
    assert "stopped by an interrupt: these are the rows that were finished." in ran.out
    assert run("sweep", "nim", "-p", "heaps=1..3", "--json").record["stopped"] == "by an interrupt"


def test_it_is_public() -> None:
    assert zermelo.sweep is sweep
