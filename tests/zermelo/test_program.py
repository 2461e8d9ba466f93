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

from zermelo.cli import main

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
    file = game_file(MISSPELT)
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdout", Terminal(sys.stdout))
    assert main(["check", file]) == 1
    assert ("\x1b[" in capsys.readouterr().out) is coloured
