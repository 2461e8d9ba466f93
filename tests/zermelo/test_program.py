"""The command line as a program of the system: its streams, signals and colours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_games import MISSPELT

import zermelo
from zermelo.cli import main
from zermelo.machines import name_of, why_reference_machine

ROOT = Path(__file__).parents[2]


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
    def interrupt(*_: object, **__: object) -> None:
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
    file = game_file(MISSPELT)
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    assert main(["check", file]) == 1
    assert ("\x1b[" in capsys.readouterr().out) is coloured


# Rules that cannot be lowered are refused with their place, and fall back to the reference machine by default.


PAIRS = """\
game "Used moves"
players A, B
type Square = grid(9, 9)
var here: Square = a1
var used: set of (a: Square, b: Square) = {}
start at play(A)
phase play(p: Player):
    turn p:
        move go_to(s in neighbours(here)) if (here, s) not in used and size(used) < 2:
            used += {(here, s)}
            here := s
            go play(other p)
    otherwise: end win other p
"""

LONG = """\
game "Long moves"
players A, B
start at play
phase play:
    turn A:
        move allot(a in 0..999, b in 0..999, c in 0..999, d in 0..999, e in 0..999, f in 0..999, g in 0..999)
                if a + b + c + d + e + f + g == 2 and a < 2 and b < 2 and c < 2 and d < 2 and e < 2 and f < 2 and g < 2:
            end draw
"""


@pytest.mark.parametrize(
    ("text", "line", "construct"),
    [(PAIRS, 5, "a set whose type has 16384 members"), (LONG, 6, "a move of more than 62")],
)
def test_what_is_not_covered_is_named_with_its_line(text, line, construct):
    game = zermelo.loads(text)
    for machine in ("native", "python"):
        with pytest.raises(zermelo.ZermeloError) as refused:
            game.on(machine)
        assert refused.value.code == "machine-unavailable"
        assert f"in line {line} it does not cover {construct}" in str(refused.value)


def test_only_a_choice_that_nobody_made_is_explained():
    said = "the reference machine, since the native one cannot run this game: in line 6 it does not cover a move of"
    game = zermelo.loads(LONG)
    assert (why_reference_machine("auto", game.prepared) or "").startswith(said)
    assert why_reference_machine("reference", game.prepared) is None
    assert why_reference_machine("auto", zermelo.load("nim").prepared) is None


@pytest.mark.parametrize("text", [PAIRS, LONG])
def test_it_runs_on_the_reference_machine(text):
    game = zermelo.loads(text)
    assert game.searching is game.reference
    assert zermelo.solve(game).exact


def test_without_llvm_lowered_rules_run_as_python(monkeypatch):
    monkeypatch.setattr("zermelo.interpreter.native.llvm.engine.is_available", lambda: False)
    game = zermelo.load("nim")
    assert name_of(game.searching) == "python"
    assert zermelo.solve(game).value == (1, -1)
    with pytest.raises(zermelo.ZermeloError, match="needs LLVM") as refused:
        game.on("native")
    assert refused.value.code == "machine-unavailable"


LARGE = """\
game "Large"
players A, B
var n: 0..3 = 3
start at play(A)
phase play(p: Player):
    turn p:
        move stop:
            end payoff {p: -3000000000000000000, other p: 3000000000000000000}
        move take(k in 1..2) if k <= n:
            n -= k
            if n == 0: end payoff {p: 3000000000000000000, other p: -3000000000000000000}
            go play(other p)
"""


def test_what_kernels_cannot_hold_is_said(run, game_file):
    path = game_file(LARGE)
    said = " ".join(run("solve", path, "--machine", "native").out.split())
    assert "machine kernels ran in Python, with exact numbers: a number or a history is too large" in said
    assert "s in Python, over the native machine" in said and "on the native machine" not in said
    assert "too large" in run("solve", path, "--json").record["beyond"]


def test_a_search_that_is_stopped_says_so_too(run, game_file):
    path = game_file(LARGE.replace("0..3 = 3", "0..9999 = 9999"))
    ran = run("solve", path, "--memory", "1M")
    assert ran.code == 1 and "error[out-of-memory]" in ran.err
    assert "kernels ran in Python, with exact numbers: a number or a history is too large" in ran.err


def test_nothing_is_said_of_what_runs_as_it_should(run):
    ran = run("solve", "go", "-p", "size=2", "--machine", "native")
    assert "on the native machine" in ran.out and "in Python" not in ran.out
