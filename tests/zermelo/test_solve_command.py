"""``zermelo solve``."""

from __future__ import annotations

import pytest


def test_solve(run):
    ran = run("solve", "two_ply_tree", "--solver", "minimax")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0] == "A two-ply tree"
    for line in (
        "players      MAX, MIN",
        "MAX     3",
        "MIN     -3",
        "solver     minimax",
        "best move  A1",
        "best play  A1, A11",
    ):
        assert line in lines
    assert any(line.startswith("sum          zero (") for line in lines)
    assert any(line.startswith("counts     nodes 13, terminals 9") for line in lines)


def test_solve_as_json(run):
    record = run("solve", "coin_flip_tree", "--json").record
    assert record["game"] == "coin_flip_tree" and record["parameters"] == {} and record["title"]
    assert record["solver"] == "positions" and record["exact"] is True
    assert record["machine"] in ("native", "reference")
    assert record["value"] == {"MAX": "3", "MIN": "-3"} and record["best"] == ["left"]
    assert record["counts"]["nodes"] > record["counts"]["terminals"] > 0
    assert isinstance(record["seconds"], float)
    assert record["facts"]["chance"]["holds"] is True and record["facts"]["sum"] == "0"
    assert record["survey"] is None  # the rules prove everything


def test_time_takes_no_other_solver_where_it_suffices(run):
    plain = run("solve", "tic_tac_toe", "--json").record
    timed = run("solve", "tic_tac_toe", "--time", "100", "--json").record
    assert timed["facts"]["perfect_information"]["holds"] and plain["solver"] == "enhanced_alphabeta"
    same = ("solver", "value", "counts")
    assert [timed[what] for what in same] == [plain[what] for what in same]


NO_FIELDS = """\
game "Equal in the end"
players Ann, Bob
claim terminates
var x: 0..9 = 1
var y: 0..9 = 1
start at play
phase play:
    turn Ann:
        move more:
            x := 9 - x
            y := 9 - y
            go last
phase last:
    turn Bob:
        move stop: end payoff (x * x, -y * y)
"""


def test_solve_surveys_what_the_rules_leave_open_and_a_solver_needs(run, game_file):
    record = run("solve", game_file(NO_FIELDS), "--json").record
    assert record["survey"]["positions"] == 3 and record["survey"]["finished"] is True
    assert record["facts"]["constant_sum"]["holds"] is True and record["solver"] == "enhanced_alphabeta"
    record = run("solve", "pirates", "-p", "players=3", "-p", "gold=2", "--solver", "maxn", "--json").record
    assert record["survey"]["positions"] == 60 and record["survey"]["finished"] is True
    assert record["facts"]["constant_sum"]["holds"] is None  # max^n does not need it
    assert record["facts"]["terminates"]["holds"] is True


ROUND = """\
game "Round"
players Ann, Bob
var is_on: Bool = false
start at play(Ann)
phase play(p: Player):
    turn p:
        move switch:
            is_on := not is_on
            go play(other p)
        move leave: end win p
"""


def test_solve_finds_the_play_that_goes_round(run, game_file):
    for name, help in (("minimax", "--solver positions"), ("mtdf", "--depth N --estimate rollouts")):
        ran = run("solve", game_file(ROUND), "--solver", name)
        assert "switch, switch lead back to the same position" in ran.err and help in ran.err
    assert "depth-limited" not in run("solve", game_file(ROUND), "--solver", "mtdf").out


def test_solve_shows_fractions_with_a_decimal(run, game_file):
    text = 'game "Die"\nplayers A, B\ntree:\n    chance:\n        1/3 low: 1\n        2/3 high: 0\n'
    ran = run("solve", game_file(text))
    assert "A       1/3 ≈ 0.3333" in ran.out and "B       -1/3 ≈ -0.3333" in ran.out
    assert run("solve", "test.game", "--json").record["value"] == {"A": "1/3", "B": "-1/3"}


def test_solve_reports_ties(run, game_file):
    text = 'game "Tie"\nplayers A, B\ntree:\n    A:\n        l: (1, 2)\n        r: (1, 0)\n'
    ran = run("solve", game_file(text))
    assert "also possible: (1, 0)" in ran.out
    assert run("solve", "test.game", "--json").record["alternatives"] == [{"A": "1", "B": "0"}]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["tic_tac_toe", "--solver", "sequence_form"], "needs-imperfect-information"),
        (["three_player_tree", "--solver", "alphabeta"], "needs-two-players"),
        (["coin_flip_tree", "--solver", "minimax"], "needs-no-chance"),
        (["rock_paper_scissors", "--solver", "minimax"], "needs-perfect-information"),
    ],
)
def test_solve_refuses_with_a_code(run, words, code):
    ran = run("solve", *words)
    assert ran.code == 1 and ran.err.startswith(f"error[{code}]: ")
    assert run("solve", *words, "--json").record["code"] == code
