"""The formats of ``zermelo check``, and its fixes."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from zermelo.cli import main
from zermelo.commands import check

SLIPS = """\
game "Slips"
players Ann, Bob
var left: 0..3 = 3
start at play(Ann)
phase play(p: Player)
    turn p:
        move take if left = 1 && true:
            end win p
        move pass: end draw
"""
MENDED = SLIPS.replace("(p: Player)", "(p: Player):").replace("left = 1 && true", "left == 1 and true")
UNKNOWN = 'game "G"\nplayers Ann, Bob\nstart at play\nphase play:\n    turn An:\n        move stop: end win Ann\n'


def test_concise_and_github(run, game_file):
    file = game_file(UNKNOWN)
    first = run("check", file, "--format", "concise").out.splitlines()[0]
    assert first.startswith("test.game:5:10: error[undefined-name] ")
    first = run("check", file, "--format", "github").out.splitlines()[0]
    assert first.startswith("::error file=test.game,line=5,endLine=5,col=10,endColumn=12,title=undefined-name::")


def test_signs_of_workflow_commands_are_escaped(run, tmp_path):
    file = tmp_path / "100%,a:b.game"
    file.write_text(UNKNOWN, encoding="utf-8")
    assert "100%25%2Ca%3Ab.game,line=" in run("check", str(file), "--format", "github").out


def test_safe_fixes_are_made(run, game_file):
    file = game_file(SLIPS)
    shown = run("check", file, "--fix", "--diff")
    assert shown.code == 1 and "+        move take if left == 1 and true:" in shown.out
    assert Path(file).read_text(encoding="utf-8") == SLIPS
    ran = run("check", file, "--fix")
    assert (ran.code, ran.err) == (0, "test.game: 3 fixed\n")
    assert Path(file).read_text(encoding="utf-8") == MENDED


@pytest.mark.parametrize(
    "text",
    [
        UNKNOWN,
        'game "G"\nplyers Ann, Bob\n',
        'game "G"\nplayers Ann\ntree:\n    chance:\n        1/2 a: 1\n        1/3 b: 0\n',
    ],
)
def test_guesses_are_left_to_people(run, game_file, text):
    file = game_file(text)
    assert run("check", file, "--fix").code == 1
    assert Path(file).read_text(encoding="utf-8") == text


def test_what_cannot_be_fixed_in_place(run):
    assert run("check", "-", "--fix", typed=SLIPS).code == 2
    assert "+phase play(p: Player):" in run("check", "-", "--fix", "--diff", typed=SLIPS).out
    assert run("check", "nim", "--diff").code == 2


def test_json_has_a_finding_in_each_line(run, game_file):
    lines = run("check", game_file(UNKNOWN), "--json").out.splitlines()
    assert json.loads(lines[0])["code"] == "undefined-name"


def test_a_folder_shows_how_many_of_its_files_are_done(monkeypatch, tmp_path):
    shown = []

    @contextmanager
    def watched(doing, what, total):
        shown.append((doing, what, total))
        yield shown.append

    for name in "abc":
        (tmp_path / f"{name}.game").write_text('game "x"\n', encoding="utf-8")
    monkeypatch.setattr(check, "progress", watched)
    assert main(["check", str(tmp_path)]) == 1
    assert shown == [("checking", "files", 3), 1, 2, 3]
