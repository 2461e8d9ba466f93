"""Ctrl-C at any moment of a short command, its start included: a message of one line, never a traceback.

A campaign interrupts at more moments.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from interrupting import BY_NAME, BY_SCRIPT, interrupted
from random_cases import LONGER

from zermelo.interrupts import INTERRUPTED, SAID

ROOT: Final = Path(__file__).parents[2]
STEP: Final = 0.012 / LONGER
END: Final = 0.6
"""Seconds from the first line of a short command to its end, roughly."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

COMMANDS: Final = (
    ["solve", "nim"],
    ["show", "kuhn_poker"],
    ["check", "chess"],
    ["solve", "kuhn_poker"],
    ["--help"],
    ["equilibria", "prisoners_dilemma"],
    ["correlated", "prisoners_dilemma"],
)


def moments() -> list[float]:
    return [k * STEP for k in range(int(END / STEP))]


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("program", [BY_SCRIPT, BY_NAME], ids=["script", "module"])
def test_an_interrupt_is_a_line_at_every_moment(program, times):
    for number, after in enumerate(moments()):
        words = COMMANDS[number % len(COMMANDS)]
        code, said = interrupted(program, words, after, times)
        if "Traceback" in said and str(ROOT / "zermelo") not in said:
            continue  # Python was still searching for the package: no line of it has run
        assert (code, said.replace(f"{SAID}\n", "")) in ((INTERRUPTED, ""), (0, "")), (words, after, said)


HEARD: Final = """
import signal
before = signal.getsignal(signal.SIGINT)
import zermelo, zermelo.cli, sys
zermelo.solve(zermelo.load("two_ply_tree"))
assert signal.getsignal(signal.SIGINT) is before
assert sys.unraisablehook is sys.__unraisablehook__
"""


def test_a_program_that_uses_the_package_keeps_its_signals():
    subprocess.run([sys.executable, "-c", HEARD], cwd=ROOT, check=True)


LIGHT: Final = """
import sys
before = set(sys.modules)
import zermelo
assert set(sys.modules) - before == {"zermelo"}, set(sys.modules) - before
assert "solve" in dir(zermelo) and "lark" not in sys.modules
assert zermelo.solve.__module__ == "zermelo.solving"
"""


def test_the_package_imports_nothing_before_it_is_asked_for_something():
    subprocess.run([sys.executable, "-c", LIGHT], cwd=ROOT, check=True)


IN_A_DESTRUCTOR: Final = """
import os, signal, zermelo.cli
from zermelo.__main__ import run

class Ending:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def work(words):
    Ending()
    while True:
        pass

zermelo.cli._run = work
run()
"""

IGNORED: Final = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
import zermelo.cli
from zermelo.__main__ import run
zermelo.cli._run = lambda words: signal.raise_signal(signal.SIGINT) or 0
run()
"""

TWICE: Final = """
import signal, time, zermelo.cli
from zermelo.__main__ import run

def work(words):
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)
        time.sleep(60)

zermelo.cli._run = work
run()
"""


ANSWERED: Final = """
import signal, zermelo.cli

def test_what_answers_an_interrupt(monkeypatch):
    monkeypatch.setattr(zermelo.cli, "_run", lambda words: signal.raise_signal(signal.SIGINT))
    assert zermelo.cli.main([]) == 130

def test_what_comes_after_it():
    pass
"""


def test_an_interrupt_of_the_tests_ends_them_where_a_command_has_answered_it(tmp_path):
    (tmp_path / "test_it.py").write_text(ANSWERED)
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "helpers")))
    words = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:zermelo", "-q", "test_it.py"]
    ran = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert ran.returncode == pytest.ExitCode.INTERRUPTED and "KeyboardInterrupt" in ran.stdout


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [(IN_A_DESTRUCTOR, INTERRUPTED, f"{SAID}\n"), (TWICE, INTERRUPTED, f"{SAID}\n"), (IGNORED, 0, "")],
    ids=["in a destructor", "twice", "ignored"],
)
def test_an_interrupt_in_an_odd_place(program, code, said):
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (code, said)
