"""The command line: the output of every command, as text and as JSON, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import gamedefs
from zermelo.cli import COMMANDS, main
from zermelo.grammar.codes import CODES

ROOT = Path(__file__).parents[2]

BROKEN = """\
game "Broken"
players Ann, Bob
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on: go paly(other p)
        move stop: end win pp
"""

UNDECIDED = """\
game "Undecided"
players Ann, Bob
var left: 0..2 = 2
start at play(Ann)
phase play(p: Player):
    turn p:
        move take if left > 0:
            left -= 1
            if left == 3: end draw
            go play(other p)
"""


# ---------------------------------------------------------------- in general


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_lists_the_commands(run, words):
    ran = run(*words)
    assert ran.code == 0 and ran.err == ""
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_teaches(capsys, command):
    assert main([command, "--help"]) == 0
    printed = capsys.readouterr().out
    assert f"usage: zermelo {command}" in printed and "examples:" in printed and f"  zermelo {command} " in printed


def test_version(run):
    assert run("--version").out.startswith("zermelo ")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], "bad-usage", "there is no command"),
        (["slove", "nim"], "bad-usage", "did you mean 'solve'?"),
        (["--fast", "solve"], "bad-usage", "there is no command '--fast'"),
        (["solve"], "bad-usage", "required: GAME"),
        (["solve", "nim", "--fast"], "bad-usage", "--fast"),
        (["solve", "nim", "--format", "xml"], "bad-usage", "xml"),
        (["solve", "nim", "-p", "heaps"], "bad-usage", "NAME=VALUE"),
        (["plays", "nim"], "bad-usage", "required: N"),
        (["plays", "nim", "-3"], "bad-usage", "-3"),
        (["plays", "nim", "many"], "bad-usage", "'many' is not a whole number"),
        (["random", "nim", "--plays", "1.5"], "bad-usage", "'1.5' is not a whole number"),
        (["play", "nim", "--seat", "Ann=smart"], "bad-usage", "human, random, best or mcts"),
        (["play", "nim", "--seat", "Anna=best"], "unknown-player", "did you mean 'Ann'?"),
        (["solve", "nim", "--solver", "mcts", "--exploration", "-1"], "bad-usage", "exploration"),
        (["solve", "nim", "--solver", "mcts", "--exploration", "1001"], "bad-usage", "from 0 to 1,000"),
        (["solve", "nimm"], "unknown-game", "did you mean 'nim'?"),
        (["solve", "nim", "-p", "heap=2"], "unknown-parameter", "did you mean 'heaps'?"),
        (["solve", "nim", "--solver", "alfabeta"], "unknown-solver", "did you mean 'alphabeta'?"),
        (["explain", "mising-colon"], "unknown-code", "did you mean 'missing-colon'?"),
        (["check", "no/such.game"], "unreadable-file", "No such file"),
        (["check", "."], "unreadable-file", "directory"),
    ],
)
def test_what_cannot_be_followed_is_exit_code_2(run, words, code, says):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error[{code}]: ") and says in ran.err
    ran = run(*words, "--json")
    record = json.loads(ran.out)
    assert (ran.code, ran.err) == (2, "") and record["severity"] == "error"


@pytest.mark.parametrize("command", ["solve", "moves", "show", "random", "play", "test"])
def test_a_file_with_errors_is_exit_code_1(run, game_file, command):
    ran = run(command, game_file(BROKEN))
    assert (ran.code, ran.out) == (1, "")
    assert "did you mean 'play'?" in ran.err and "2 errors in test.game." in ran.err


@pytest.mark.parametrize("command", ["solve", "moves"])
def test_a_rule_that_goes_wrong_is_shown_with_its_play(run, game_file, command):
    words = ["--after", "take; take"] if command == "moves" else []
    ran = run(command, game_file(UNDECIDED), *words)
    assert ran.code == 1 and "error[deadlock]" in ran.err
    assert "= play: take, take" in ran.err and "--> test.game:5:" in ran.err
    record = json.loads(run(command, "test.game", *words, "--json").out)
    assert record["code"] == "deadlock" and record["play"] == ["take", "take"]


def test_parameters_are_repeated(run):
    record = run("moves", "connect_four", "-p", "rows=4", "-p", "columns=2", "--json").record
    assert record["parameters"] == {"rows": 4, "columns": 2, "run": 4}


def test_a_game_from_standard_input(run):
    text = gamedefs.path("two_ply_tree").read_bytes()
    ran = run("solve", "-", "--json", typed=text)
    assert ran.code == 0 and ran.record["game"] == "-" and ran.record["value"] == {"MAX": "3", "MIN": "-3"}


# --------------------------------------------------------------------- check


def test_check_without_findings(run):
    ran = run("check", *sorted(gamedefs.names()))
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"{name}.game: no findings" for name in sorted(gamedefs.names())]
    assert run("check", "nim", "--json").out == ""


def test_check_with_findings(run, game_file):
    ran = run("check", game_file(BROKEN), "nim")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.count("error[undefined-name]") == 2
    assert "6 |         move go_on: go paly(other p)" in ran.out
    assert ran.out.rstrip().endswith("nim.game: no findings")


def test_check_as_json_has_one_record_on_each_line(run, game_file):
    ran = run("check", game_file(BROKEN), "--format", "json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1
    assert [(record["code"], record["file"], record["line"]) for record in records] == [
        ("undefined-name", "test.game", 6),
        ("undefined-name", "test.game", 7),
    ]
    assert records[0]["column"] == 24 and records[0]["end_column"] == 28
    assert records[0]["fix"]["replacement"] == "play"


def test_check_with_a_warning_alone_is_a_finding(run, game_file):
    text = gamedefs.path("two_ply_tree").read_text(encoding="utf-8")
    ran = run("check", game_file(text.replace("players MAX, MIN", "players MAX, MIN\ntype Nothing = a | b")))
    assert ran.code == 1 and "warning[unused-name]" in ran.out and "1 warning in test.game." in ran.out


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"\x00\x01\x02", "binary-file"),
        (b'game "\xff"', "not-utf8"),
        (b" " * (10 * 2**20), "file-too-large"),
        (b"node / player 1 actions l r\n", "other-format"),
        (b'game "x"\nplayers A\ndefine d = ' + b"(" * 10_000, None),
    ],
)
def test_check_of_what_is_no_game(run, data, code):
    ran = run("check", "-", "--json", typed=data)
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1 and records and all(record["file"] == "<stdin>" for record in records)
    if code is not None:
        assert [record["code"] for record in records] == [code]
    assert run("check", "-", typed=data).code == 1


# ------------------------------------------------------------------- explain


@pytest.mark.parametrize("code", CODES)
def test_explain(run, code):
    ran = run("explain", code)
    assert ran.code == 0 and "## Wrong" in ran.out and "## Right" in ran.out


def test_explain_as_json(run):
    record = run("explain", "missing-colon", "--json").record
    assert record["code"] == "missing-colon" and record["severity"] == "error"
    assert record["wrong"][0]["kind"] == "game" and record["right"][0]["text"].startswith("game ")


def test_explain_alone_lists_all_codes(run):
    printed = run("explain").out
    assert all(f"\n{code} " in printed for code in CODES)
    assert [record["code"] for record in run("explain", "--json").record] == list(CODES)


# --------------------------------------------------------------------- solve


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
    for name, help in (("minimax", "an exact search"), ("mtdf", "--depth says how far to look")):
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


# --------------------------------------------------------------------- moves


def test_moves(run):
    ran = run("moves", "tic_tac_toe", "--after", "mark(b2); mark( a1 );")
    assert ran.code == 0
    assert ran.out == (
        "Tic-tac-toe (size = 3)\n\n"
        "after  mark(b2), mark(a1)\n"
        "now    X is to move\n"
        "moves  mark(b1), mark(c1), mark(a2), mark(c2), mark(a3), mark(b3), mark(c3)\n\n"
        "everybody sees:\n3 . . .\n2 . X .\n1 O . .\n  a b c\n"
    )


def test_moves_with_hidden_things(run):
    ran = run("moves", "kuhn_poker", "--after", "deal(J, Q); check")
    assert ran.out.endswith(
        "Alice sees:\nhand[Alice] = J\nand knows of Alice: check\n\n"
        "Bob sees:\nhand[Bob] = Q\nand knows of Alice: check\n"
    )
    chosen = run("moves", "rock_paper_scissors", "--after", "show(rock)").out
    assert "One sees:\nnone of the variables\nand knows of One: show(rock)\n" in chosen
    assert chosen.endswith("Two sees:\nnone of the variables\n")


def test_moves_of_chance(run):
    ran = run("moves", "kuhn_poker")
    assert "now       chance is to draw" in ran.out and "each with probability 1/6: deal(J, Q), " in ran.out
    record = run("moves", "kuhn_poker", "--json").record
    assert record["actor"] == "chance" and record["moves"] == []
    assert record["outcomes"][0] == {"outcome": "deal(J, Q)", "probability": "1/6"}


def test_moves_of_chance_that_are_too_many_to_list(run):
    assert "outcomes  too many to list" in run("moves", "four_card_whist").out
    assert run("moves", "four_card_whist", "--json").record["outcomes"] is None


def test_moves_at_the_end(run):
    words = ["moves", "two_ply_tree", "--after", "A1; A12"]
    assert "now    the play has ended: MAX 12, MIN -12" in run(*words).out
    record = run(*words, "--json").record
    assert record["actor"] is None and record["payoff"] == {"MAX": "12", "MIN": "-12"}


def test_moves_as_json(run):
    record = run("moves", "kuhn_poker", "--after", "deal(J, Q); check", "--json").record
    assert record["play"] == ["deal(J, Q)", "check"]
    assert (record["actor"], record["moves"], record["payoff"]) == ("Bob", ["check", "bet"], None)
    assert record["views"]["Bob"] == [{"variable": "hand", "indices": ["Bob"], "value": "Q"}]
    assert record["information"]["Bob"] == ["hand[Bob] = Q", "Alice: check", "to decide: reply"]


def test_an_illegal_move_is_shown_with_the_rule(run):
    ran = run("moves", "tic_tac_toe", "--after", "mark(b2); mark(b2)")
    assert ran.code == 1 and ran.out == ""
    assert ran.err.startswith("error[illegal-move]: ") and "= play: mark(b2)" in ran.err
    assert "move mark(c in Cell) if board[c] is none:" in ran.err


# ------------------------------------------------------- plays, random, show


def test_plays(run):
    assert run("plays", "tic_tac_toe", "3").out == "504\n"
    record = run("plays", "nim", "2", "-p", "heaps=1", "--json").record
    assert record == {
        "game": "nim",
        "parameters": {"heaps": 1, "smallest": 3},
        "machine": "native",
        "length": 2,
        "plays": 3,
        "stopped": None,
    }


def test_random(run):
    words = ["random", "pig", "--plays", "20", "--seed", "4"]
    ran = run(*words)
    assert ran.code == 0 and run(*words).out == ran.out != run(*words[:-1], "5").out
    record = run(*words, "--json").record
    assert (record["plays"], record["unfinished"], record["seed"]) == (20, 0, 4)
    assert set(record["mean_payoffs"]) == {"Ann", "Bob"}
    assert record["shortest"] <= record["longest"]
    nothing = run("random", "pig", "--plays", "0", "--json").record
    assert nothing["plays"] == 0 and nothing["mean_payoffs"] is None


def test_show(run):
    printed = run("show", "kuhn_poker").out
    assert "hand[Player]: Card  each player their own" in printed
    assert "deal                   chance  deal(a in Card, b in Card)" in printed
    assert "zero_sum  proved" in printed


def test_show_counts_the_positions_if_asked(run):
    said = "size         12 positions, 8 of them ends; the longest play has 2 moves"
    assert said in run("show", "two_ply_tree", "--positions").out.splitlines()
    assert "size  " not in run("show", "two_ply_tree").out
    counted = run("show", "tug_of_war", "--positions", "--json").record["size"]  # plays may have cycles
    assert counted["finished"] is True and counted["longest"] is None
    assert run("show", "two_ply_tree", "--json").record["size"] is None


@pytest.mark.parametrize("machine", ["native", "python", "reference"])
def test_show_counts_the_positions_within_limits(run, machine):
    def size(game, *limits):
        printed = run("show", game, "--positions", "--machine", machine, *limits).out.splitlines()
        return next(line.removeprefix("size").strip() for line in printed if line.startswith("size"))

    counted = "36 positions, 2 of them ends; the longest play has 7 moves"
    assert size("nim", "-p", "heaps=2") == counted == size("nim", "-p", "heaps=2", "--threads", "3", "--time", "60")
    assert size("checkers", "--time", "0").endswith("stopped after 0 s")
    assert size("checkers", "--time", "60", "--memory", "16K").endswith("stopped at 16K of memory")


def test_show_everything_that_can_be_declared(run, game_file):
    text = """\
game "All"
param luck: 0..1 by 1/2 = 1/2
players 2..4 = 3
type Slot = 0..2
var a[q: Player, s: Slot]: Bool = false   seen by Player - {q}
var b: Bool = false   hidden
var c: Bool = false
start at p(P1, 0)
phase p(q: Player, secret d: Slot):
    turn q:
        move f(secret s in Slot):
            a[q, s] := true
            b := a[q, d]
            c := luck == 1
            end win q
"""
    printed = run("show", game_file(text), "-p", "players=2").out
    for line in (
        "players  2      2..4",
        "luck     1/2    0..1 by 1/2",
        "a[q: Player, s: Slot]: Bool  Player - {q}",
        "b: Bool                      nobody",
        "c: Bool                      everybody",
    ):
        assert line in printed
    assert "f(secret s in Slot)" in printed


@pytest.mark.parametrize("name", gamedefs.names())
def test_show_every_game(run, name):
    ran = run("show", name)
    assert (ran.code, ran.err) == (0, "") and "\nfacts\n" in ran.out
    record = run("show", name, "--json").record
    assert record["game"] == name and record["players"] and record["phases"] and record["facts"]


# --------------------------------------------------------- as a real program


def program(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        **options,  # whatever subprocess takes
    )


def test_the_program(tmp_path):
    done = program("moves", "two_ply_tree", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["actor"] == "MAX"
    done = program("check", "no.game")
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_a_narrow_encoding_is_no_traceback():
    done = program("random", "pig", "--plays", "3", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "mean payoff" in done.stdout


def test_a_reader_that_goes_away_is_no_traceback():
    command = [sys.executable, "-m", "zermelo", "explain"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_is_no_traceback():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", "explain"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "The output cannot be written: No space left on device.\n"


def test_an_interrupt_is_no_traceback(run, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.commands.plays.count_plays", interrupt)
    ran = run("plays", "nim", "1")
    assert (ran.code, ran.out) == (130, "") and ran.err.startswith("\nInterrupted")


class Terminal:
    """A stream that says it is a terminal."""

    def __init__(self, stream):
        self.stream = stream

    def isatty(self):
        return True

    def __getattr__(self, name):
        return getattr(self.stream, name)


@pytest.mark.parametrize(
    ("no_color", "term", "coloured"), [("", "xterm", True), ("1", "xterm", False), ("", "dumb", False)]
)
def test_colours_only_where_they_are_wanted(monkeypatch, capsys, game_file, no_color, term, coloured):
    file = game_file(BROKEN)
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    assert main(["check", file]) == 1
    assert ("\x1b[" in capsys.readouterr().out) is coloured
