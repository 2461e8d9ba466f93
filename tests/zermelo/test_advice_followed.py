"""The advice of commands that use games, strategies and files, followed: each file of ``advice/COMMAND/`` has a refused
command line, a piece of its help, and the command lines that the help proposes, which must succeed. Advice of solvers
is in ``refusals/``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from refused_commands import follow, read_case

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
