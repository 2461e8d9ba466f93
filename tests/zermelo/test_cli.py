"""The command line: the output of every command, as text and as JSON, and its exit codes."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from small_games import MISSPELT

import zermelo
from zermelo import cli, gamedefs
from zermelo.cli import COMMANDS, main
from zermelo.grammar.diagnostics import CODES

ROOT = Path(__file__).parents[2]
TRIAL = ROOT / "tests" / "trial" / "best"

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


@pytest.mark.parametrize("words", [["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_fits_a_terminal(monkeypatch, run, words):
    """But for what is to be copied, and the list of solvers."""
    monkeypatch.setenv("COLUMNS", "80")
    prose, _, _ = run(*words).out.partition("examples:")
    assert [line for line in prose.partition("\nsolvers where")[0].splitlines() if len(line) > 80] == []


def test_a_process_that_is_told_to_end_has_not_succeeded(monkeypatch):
    """As Ray ends it by SIGTERM."""
    monkeypatch.setattr(cli, "_run", lambda words: sys.exit(15))
    assert cli.main(["--version"]) == 15


def test_version(run):
    assert run("--version").out == f"zermelo {zermelo.__version__}\n"


def test_the_version_with_those_of_the_libraries(run, monkeypatch):
    """And without one of an extra that is not installed."""
    found = metadata.version

    def version(name):
        if name == "pygambit":
            raise metadata.PackageNotFoundError(name)
        return found(name)

    monkeypatch.setattr(metadata, "version", version)
    rows = dict(line.split(maxsplit=1) for line in run("--version", "--verbose").out.splitlines())
    assert rows["zermelo"] == zermelo.__version__
    assert rows["Python"].startswith(platform.python_version())
    assert f"lark {found('lark')}" in rows["needed"]
    assert rows["gambit"] == "pygambit -"


def test_the_version_where_nothing_is_installed(run, monkeypatch):
    """As from a folder with the sources."""

    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    told = [line.split()[0] for line in run("--version", "--verbose").out.splitlines()]
    assert told == ["zermelo", "Python", "system"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ([], "bad-usage", "there is no command"),
        (["slove", "nim"], "bad-usage", "did you mean 'solve'?"),
        (["--fast", "solve"], "bad-usage", "there is no command '--fast'"),
        (["--version", "solve", "--verbose", "nim"], "bad-usage", "unrecognized arguments: solve nim"),
        (["solve"], "bad-usage", "required: GAME"),
        (["solve", "nim", "--fast"], "bad-usage", "--fast"),
        (["solve", "nim", "--format", "xml"], "bad-usage", "xml"),
        (["solve", "nim", "-p", "heaps"], "bad-usage", "NAME=VALUE"),
        (["plays", "nim"], "bad-usage", "required: N"),
        (["plays", "nim", "-3"], "bad-usage", "-3"),
        (["plays", "nim", "many"], "bad-usage", "'many' is not a whole number"),
        (["random", "nim", "--plays", "1.5"], "bad-usage", "'1.5' is not a whole number"),
        (
            ["play", "nim", "--seat", "Ann=smart"],
            "bad-usage",
            "human, random, best, greedy, mcts, pimc, ismcts, oos, or a FILE of strategies",
        ),
        (["play", "nim", "--seat", "Anna=best"], "unknown-player", "did you mean 'Ann'?"),
        (["solve", "nim", "--solver", "mcts", "--exploration", "-1"], "bad-usage", "exploration"),
        (["solve", "nim", "--solver", "mcts", "--exploration", "1001"], "bad-usage", "from 0 to 1,000"),
        (["solve", "nimm"], "unknown-game", "did you mean 'nim'?"),
        (["solve", "nim", "-p", "heap=2"], "unknown-parameter", "did you mean 'heaps'?"),
        (["solve", "nim", "--solver", "alfabeta"], "unknown-solver", "did you mean 'alphabeta'?"),
        (["explain", "mising-colon"], "unknown-code", "did you mean 'missing-colon'?"),
        (["explain", "bananas"], "unknown-code", "`zermelo explain` lists all codes"),
        (["table"], "bad-usage", "build|info|query|verify"),
        (["force", "kuhn_poker"], "bad-usage", "the players are Alice, Bob"),
        (["check", "no/such.game"], "unreadable-file", "No such file"),
        (["show", "."], "unreadable-file", "directory"),
    ],
)
def test_what_cannot_be_followed_is_exit_code_2(run, words, code, says):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error[{code}]: ") and says in ran.err
    ran = run(*words, "--json")
    record = json.loads(ran.out)
    assert (ran.code, ran.err) == (2, "") and record["severity"] == "error"


MAY_BE_0 = {
    ("random", "--plays"), ("diff", "--plays"), ("serve", "--port"), ("match", "--opening"), ("judge", "--opening"),
    ("balance", "--opening"),
}  # fmt: skip
"""The options that take 0, besides ``--seed``: no plays, any port that is free, and no moves at random."""


def _numeric_options(run, command):
    """The options that take a number or a seed, as the help of a command lists them."""
    return sorted(set(re.findall(r"(--[a-z]+) [NS]\b", run(command, "--help").out)))


def test_the_options_that_take_numbers_are_found(run):
    expected = ["--depth", "--digits", "--iterations", "--nodes", "--seed", "--simulations", "--threads"]
    assert _numeric_options(run, "solve") == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_numbers_of_things_are_whole_and_not_too_small_or_large(run, command):
    for option in _numeric_options(run, command):
        least = 0 if option == "--seed" or (command, option) in MAY_BE_0 else 1
        for number, says in (
            ("-1", "'-1' is not a whole number from 0"),
            ("1.5", "'1.5' is not a whole number from 0"),
            ("many", "'many' is not a whole number from 0"),
            (str(10**18 + 1), "it must be at most "),
            (str(least - 1), "is not a whole number from 0" if least == 0 else "it must be at least 1"),
        ):
            ran = run(command, option, number)
            assert (ran.code, ran.out) == (2, "") and f"{option}: " in ran.err and says in ran.err, (option, number)
        assert f"{option}: " not in run(command, option, str(least), "--nonsense").err


@pytest.mark.parametrize("command", ["solve", "moves", "show", "random", "play", "test"])
def test_a_file_with_errors_is_exit_code_1(run, game_file, command):
    ran = run(command, game_file(MISSPELT))
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
    ran = run("check", game_file(MISSPELT), "nim")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.count("error[undefined-name]") == 2
    assert "6 |         move go_on: go paly(other p)" in ran.out
    assert ran.out.rstrip().endswith("nim.game: no findings")


def test_check_as_json_has_one_record_on_each_line(run, game_file):
    ran = run("check", game_file(MISSPELT), "--format", "json")
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 1
    assert [(record["code"], record["file"], record["line"]) for record in records] == [
        ("undefined-name", "test.game", 6),
        ("undefined-name", "test.game", 7),
    ]
    assert records[0]["column"] == 24 and records[0]["end_column"] == 28
    assert records[0]["fix"]["replacement"] == "play"


def test_check_with_a_warning_alone_fails_only_if_strict(run, game_file):
    text = gamedefs.path("two_ply_tree").read_text(encoding="utf-8")
    file = game_file(text.replace("players MAX, MIN", "players MAX, MIN\ntype Nothing = a | b"))
    ran = run("check", file)
    assert ran.code == 0 and "warning[unused-name]" in ran.out and "1 warning in test.game." in ran.out
    assert run("check", file, "--strict").code == 1
    assert run("check", "nim", "--strict").code == 0


def test_check_with_a_parameter(run):
    assert run("check", "nim", "-p", "heaps=2").code == 0
    ran = run("check", "nim", "-p", "heaps=many")
    assert ran.code == 1 and "error[parameter-out-of-range]" in ran.out
    assert "unknown-parameter" in run("check", "nim", "-p", "piles=2").err


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


# ------------------------------------------------------- plays, random, show


def test_plays(run):
    assert run("plays", "tic_tac_toe", "3").out == "504\n"
    record = run("plays", "nim", "2", "-p", "heaps=1", "--json").record
    assert record == {
        "game": "nim",
        "parameters": {"heaps": 1, "smallest": 3},
        "after": [],
        "machine": "native",
        "length": 2,
        "plays": 3,
        "stopped": None,
        "provenance": record["provenance"],
    }


def test_random(run):
    words = ["random", "pig", "--plays", "20", "--seed", "4"]
    ran = run(*words)
    assert ran.code == 0 and run(*words).out == ran.out != run(*words[:-1], "5").out
    record = run(*words, "--json").record
    assert (record["plays"], record["unfinished"], record["seed"]) == (20, 0, 4)
    assert set(record["mean_payoffs"]) == {"Ann", "Bob"}
    assert record["shortest"] < record["longest"]
    assert f" moves on average, {record['shortest']} to {record['longest']}\n" in ran.out
    nothing = run("random", "pig", "--plays", "0", "--json").record
    assert nothing["plays"] == 0 and nothing["mean_payoffs"] is None


def test_plays_that_do_not_end_are_told(run, game_file, monkeypatch):
    """A play is given up after two moves here, which half of them need."""
    monkeypatch.setattr("zermelo.solvers.search.random_plays.LONGEST", 2)
    text = 'game "On"\nplayers Ann\nstart at p\nphase p:\n    turn Ann:\n        move on: go p\n'
    text += "        move stop: end payoff (1)\n"
    words = ["random", str(game_file(text)), "--plays", "20", "--machine", "reference"]
    given_up = run(*words, "--json").record["unfinished"]
    assert 1 < given_up < 19
    assert f"{given_up} plays were given up after " in run(*words).out
    assert "given up" not in run(*words[:2], "--plays", "0").out


def test_show(run):
    printed = run("show", "kuhn_poker").out
    assert "hand[Player]: Card  each player their own" in printed
    assert "deal                   chance  deal(a in Card, b in Card)" in printed
    assert "zero_sum  proved" in printed


def test_show_writes_parameters_as_the_file_does(run, game_file):
    text = 'game "G"\nplayers Ann\nparam may_pass: Bool = true\nstart at go_on\nphase go_on:\n    end draw\n'
    assert "\nmay_pass  true   Bool\n" in run("show", game_file(text)).out


def test_show_says_who_decides_in_each_phase(run):
    printed = run("show", "rock_paper_scissors").out
    assert any(line.split() == ["throw", "together", "show(t", "in", "Throw)"] for line in printed.splitlines())


def test_show_counts_symmetries_where_they_are_of_use(run):
    said = "symmetries   16 (ways to rename players and Cell that leave the rules as they are)"
    assert said in run("show", "tic_tac_toe").out.splitlines()
    assert run("show", "connect_four", "--json").record["symmetries"] == 4
    assert "symmetries" not in run("show", "chess").out and run("show", "chess", "--json").record["symmetries"] == 1
    assert "symmetries   2 (ways to rename Suit that leave" in run("show", "leduc_poker").out, "and no ranks"
    assert run("show", "kuhn_poker_for_several", "--json").record["symmetries"] is None  # no solver has a use for them


def test_show_does_not_count_more_symmetries_than_it_looks_for(run):
    """Five cells that are all neighbours can be renamed in 120 ways, and the players in 2: 240 in all."""
    shown = run("show", str(TRIAL / "five_names.game"))
    assert "symmetries   at least 48 " in shown.out
    record = run("show", str(TRIAL / "five_names.game"), "--json").record
    assert record["symmetries"] <= 240 and record["symmetries_may_be_more"] is True
    assert run("show", "tic_tac_toe", "--json").record["symmetries_may_be_more"] is False


def test_show_tells_what_a_visit_of_all_positions_shows(run, game_file):
    """The payoffs sum to 0, which the rules alone do not prove."""
    text = """
game "Both"
players Ann, Bob
claim zero_sum
var won: 0..3 = 0
var lost: -3..0 = 0
start at play(Ann)
phase play(p: Player):
    if won == 3: end payoff (won, lost)
    turn p:
        move go_on:
            won += 1
            lost -= 1
            go play(other p)
        move stop: end payoff (won, lost)
"""
    file = game_file(text)
    assert "zero_sum  open" in run("show", file).out
    assert "zero_sum  proved" in run("show", file, "--positions").out


def test_show_keeps_what_the_first_positions_tell_where_more_are_counted(run, game_file):
    """The first draw tells that chance draws, though the survey leaves most positions to a count."""
    text = """
game "Long"
players Ann, Bob
type Hand = left | right
var score: 0..30000 = 0
start at draw({left})
phase draw(hands: set of Hand):
    chance for h in Hand if h in hands:
        outcome tick(n in 1..2) if score + n <= 30000: score += n
        outcome last if score + 2 > 30000: end payoff (score, 0)
    then: go choose
phase choose:
    turn Ann:
        move on: go draw({left})
"""
    facts = run("show", game_file(text), "--positions").out
    assert "positions" in facts and "yes (a play has been found in which chance draws)" in facts


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


@pytest.mark.parametrize(("phases", "rest"), [(40, []), (42, ["... and 2 more"])])
def test_show_lists_up_to_forty_phases(run, game_file, phases, rest):
    decisions = "".join(f"phase p{k}:\n    turn A:\n        move m: go p{k + 1}\n" for k in range(1, phases))
    last = f"phase p{phases}:\n    turn A:\n        move m: end\n"
    printed = run("show", game_file(f'game "Long"\nplayers A\nstart at p1\n{decisions}{last}')).out.splitlines()
    assert sum(re.fullmatch(r"p\d+ +A +m", line) is not None for line in printed) == 40
    assert [line for line in printed if line.startswith("...")] == rest


@pytest.mark.parametrize("name", gamedefs.names())
def test_show_every_game(run, name):
    ran = run("show", name)
    assert (ran.code, ran.err) == (0, "") and "\nfacts\n" in ran.out
    record = run("show", name, "--json").record
    assert record["game"] == name and record["players"] and record["phases"] and record["facts"]


# The commands that come first: what games there are, and a game of one's own.


@pytest.mark.parametrize("name", gamedefs.names())
def test_every_bundled_game_says_in_a_few_words_what_it_is(name):
    title, about = gamedefs.lid(name)
    assert title and 3 < len(about) <= 80 and not about.endswith(".")


def test_games_are_listed_with_a_line_each(run):
    ran = run("games")
    assert (ran.code, ran.err) == (0, "")
    listed = [line.split()[0] for line in ran.out.splitlines()[1:] if line and not line[0].isspace()]
    assert set(gamedefs.names()) <= set(listed)
    records = run("games", "--json").record
    assert [record["name"] for record in records] == list(gamedefs.names())


def test_a_word_leaves_the_games_that_have_it(run):
    assert [record["name"] for record in run("games", "POKER", "--json").record] == [
        "kuhn_poker",
        "kuhn_poker_for_several",
        "leduc_poker",
    ]
    ran = run("games", "quidditch")
    assert ran.code == 2 and ran.err.startswith("error[unknown-game]: no bundled game has 'quidditch'")


def test_a_new_game_is_sound_and_keeps_the_comments(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("new", "three_stones")
    assert ran.code == 0 and "zermelo check three_stones.game" in " ".join(ran.out.split())
    text = (tmp_path / "three_stones.game").read_text()
    assert 'game "Three stones"\n' in text and "zermelo check three_stones.game" in text and "FILE" not in text
    assert run("check", "three_stones.game").out == "three_stones.game: no findings\n"
    assert run("test", "three_stones.game").code == 0


def test_the_language_on_one_page(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sheet = run("new", "--sheet").out
    assert sheet.startswith("# The language on one page\n") and not list(tmp_path.iterdir())
    assert json.loads(run("new", "--sheet", "--json").out) == {"sheet": sheet}
    assert "a new game needs a NAME" in run("new").err


def test_a_new_game_as_json(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "first", "--json").record == {"file": "first.game"}
    assert (tmp_path / "first.game").is_file()


def test_a_file_that_exists_is_left_alone(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.game").write_text("mine")
    for name in ("mine", "mine.game"):
        ran = run("new", name)
        assert ran.code == 2 and ran.err.startswith("error[unwritable-file]: mine.game exists already")
    assert (tmp_path / "mine.game").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "code"),
    [('a"b', "bad-usage"), ("_", "bad-usage"), ("a\nb", "bad-usage"), ("no/such/x", "unwritable-file")]
    + [(name, "bad-usage") for name in ("", ".", "..", "/", "x/..")],
)
def test_a_name_that_no_game_can_have(run, tmp_path, monkeypatch, name, code):
    monkeypatch.chdir(tmp_path)
    ran = run("new", name)
    assert ran.code == 2 and ran.err.startswith(f"error[{code}]: ")
    assert list(tmp_path.iterdir()) == []


# ``zermelo lsp``, apart from the conversation itself: what is missing, and how it ends.


def test_the_extra_is_named_where_the_library_is_missing(monkeypatch, capsys):
    loaded = [name for name in sys.modules if name.partition(".")[0] == "pygls"]
    for name in loaded:  # by other tests of this process: the parents of a module that is loaded are not asked for
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 1
    assert "pip install 'zermelo[lsp]'" in capsys.readouterr().err


def test_it_ends_with_its_input():
    ended = subprocess.run([sys.executable, "-m", "zermelo", "lsp", "--stdio"], stdin=subprocess.DEVNULL, timeout=600)
    assert ended.returncode == 0


def test_other_commands_do_not_load_the_server():
    code = "import sys; from zermelo.cli import main; main(['check', 'nim']); assert 'pygls' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=600).returncode == 0


# ``zermelo fmt``.


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


def test_a_difference_tells_where_the_last_line_does_not_end(run, tmp_path) -> None:
    """As ``diff -u`` writes it, and ``git apply`` reads it."""
    file = tmp_path / "test.game"
    file.write_text(GAME.removesuffix("\n"), encoding="utf-8")
    last = "-param n:0..3=2\n\\ No newline at end of file\n+param n: 0..3 = 2\n"
    assert run("fmt", str(file), "--diff").out.partition(" players A\n")[2].startswith(last)


def test_a_dry_run_says_what_would_change(run, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("a", GAME), ("b", LAID_OUT), ("c", GAME)):
        Path(f"{name}.game").write_text(text, encoding="utf-8")
    ran = run("fmt", ".", "--check")
    assert (ran.code, ran.out.splitlines()) == (
        1,
        [
            "a.game: would be in the one layout",
            "c.game: would be in the one layout",
            "2 would change, 1 as before.",
        ],
    )
    assert run("fmt", "b.game", "--check").code == 0
    assert run("fmt", "-", "--check", typed=GAME).code == 1


OLD = GAME + "setup: n2:=n2+1\n"
NEW = "language 2\n" + LAID_OUT + "setup: n2 += 1\n"


def test_upgrade_writes_the_newest_forms_too(run, game_file) -> None:
    file = game_file(OLD)
    ran = run("fmt", file, "--upgrade", "--check")
    assert (ran.code, ran.out.splitlines()[0]) == (1, "test.game: would be in the newest forms")
    shown = run("fmt", file, "--upgrade", "--diff").out
    assert "+language 2\n" in shown and "-setup: n2:=n2+1\n" in shown and "+setup: n2 += 1\n" in shown
    assert Path(file).read_text(encoding="utf-8") == OLD
    assert run("fmt", file, "--upgrade").out == "test.game: is now in the newest forms\n1 changed, 0 as before.\n"
    assert Path(file).read_text(encoding="utf-8") == NEW == run("fmt", "-", "--upgrade", typed=OLD).out
    assert run("fmt", file, "--upgrade").out == "0 changed, 1 as before.\n"
    assert run("fmt", file).out == "0 changed, 1 as before.\n"


def test_a_file_whose_meaning_has_changed_is_not_upgraded(run, game_file) -> None:
    text = 'language 1\ngame "x"\nplayers A, B\ntype S = grid(3, 3)\ndefine d = diagonals(S)\n'
    file = game_file(text)
    ran = run("fmt", file, "--upgrade")
    assert (ran.code, "changed-meaning" in ran.err) == (1, True)
    assert Path(file).read_text(encoding="utf-8") == text


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


# Names of any script, in arguments too, where an accent may have its other form.


SCRIPTS = (ROOT / "tests" / "interpreter" / "good" / "names_of_many_scripts.game").read_text(encoding="utf-8")


def test_arguments_may_name_things_of_any_script(run, game_file):
    file = game_file(SCRIPTS)
    play = ["взять(3, (groß, 三))", "взять(1, (klein, 二))"]
    ran = run("moves", file, "-p", "ho\u0308chstens=3", "--after", "; ".join(play), "--json")
    said = json.loads(ran.out)
    assert (said["parameters"], said["play"], said["actor"]) == ({"h\u00f6chstens": 3}, play, "Zoë")
    assert len(said["moves"]) == 6 and "взять(1, (groß, 一))" in said["moves"]
    ran = run("diff", file, file, "--rename", "Zoe\u0308=Zoë")
    assert ran.code == 0, ran.out + ran.err


def test_a_number_of_another_script_is_none(run, game_file):
    ran = run("check", game_file(SCRIPTS.replace("0..5 = 5", "0..\u0665 = 5")))
    assert ran.code == 1 and "unknown-character" in ran.out
