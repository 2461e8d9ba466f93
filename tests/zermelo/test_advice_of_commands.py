"""What the advice of any command names exists: each option that a help names is one of the command that was refused, or
of the command that the help names before it.
"""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.commands.options import parser_of
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.choice import Requirements, check_preconditions
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solving import facts_with_information

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
