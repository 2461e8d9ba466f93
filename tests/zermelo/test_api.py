"""The Python API."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import zermelo
from zermelo import gamedefs

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kuhn():
    return zermelo.load("kuhn_poker")


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert zermelo.__version__ == project["version"]


def test_import_leaves_the_slow_things_alone():
    ours = [f"zermelo.{name}" for name in ("grammar.syntax", "interpreter.model", "interpreter.check", "solvers")]
    slow = ("lark", "rich", "argparse", *ours)
    code = f"import sys, zermelo; print([name for name in {slow!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_load_takes_a_name_a_path_and_parameters(tmp_path):
    assert zermelo.load("othello", size=6).parameters == {"size": 6}
    assert zermelo.load("othello", size="6").parameters == {"size": 6}
    assert zermelo.load(gamedefs.path("othello")).parameters == {"size": 8}
    copy = tmp_path / "mine.game"
    copy.write_bytes(gamedefs.path("nim").read_bytes())
    assert zermelo.load(str(copy)).title == "Nim"


def test_a_file_goes_before_a_bundled_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chess").write_bytes(gamedefs.path("nim").read_bytes())
    assert zermelo.load("chess").title == "Nim"


def test_a_folder_does_not_go_before_a_bundled_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("chess").mkdir()
    assert zermelo.load("chess").title == "Chess"


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("tictactoe", "unknown-game", "did you mean 'tic_tac_toe'?"),
        ("qqqq", "unknown-game", "there is no file and no bundled game 'qqqq'"),
        ("nowhere/x.game", "unreadable-file", "No such file"),
        ("nim.game", "unreadable-file", "No such file"),
        (".", "unreadable-file", "directory"),
        ("", "unknown-game", "no bundled game"),
        ("a\0b", "unknown-game", "no bundled game"),
        ("a\0b/c", "unreadable-file", "no file can have the name"),
        ("x" * 5000, "unknown-game", "no bundled game"),
        ("x/" * 5000, "unreadable-file", "too long"),
    ],
)
def test_what_cannot_be_found_or_read(tmp_path, monkeypatch, name, code, says):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(zermelo.ZermeloError, match=says) as raised:
        zermelo.load(name)
    assert raised.value.code == code


def test_parameters_that_do_not_fit():
    with pytest.raises(zermelo.ZermeloError, match="did you mean 'heaps'") as raised:
        zermelo.load("nim", heap=3)
    assert raised.value.code == "unknown-parameter"
    for wrong in (99, "many", "", "3.5"):
        with pytest.raises(zermelo.InvalidGame) as refused:
            zermelo.load("nim", heaps=wrong)
        assert refused.value.findings.errors


def test_findings_of_a_text():
    assert not zermelo.check(gamedefs.path("nim").read_text(encoding="utf-8"))
    findings = zermelo.check(
        'game "x"\nplayers A, B\nstart at p(C)\nphase p(q: Player):\n    turn q:\n        move m: end\n'
    )
    assert [finding.code for finding in findings] == ["undefined-name"]
    with pytest.raises(zermelo.InvalidGame) as refused:
        zermelo.parse("game 3")
    assert refused.value.findings.errors


def test_games_are_listed():
    assert "kuhn_poker" in zermelo.games() and list(zermelo.games()) == sorted(zermelo.games())


def test_a_play(kuhn):
    state = kuhn.initial
    assert state.actor == zermelo.CHANCE and state.moves == () and state.payoff is None and not state.is_over
    assert sum(probability for _, probability in state.outcomes) == 1
    assert {probability for _, probability in state.outcomes} == {Fraction(1, 6)}
    dealt = state.after("deal(K, J)")
    assert (dealt.actor, dealt.outcomes, list(map(str, dealt.moves))) == ("Alice", (), ["check", "bet"])
    answer = dealt.after(dealt.moves[1])
    end = answer.after("call")
    assert end.is_over and end.actor is None and end.moves == ()
    assert end.payoff == (Fraction(2), Fraction(-2))
    assert list(map(str, end.play)) == ["deal(K, J)", "bet", "call"]
    assert state.actor == zermelo.CHANCE, "states do not change"
    assert repr(end) == "<State of 'Kuhn poker' after deal(K, J), bet, call>"


def test_who_sees_what(kuhn):
    states = [kuhn.initial.after(f"deal(K, {card})").after("bet") for card in "JQ"]
    assert [list(map(str, state.view("Alice"))) for state in states] == [["hand[Alice] = K"]] * 2
    assert states[0].information_state("Alice") == states[1].information_state("Alice")
    assert states[0].information_state("Bob") != states[1].information_state("Bob")
    with pytest.raises(zermelo.ZermeloError, match="did you mean 'Bob'") as raised:
        states[0].view("bob")
    assert raised.value.code == "unknown-player"


def test_illegal_moves_are_explained():
    state = zermelo.load("tic_tac_toe").initial.after("mark(b2)")
    assert state.why_not("mark(a1)") is None
    assert state.why_not(state.moves[0]) is None
    finding = state.why_not("mark(b2)")
    assert finding.code == "illegal-move" and finding.source.excerpt(finding.span) == "board[c] is none"
    with pytest.raises(zermelo.ZermeloError) as raised:
        state.after("mark(b2)")
    assert raised.value.code == "illegal-move"
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.load("two_ply_tree").initial.after("A1").after("A11").after("A12")
    assert raised.value.code == "game-over"


def test_chance_is_drawn_without_a_list():
    state = zermelo.load("four_card_whist").initial
    with pytest.raises(zermelo.ZermeloError) as raised:
        list(state.outcomes)
    assert raised.value.code == "too-many-outcomes"
    assert state.draw(Random(1)) == state.draw(Random(1)) != state.draw(Random(2))


def test_solve_a_game_and_what_is_left_of_it():
    game = zermelo.load("two_ply_tree")
    assert zermelo.solve(game).value == (3, -3)
    assert zermelo.solve(game, "minimax").solver == "minimax"
    left = zermelo.solve(game.initial.after("A2"))
    assert left.value == (2, -2) and [str(move) for move in left.best] == ["A21"]
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.solve(game, "minmax3000")
    assert raised.value.code == "unknown-solver"
    with pytest.raises(zermelo.ZermeloError) as raised:
        zermelo.solve(zermelo.load("three_player_tree"), "alphabeta")
    assert raised.value.code == "needs-two-players"


def test_solve_settles_by_visiting_what_the_rules_leave_open():
    game = zermelo.loads(
        """
game "Up and down"
players A
var at: 0..3 = 0
start at p
phase p:
    turn A:
        move up if at < 3:
            at := at + 1
            if at == 3: end payoff (1)
            go p
"""
    )
    assert zermelo.solve(game).value == (1,)


def test_a_rule_that_goes_wrong_names_its_line_and_the_play():
    game = zermelo.loads(
        """game "Stuck"
players A
var left: 0..2 = 2
start at p
phase p:
    turn A:
        move take if left > 0:
            left -= 1
            if left == 3: end draw
            go p
"""
    )
    with pytest.raises(zermelo.PlayError) as raised:
        game.initial.after("take").after("take")
    assert raised.value.code == "deadlock"
    assert [str(move) for move in raised.value.play] == ["take", "take"]
    assert raised.value.finding.span.line == 5


def test_a_state_prints_as_a_board():
    state = zermelo.load("tic_tac_toe").initial.after("mark(b2)").after("mark(c3)")
    assert str(state) == "3 . . O\n2 . X .\n1 . . .\n  a b c\n\nX is to move"
    assert str(zermelo.load("two_ply_tree").initial.after("A1").after("A12")) == ("the play has ended: MAX 12, MIN -12")
    dealt = zermelo.load("kuhn_poker").initial
    assert str(dealt) == "chance is to draw"
    assert str(dealt.after("deal(J, K)")) == "hand[Alice] = J   hand[Bob] = K\n\nAlice is to move"


def test_solve_takes_the_limits_of_the_command():
    game = zermelo.load("tic_tac_toe").on("reference")
    assert zermelo.solve(game, depth=1, rollouts=True, seed=1).certainty.value == "depth-limited"
    for word, limits in {
        "out-of-time": {"time": 0},
        "out-of-memory": {"solver": "positions", "memory": 1000, "digits": 5},
        "out-of-nodes": {"solver": "dfpn", "nodes": 1},
        "does-not-iterate": {"solver": "minimax", "iterations": 5},
        "does-not-sample": {"solver": "minimax", "simulations": 5},
        "searches-to-the-end": {"solver": "positions", "depth": 2},
        "no-policy": {"solver": "minimax", "digits": 5},
    }.items():
        with pytest.raises(zermelo.ZermeloError) as refused:
            zermelo.solve(game, **limits)
        assert refused.value.code == word
    means = [zermelo.solve(game, "mcts", simulations=20, exploration=1.0, seed=seed).value for seed in (1, 2, 1)]
    assert means[0] == means[2]


@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 0},
        {"depth": -1},
        {"depth": 2.5},
        {"nodes": 0},
        {"memory": -5},
        {"iterations": 0},
        {"digits": 0},
        {"simulations": 1.5},
        {"time": -1},
        {"time": float("nan")},
        {"exploitability": -0.1},
        {"exploration": -1},
    ],
    ids=str,
)
def test_solve_refuses_what_no_limit_can_be(kuhn, limits):
    with pytest.raises(zermelo.ZermeloError, match=f"^{next(iter(limits))} is ") as refused:
        zermelo.solve(kuhn, **limits)
    assert refused.value.code == "bad-usage"


def test_solve_iterates_as_long_as_it_is_told(kuhn, tmp_path):
    few = zermelo.solve(kuhn.on("reference"), "cfr+", iterations=3, checkpoint=tmp_path / "kuhn.json")
    more = zermelo.solve(kuhn.on("reference"), "cfr+", iterations=9)
    assert few.counts["iterations"] == 3 and more.counts["iterations"] == 9
    assert more.exploitability < few.exploitability
