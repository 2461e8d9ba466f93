"""``zermelo fmt``."""

from __future__ import annotations

import os
from pathlib import Path

GAME = 'game "G"\nplayers A\nparam n:0..3=2\n'
LAID_OUT = 'game "G"\nplayers A\nparam n: 0..3 = 2\n'


def test_a_file_is_replaced(run, game_file) -> None:
    file = game_file(GAME)
    ran = run("fmt", file)
    assert (ran.code, ran.out) == (0, "test.game: is now in the one layout\n1 changed, 0 as before.\n")
    assert Path(file).read_text(encoding="utf-8") == LAID_OUT
    assert run("fmt", file).out == "0 changed, 1 as before.\n"


def test_check_and_diff_write_nothing(run, game_file) -> None:
    file = game_file(GAME)
    assert run("fmt", file, "--check").code == 1
    shown = run("fmt", file, "--diff")
    assert (shown.code, "-param n:0..3=2\n+param n: 0..3 = 2\n" in shown.out) == (1, True)
    assert Path(file).read_text(encoding="utf-8") == GAME


def test_standard_input_goes_to_standard_output(run) -> None:
    ran = run("fmt", "-", typed=GAME)
    assert (ran.code, ran.out) == (0, LAID_OUT)


def test_a_folder_is_searched_and_a_mistake_leaves_its_file_alone(run, tmp_path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.game").write_text(GAME, encoding="utf-8")
    (tmp_path / "b.game").write_text("game\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    ran = run("fmt", str(tmp_path))
    assert (ran.code, "1 changed, 0 as before, 1 with mistakes." in ran.out, "error[" in ran.err) == (1, True, True)
    assert (inner / "a.game").read_text(encoding="utf-8") == LAID_OUT
    assert (tmp_path / "b.game").read_text(encoding="utf-8") == "game\n"
    record = run("fmt", str(tmp_path), "--check", "--json").record
    assert [each["changed"] for each in record["files"]] == [False, False]
    assert [len(each["findings"]) for each in record["files"]] == [1, 0]


def test_files_that_cannot_be_read_and_empty_folders(run, tmp_path) -> None:
    missing = os.fspath(tmp_path / "missing.game")
    assert (run("fmt", missing).code, run("fmt", os.fspath(tmp_path)).code) == (2, 2)
