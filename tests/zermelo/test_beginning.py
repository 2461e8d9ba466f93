"""Games that begin at another position."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import gamedefs
from zermelo.cli import main

POSITION = """\
setup:
    board := layout
        "X.O"
        "OX."
        "..."
start at play(O)
"""


@pytest.fixture
def position(tmp_path):
    def write(text=POSITION):
        path = tmp_path / "corner.position"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_position_is_where_the_play_begins():
    game = zermelo.load_position("tic_tac_toe", POSITION)
    assert game.initial.actor == "O"
    assert [str(move) for move in game.initial.moves] == ["mark(a1)", "mark(b1)", "mark(c1)", "mark(c2)", "mark(b3)"]
    assert zermelo.solve(game).value == (0, 0)


def test_a_position_is_written_in_the_language_of_its_game(tmp_path):
    game = tmp_path / "game.game"
    game.write_text(f"language 1\n{gamedefs.path('nim').read_text(encoding='utf-8')}", encoding="utf-8")
    setup = "setup:\n    left[1] := 0\n"
    assert zermelo.load_position(str(game), setup).initial.moves
    with pytest.raises(zermelo.InvalidGame, match="a position has 'setup:' and 'start at', and nothing else"):
        zermelo.load_position(str(game), f"language 1\n{setup}")


def test_without_a_start_it_is_the_games():
    assert zermelo.load_position("tic_tac_toe", POSITION.partition("start")[0]).initial.actor == "X"


def test_setup_says_only_what_is_different():
    game = zermelo.load_position("chess", "setup:\n    board[e2] := none\n")
    assert "go_to(d1, g4)" in map(str, game.initial.moves)


def test_parameters_count():
    game = zermelo.load_position("tic_tac_toe", "setup:\n    board[d4] := X\n", size=4)
    assert len(game.initial.moves) == 15


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("setup:\n    board := layout\n", "syntax"),
        ("players A, B\n", "syntax"),
        ("setup:\n    nothing[a1] := X\n", "undefined-name"),
        ("start at nowhere\n", "undefined-name"),
        ("setup:\n\tboard[a1] := X\n", "tab"),
    ],
)
def test_what_is_wrong_with_a_position(text, code):
    with pytest.raises(zermelo.InvalidGame) as raised:
        zermelo.load_position("tic_tac_toe", text)
    assert code in {finding.code for finding in raised.value.findings}


def test_a_game_that_is_wrong_itself(tmp_path):
    path = tmp_path / "wrong.game"
    path.write_text('game "Wrong"\nplayers A,\n', encoding="utf-8")
    with pytest.raises(zermelo.InvalidGame):
        zermelo.load_position(path, "start at play\n")


@pytest.mark.parametrize("command", ["solve", "moves", "show", "plays", "random", "compare"])
def test_commands_begin_there(position, capsys, command):
    length = ["2"] if command == "plays" else []
    assert main([command, "tic_tac_toe", *length, "--position", position()]) == 0
    assert capsys.readouterr().out


def test_the_command_line_says_what_is_wrong(position, capsys):
    assert main(["solve", "tic_tac_toe", "--position", position("players A, B\n")]) == 1
    assert "a position has 'setup:' and 'start at', and nothing else" in capsys.readouterr().err
    assert main(["solve", "tic_tac_toe", "--position", "no_such.position"]) != 0
    assert "no_such.position" in capsys.readouterr().err
