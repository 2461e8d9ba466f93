"""The advice of commands that use games, strategies and files, followed: each file of ``advice/COMMAND/`` has a refused
command line, a piece of its help, and the command lines that the help proposes, which must succeed. Advice of solvers
is in ``refusals/``."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentTypeError
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from refused_commands import follow, read_case

import zermelo
from zermelo.cli import main
from zermelo.commands.options import parameter, parser_of, seconds, size, whole_number
from zermelo.grammar.diagnostics import CODES, ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.reference import decisions
from zermelo.solvers.choosing.choice import Requirements, check_preconditions
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.common.trace import Trace
from zermelo.solving import facts_with_information

ADVICE = Path(__file__).parent / "advice"

HALVING = """
game "Halving"
players Ann, Bob
claim terminates
var n: 0..4096 = 0
start at pick
phase pick:
    turn Ann:
        move pick(k in 1..4000):
            n := k
            go play(Bob)
phase play(p: Player):
    turn p:
        move go_on:
            if n == 1: end win p
            n := if n % 2 == 0 then n // 2 else n + 1
            go play(other p)
"""


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in sorted(ADVICE.glob("*/*.txt"))]
)
def test_what_a_command_advises_goes_on(run, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    case = read_case(path)
    assert case.refused.startswith(path.parent.name)
    follow(case, run)


@pytest.mark.parametrize(
    "line",
    [
        "exploit leduc_poker uniform --memory 100K",
        "exploit tic_tac_toe uniform --memory 20K",
        "exploit oshi_zumo -p coins=3 uniform --memory 20K",
        "match kuhn_poker uniform --memory 1K",
        "match goofspiel uniform --memory 1K",
        "match tic_tac_toe uniform --memory 20K",
        "compare goofspiel --memory 1K",
    ],
)
def test_who_follows_the_advice_on_memory_gets_there(run, line):
    """Each time the message names more, until it is enough."""
    words, _, memory = line.rpartition(" ")
    ran = run(*words.split(), memory)
    for _ in range(8):
        if not ran.code:
            return
        (more,) = set(re.findall(r"--memory (\w+)", ran.out + ran.err))
        assert more != memory
        memory = more
        ran = run(*words.split(), memory)
    pytest.fail(f"{memory} is not enough")


def test_a_claim_that_little_memory_leaves_open(run, game_file):
    """Each number but 1 is halved, or grows by one first; no rule of proof knows it, and the positions show it."""
    game = game_file(HALVING)
    little = run("test", game, "--memory", "100K")
    assert "open" in little.out and "--time and --memory allow more" in little.out
    for more in (["--memory", "64M"], ["--memory", "64M", "--time", "60"], []):
        assert "passed   claim terminates" in run("test", game, *more).out


# What the advice of any command names exists: each option that a help names is one of the command that was refused, or
# of the command that the help names before it.


GAMES = sorted(path.stem for path in Path(zermelo.__file__).parent.glob("gamedefs/*.game"))


def options(command, capsys):
    """The options of a command, from its own help."""
    with suppress(SystemExit):
        main([command, "--help"])
    return set(re.findall(r"(?<![\w-])--?[a-z]+", capsys.readouterr().out))


def named(help, command):
    """The options that a help names, each with the command that it is for."""
    for quoted in re.findall(r"`zermelo (\w+)([^`]*)`", help):
        yield from ((quoted[0], option) for option in re.findall(r"(?<![\w-])--?[a-z]+", quoted[1]))
    rest = re.sub(r"`[^`]*`", "", help)
    yield from ((command, option) for option in re.findall(r"(?<![\w-])--?[a-z]+", rest))


def requests(help, command):
    """The requests for a solver in a help, each with the command that it is for."""
    asked = r"--solver \w+(?: --\w+ \w+)*"
    for quoted in re.findall(r"`zermelo (\w+)([^`]*)`", help):
        yield from ((quoted[0], words) for words in re.findall(asked, quoted[1]))
    yield from ((command, words) for words in re.findall(asked, re.sub(r"`[^`]*`", "", help)))


def parse(command, words):
    """Raises ``ZermeloError`` (``bad-usage``) if a command does not take these words."""
    module = import_module(f"zermelo.commands.{command}")
    parser = parser_of(command, module.__doc__, module.EXAMPLES)
    module.configure(parser)
    parser.parse_intermixed_args(["nim", *words.split()])


def refusals(facts: Facts):
    """Of every solver that does not fit, in a search to the end and to a depth."""
    for solver in SOLVERS.values():
        for deepens in (False, True):
            try:
                check_preconditions(solver, facts, Requirements(deepens=deepens))
            except ZermeloError as error:
                yield error


@pytest.mark.parametrize("command", ["solve", "moves"])
def test_a_solver_that_does_not_fit_leads_to_options_that_there_are(command, capsys):
    known = {name: options(name, capsys) for name in ("solve", "moves")}
    for name in GAMES:
        for error in refusals(facts_with_information(zermelo.load(name))):
            for of, option in named(error.help, command):
                assert option in known[of], (name, error.help)
            for of, words in requests(error.help, command):
                parse(of, words)


@pytest.mark.parametrize(
    "words",
    [
        "play kuhn_poker --seat Zoe=best",
        "play kuhn_poker --seat Alice=perfect",
        "play chess --after e4",
        "compare nim -p heaps=7",
        "compare nim -p heaps=2 --time soon",
        "test nim -p heaps=2",
        "equilibria prisoners_dilemma --after cooperate",
        "exploit nim missing.json",
        "exploit nim uniform --solver mtdf",
        "match nim",
        "match kuhn_poker uniform --memory 1K",
        "moves nim --values --solver cfr",
        "moves nim --depth 3",
        "moves nim --believe Ann",
        "moves tic_tac_toe --values --estimate rollouts",
        "random four_card_whist --time 1 --depth 3",
        "plays hex 9 --memory 1M --time 0.5",
        "show chess --positions --memory 1M",
        "check nothing.game",
        "diff nim",
        "mutate nim --time",
    ],
)
def test_a_refusal_of_any_command_leads_to_options_that_there_are(words, run, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run(*shlex.split(words))
    helps = re.sub(r"\s+", " ", " ".join(re.findall(r"= help: (.*(?:\n {4,}.*)*)", ran.err)))
    for of, option in named(helps, words.split()[0]):
        assert option in options(of, capsys), helps


# Refusals say what goes on: each file of ``refusals/CODE/`` has a command that is refused with this code, a piece of
# the help, and the command that this help proposes, which must succeed. There are at least ten for each code. A
# trace may have fewer nodes here than elsewhere, and a decision fewer moves: so many take seconds.


REFUSALS = Path(__file__).parent / "refusals"

ABOUT_SOLVING = {
    "no-solver", "no-value", "no-policy", "earns-for-ever", "searches-to-the-end", "cannot-be-traced",
    "does-not-iterate", "does-not-sample", "trace-too-large", "too-many-strategies", "too-many-outcomes",
    "out-of-memory", "out-of-nodes", "unknown-solver", "too-many-moves",
}  # fmt: skip
"""The codes of refusals by solvers, and of decisions that they cannot list, beside those that begin with ``needs-``;
``out-of-time`` depends on the clock."""


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in sorted(REFUSALS.glob("*/*.txt"))]
)
def test_what_a_refusal_proposes_goes_on(run, tmp_path, monkeypatch, path):
    monkeypatch.setattr(Trace.__init__, "__defaults__", (5_000,))
    monkeypatch.setattr(decisions, "MOST_MOVES", 5_000)
    monkeypatch.chdir(tmp_path)
    assert f"error[{path.parent.name}]" in follow(read_case(path), run)


def test_every_refusal_by_solvers_has_ten_cases():
    counts = {
        path.name: len({case.read_text(encoding="utf-8") for case in path.glob("*.txt")}) for path in REFUSALS.iterdir()
    }
    assert set(counts) == {code for code in CODES if code.startswith("needs-") or code in ABOUT_SOLVING}
    assert min(counts.values()) >= 10


# Likely slips on the command line: what was meant is said.


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["solve", "tic_tac_toe", "size=4"], "did you mean '-p size=4'?"),
        (["solve", "tic_tac_toe", "--verfy"], "did you mean '--verify'?"),
        (["moves", "tic_tac_toe", "--value"], "did you mean '--values'?"),
        (["show", "tic_tac_toe", "--position"], ""),
        (["compare", "tic_tac_toe", "--solver", "minimax"], ""),
        (["explain", "bad-usage", "a=b"], ""),
    ],
)
def test_an_argument_that_a_command_does_not_have(run, words, meant):
    ran = run(*words)
    said = re.sub(r"\s+", " ", ran.err)
    assert ran.code == 2 and "error[bad-usage]" in said
    assert meant in said and ("did you mean" in said) == bool(meant)


def test_the_name_of_a_file_without_its_ending(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_game").code == 0
    assert "did you mean 'my_game.game'?" in re.sub(r"\s+", " ", run("check", "my_game").err)
    assert "there is my_game.game" in run("check", "my_gme.game").err
    assert "there is my_game.game" in run("solve", "my_game.gam").err
    assert "there is" not in run("solve", "nowhere/my_game.game").err
    assert "there is" not in run("solve", "chess960.game").err


# Numbers and sizes on the command line that are none.


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--memory", "x"], "argument --memory: 'x' is not a size, such as 64M or 2G"),
        (["--memory", "0M"], "argument --memory: '0M' is not a size, such as 64M or 2G"),
        (["--memory", "8"], "argument --memory: '8' is not a size, such as 64M or 2G"),
        (["--memory", "1000000000G"], "argument --memory: '1000000000G' is more memory than any computer has"),
        (["--memory", "9" * 20 + "G"], "argument --memory: it must be at most 1,000,000,000,000,000,000"),
        (["--exploitability", "-1"], "argument --exploitability: '-1' is not a number such as 0.001 or 1e-6"),
        (["--exploitability", "1e"], "argument --exploitability: '1e' is not a number such as 0.001 or 1e-6"),
        (["--exploration", "1001"], "argument --exploration: '1001' is not a number from 0 to 1,000"),
        (["--exploration", "1,5"], "argument --exploration: '1,5' is not a number from 0 to 1,000"),
    ],
)
def test_a_number_of_an_option_is_refused(run, words, message):
    ran = run("solve", "nim", f"{words[0]}={words[1]}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"error[bad-usage]: {message}"


@pytest.mark.parametrize(
    ("read", "text", "found"),
    [
        (size, "64M", 64 << 20),
        (size, "2g", 2 << 30),
        (size, "1K", 1024),
        (size, "3KB", 3 << 10),
        (size, f"{10**18 >> 10}K", 10**18 >> 10 << 10),
        (size, f"{(10**18 >> 10) + 1}K", None),
        (size, "1.5G", None),
        (size, "1T", None),
        (seconds, "0", 0.0),
        (seconds, "1.5", 1.5),
        (seconds, "2.", 2.0),
        (seconds, ".25", 0.25),
        (seconds, ".", None),
        (seconds, "-1", None),
        (seconds, "1e3", None),
        (whole_number, str(10**18), 10**18),
        (whole_number, str(10**18 + 1), None),
        (whole_number, "0" * 20 + "1", None),
        (parameter, "a=b", ("a", "b")),
        (parameter, " a = b=c ", ("a", "b=c")),
        (parameter, "a=", None),
        (parameter, "a= ", None),
        (parameter, "=b", None),
        (parameter, " =b", None),
        (parameter, "a", None),
    ],
)
def test_what_an_option_reads(read, text, found):
    if found is None:
        with pytest.raises(ArgumentTypeError):
            read(text)
    else:
        assert read(text) == found


def test_a_renaming_is_refused(run):
    ran = run("diff", "nim", "nim", "--rename", "a b")
    message = "argument --rename: 'a b' is not of the form WORD=OTHER"
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"error[bad-usage]: {message}")


def test_a_parameter_of_too_many_digits_is_refused(run):
    digits = "1" * 5000
    message = f"error[parameter-out-of-range]: the parameter 'heaps' cannot be '{digits[:60]}...'"
    assert run("show", "nim", "-p", f"heaps={digits}").err.splitlines()[0] == message
    message = r"the parameter 'heaps' cannot be a number with more than [\d,]+ digits"
    with pytest.raises(zermelo.InvalidGame, match=message):
        zermelo.load("nim", heaps=10**5000)
