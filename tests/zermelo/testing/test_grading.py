"""``zermelo grade``: files held against a model, and files of every kind that stop nothing."""

from __future__ import annotations

import csv
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from judged_lines import STONES

import zermelo
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.spreading import InThreads
from zermelo.testing import grading
from zermelo.testing.grading import GradedFile, Verdict, files_in

MODEL = STONES.replace("= 7", "= 4")
RENAMED = MODEL.replace("take", "remove").replace("Ann", "Alice")
MISERE = MODEL.replace("end win other p", "end win p")
TWISTED = MODEL.replace("1..2", "1..3")
CLAIMING = f"{MODEL}\nclaim perfect_information\nexpect value == (-1, 1)\n"
ENDLESS = """\
game "Round and round"
players Ann, Bob
start at play(Ann)
phase play(p: Player):
    turn p:
        move on: go play(other p)
        move stop: end win p
endless payoff 0
"""


@pytest.fixture
def model() -> zermelo.Game:
    return zermelo.loads(MODEL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.game").write_text(MODEL, encoding="utf-8")
    (tmp_path / "in" / "late").mkdir(parents=True)
    return tmp_path / "in"


def hand_in(folder: Path, **files: str | bytes) -> None:
    """Write files; the name of one says in which folder it is, ``late__ann``."""
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        (folder / f"{name.replace('__', '/')}.game").write_bytes(data)


def graded(model: zermelo.Game, folder: Path) -> dict[str, GradedFile]:
    found = zermelo.grade(model, folder, jobs=2)
    return {Path(each.name).relative_to(folder).with_suffix("").as_posix(): each for each in found.files}


def test_a_file_is_right_if_it_is_the_same_game(model: zermelo.Game, folder: Path) -> None:
    """In Windows a line ends with two signs; names are those that whoever wrote it chose."""
    hand_in(folder, same=MODEL, renamed=RENAMED, windows=MODEL.replace("\n", "\r\n"), late__same=MODEL)
    found = graded(model, folder)
    assert list(found) == ["late/same", "renamed", "same", "windows"]
    for each in found.values():
        assert (each.verdict, each.same, each.difference, each.findings) == (Verdict.RIGHT, True, None, ())
        assert each.certainty == "exact" and {*(each.value or {}).values()} == {"1", "-1"}


def test_a_difference_is_that_of_diff(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, misere=MISERE, twisted=TWISTED)
    for name, text in (("misere", MISERE), ("twisted", TWISTED)):
        each = graded(model, folder)[name]
        assert each.verdict is Verdict.WRONG and each.said and not each.stopped
        assert each.difference == model.diff(zermelo.loads(text)).difference


def test_two_files_of_one_name_are_two(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, ann=MODEL, late__ann=MISERE)
    assert {name: each.verdict for name, each in graded(model, folder).items()} == {
        "ann": Verdict.RIGHT,
        "late/ann": Verdict.WRONG,
    }


def test_a_line_that_fails_makes_a_file_wrong(model: zermelo.Game, folder: Path) -> None:
    """The game of 4 stones is won by whoever begins: one is taken, and of 3 whoever moves loses."""
    hand_in(folder, claiming=CLAIMING)
    each = graded(model, folder)["claiming"]
    assert (each.same, each.verdict) == (True, Verdict.WRONG)
    assert [result.status.value for result in each.results] == ["passed", "failed"]
    assert each.said.startswith("expect value == (-1, 1): ")


def test_whatever_is_wrong_with_a_file_stops_no_other(model: zermelo.Game, folder: Path) -> None:
    hand_in(
        folder, right=MODEL, text='game "x', bytes=b"\0\1", empty="", failing=MODEL.replace("left -= n", "left -= 3")
    )
    os.symlink("loop.game", folder / "loop.game")
    os.symlink("nowhere", folder / "gone.game")
    found = graded(model, folder)
    codes = {name: [error["code"] for error in each.errors] for name, each in found.items() if not each.is_game}
    assert codes == {
        "bytes": ["binary-file"],
        "empty": ["empty-file"],
        "gone": ["unreadable-file"],
        "loop": ["unreadable-file"],
        "text": ["unterminated-text"],
    }
    assert all(found[name].verdict is Verdict.BROKEN and found[name].said for name in codes)
    assert found["right"].verdict is Verdict.RIGHT
    assert found["failing"].verdict is Verdict.WRONG and found["failing"].difference is not None


def test_other_rules_that_go_on_for_ever_are_another_game(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, endless=ENDLESS)
    assert graded(model, folder)["endless"].verdict is Verdict.WRONG


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_file_that_never_comes_to_its_end_is_left(
    model: zermelo.Game, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe is opened only once somebody writes to it: no deadline is looked at, so the process is ended."""
    os.mkfifo(folder / "pipe.game")
    monkeypatch.setattr(grading, "_GRACE", 0.0)
    each = grading._Grading(model, {}, 0.0, Limits().memory)(str(folder / "pipe.game"))
    assert (each.verdict, each.stopped) == (Verdict.OPEN, "after 0 s")


def test_what_was_found_before_the_time_was_up_is_kept(
    model: zermelo.Game, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(folder, misere=MISERE)

    def end(*_: object) -> None:
        os._exit(1)

    monkeypatch.setattr(grading, "_with_value", end)
    each = graded(model, folder)["misere"]
    assert (each.verdict, each.stopped) == (Verdict.WRONG, "by a fault: its process ended")


def test_a_limit_leaves_a_file_open(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, same=MODEL)
    each = grading._Grading(model, {}, 0.0, Limits().memory)(str(folder / "same.game"))
    assert (each.verdict, each.said) == (Verdict.OPEN, "") and each.stopped == "after 0 s"


def test_what_is_not_known_is_no_success() -> None:
    """A comparison that a limit ended, and lines that one ended."""
    for each in (
        GradedFile("ann.game", is_game=True, length=3, stopped="after 1 s"),
        GradedFile("ann.game", is_game=True, same=True, stopped="after 1 s"),
    ):
        assert each.verdict is Verdict.OPEN
    uncompared = GradedFile("ann.game", is_game=True, length=3, stopped="after 1 s")
    assert [case.outcome for case in uncompared.cases()] == ["passed", "skipped"]
    assert uncompared.record()["length"] == 3


def test_a_model_that_takes_too_long_is_the_error(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, same=MODEL)
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.grade(zermelo.loads(MODEL), folder, time=0)
    assert refused.value.code == "out-of-time"


# Which files of a folder are graded.


def test_what_is_no_game_is_named(folder: Path) -> None:
    """Links to folders may lead round in circles."""
    hand_in(folder, ann=MODEL, late__ben=MODEL)
    (folder / "late" / "notes.txt").write_text("", encoding="utf-8")
    (folder / ".hidden.game").write_text("", encoding="utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "old.game").write_text("", encoding="utf-8")
    os.symlink("..", folder / "late" / "up")
    os.symlink("..", folder / "late" / "up.game")
    (folder / "a.game").mkdir()
    found, others = files_in(folder)
    assert found == [str(folder / "ann.game"), str(folder / "late" / "ben.game")]
    assert others == [str(folder / "late" / name) for name in ("notes.txt", "up", "up.game")]


@pytest.mark.parametrize("place", ["in", "nowhere", "model.game"])
def test_a_folder_without_games_is_refused(run, folder: Path, place: str) -> None:
    (folder / "notes.txt").write_text("", encoding="utf-8")
    ran = run("grade", "model.game", place)
    assert (ran.code, ran.out) == (2, "") and "unreadable-file" in ran.err


def test_a_broken_model_is_refused(run, folder: Path) -> None:
    hand_in(folder, ann='game "x')
    ran = run("grade", "in/ann.game", "in")
    assert (ran.code, ran.out) == (1, "") and "unterminated-text" in ran.err and "in/ann.game:1:6" in ran.err


# What the command prints and writes.


def test_the_table_and_what_is_below_it(run, folder: Path) -> None:
    hand_in(folder, ann=MODEL, ben=MISERE, cat='game "x', dan=CLAIMING)
    (folder / "notes.txt").write_text("", encoding="utf-8")
    ran = run("grade", "model.game", "in")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert [line.split()[:2] for line in lines[1:5]] == [
        ["in/ann.game", "right"],
        ["in/ben.game", "wrong"],
        ["in/cat.game", "broken"],
        ["in/dan.game", "wrong"],
    ]
    assert "1 of 2 hold" in lines[4] and "Ann 1, Bob -1" in lines[1]
    below = "\n".join(lines[5:])
    assert "in/ann.game" not in below and "The end pays other amounts." in below
    assert "1:6: error[unterminated-text]" in below and ": failed: expect value == (-1, 1)" in below
    assert below.endswith(
        "4 files: 1 right, 2 wrong, 1 broken.\nNot graded, since their names do not end in .game: in/notes.txt."
    )


def test_all_are_right(run, folder: Path) -> None:
    hand_in(folder, ann=MODEL)
    ran = run("grade", "model.game", "in", "-p", "stones=3")
    assert ran.code == 0 and ran.out.endswith("\n\n1 file: 1 right.\n") and "Ann -1, Bob 1" in ran.out


def test_the_record_is_that_of_the_function(run, folder: Path) -> None:
    hand_in(folder, ben=MISERE, cat='game "x')
    (folder / "notes.txt").write_text("", encoding="utf-8")
    record = run("grade", "model.game", "in", "--json", "-j", "1").record
    found = zermelo.load("model.game").grade("in")
    assert [each["verdict"] for each in record["files"]] == [each.verdict.value for each in found.files]
    ben, cat = record["files"]
    assert ben["difference"]["aspect"] == "payoffs" and len(ben["difference"]["said"]) == 2
    assert cat["findings"][0]["line"] == 1 and record["not_graded"] == ["in/notes.txt"]
    assert record["provenance"]["options"] == {"folder": "in"}


def test_the_grades_as_rows_and_in_files(run, folder: Path) -> None:
    hand_in(folder, ann=MODEL, ben=MISERE, cat='game "x', dan=CLAIMING)
    assert run("grade", "model.game", "in", "-o", "grades.csv", "-o", "grades.xml").code == 1
    with Path("grades.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    found = zermelo.load("model.game").grade("in")
    assert [list(row) for row in rows] == [list(row) for row in found.rows()]
    assert [(row["file"], row["verdict"], row["failed"]) for row in rows] == [
        ("in/ann.game", "right", "0"),
        ("in/ben.game", "wrong", "0"),
        ("in/cat.game", "broken", "0"),
        ("in/dan.game", "wrong", "1"),
    ]
    root = ElementTree.parse("grades.xml").getroot()
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "9",
        "failures": "2",
        "errors": "1",
        "skipped": "0",
    }
    assert [suite.get("name") for suite in root] == [row["file"] for row in rows]


def test_a_file_that_cannot_be_written_is_said_before(run, folder: Path) -> None:
    hand_in(folder, ann=MODEL)
    for name in ("no/grades.csv", "no/grades.xml"):
        ran = run("grade", "model.game", "in", "-o", name)
        assert ran.out == "" and "unwritable-file" in ran.err


def test_grades_are_as_other_results_are(model: zermelo.Game, folder: Path) -> None:
    hand_in(folder, ann=MODEL, ben=MISERE, cat='game "x')
    found = zermelo.grade(model, folder, jobs=1)
    assert found == model.grade(folder) and len(repr(found)) < 100
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.record() == found.record()
    assert list(found.to_dataframe()["verdict"]) == ["right", "wrong", "broken"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_an_interrupt_leaves_the_grades_that_are_done(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe is opened only once somebody writes to it: its process is ended, and nobody waits for its time."""
    in_threads = InThreads.map

    def interrupt(*given: Any) -> Iterator[Any]:
        for found in in_threads(*given):
            yield found
            raise KeyboardInterrupt

    monkeypatch.setattr(InThreads, "map", interrupt)
    hand_in(folder, ann=MODEL)
    os.mkfifo(folder / "bob.game")
    words = ("grade", str(folder.parent / "model.game"), str(folder), "--time", "300", "-j", "2")
    ran, told = run(*words, "--json"), run(*words)
    assert [each["file"] for each in ran.record["files"]] == [str(folder / "ann.game")]
    assert (ran.record["stopped"], ran.record["missing"]) == ("by an interrupt", [str(folder / "bob.game")])
    assert f"It was stopped by an interrupt. Not graded: {folder / 'bob.game'}." in " ".join(told.out.split())
    assert ran.code == told.code == 130


def test_an_interrupt_before_the_first_grade_leaves_nothing(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(InThreads, "map", interrupt)
    hand_in(folder, ann=MODEL)
    ran = run("grade", str(folder.parent / "model.game"), str(folder))
    assert ran.code == 130 and ran.out == ""
