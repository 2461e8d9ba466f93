"""Ctrl-C at any moment of a short command, its start included: a message of one line, never a traceback.

A campaign interrupts at more moments."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import pytest
from interrupting import BY_NAME, BY_SCRIPT, interrupted
from random_cases import LONGER

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interrupts import INTERRUPTED, SAID
from zermelo.last_resort import Failure
from zermelo.report.console import Shown

ROOT: Final = Path(__file__).parents[2]
STEP: Final = 0.012 / LONGER
END: Final = 0.6
"""Seconds from the first line of a short command to its end, roughly."""


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


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_program_that_uses_the_package_keeps_its_signals():
    subprocess.run([sys.executable, "-c", HEARD], cwd=ROOT, check=True)


LIGHT: Final = """
import sys
before = set(sys.modules)
import zermelo
assert set(sys.modules) - before == {"zermelo"}, set(sys.modules) - before
assert "solve" in dir(zermelo) and "lark" not in sys.modules
assert zermelo.solve.__module__ == "zermelo.questions"
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_package_imports_nothing_before_it_is_asked_for_something():
    subprocess.run([sys.executable, "-c", LIGHT], cwd=ROOT, check=True)


IN_A_DESTRUCTOR: Final = """
import os, signal, zermelo.cli
from zermelo.__main__ import run

class Ending:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def work(words):
    try:
        Ending()
        while True:
            pass
    finally:
        os.write(2, b"put in order")

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


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_of_the_tests_ends_them_where_a_command_has_answered_it(tmp_path):
    (tmp_path / "test_it.py").write_text(ANSWERED)
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "helpers")))
    words = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:zermelo", "-q", "test_it.py"]
    ran = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert ran.returncode == pytest.ExitCode.INTERRUPTED and "KeyboardInterrupt" in ran.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("program", "code", "said"),
    [(IN_A_DESTRUCTOR, INTERRUPTED, f"put in order{SAID}\n"), (TWICE, INTERRUPTED, f"{SAID}\n"), (IGNORED, 0, "")],
    ids=["in a destructor", "twice", "ignored"],
)
def test_an_interrupt_in_an_odd_place(program, code, said):
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert (ran.returncode, ran.stderr) == (code, said)


# Unexpected errors become messages, on the command line and in the package.


LAST_RESORT_ROOT = Path(__file__).parents[2]
TRIALS = LAST_RESORT_ROOT / "tests" / "trial"
FAULTS = [RecursionError, ZeroDivisionError, OverflowError, KeyError, AssertionError, IndexError]


def raising(kind: type[BaseException]):
    def fail(*_: object, **__: object) -> None:
        raise kind("the inside of the program")

    return fail


@pytest.mark.parametrize("kind", [*FAULTS, TypeError, RuntimeError], ids=lambda kind: kind.__name__)
def test_a_fault_is_reported_as_one(run, monkeypatch, kind):
    monkeypatch.setattr("zermelo.commands.solve.run", raising(kind))
    ran = run("solve", "nim")
    assert ran.code == 2
    assert "error[internal-error]" in ran.err
    assert kind.__name__ in ran.err
    assert zermelo.__version__ in ran.err
    assert "zermelo solve nim" in ran.err
    assert "Traceback" not in ran.err
    assert run("explain", "internal-error").code == 0


def test_a_fault_as_json(run, monkeypatch):
    monkeypatch.setattr("zermelo.commands.solve.run", raising(KeyError))
    ran = run("solve", "nim", "--json")
    assert ran.code == 2
    assert json.loads(ran.out)["code"] == "internal-error"
    assert ran.err == ""


def test_whoever_wants_to_see_where_it_happened_can(run, monkeypatch):
    monkeypatch.setattr("zermelo.commands.solve.run", raising(KeyError))
    monkeypatch.setenv("ZERMELO_TRACEBACK", "1")
    assert "Traceback" in run("solve", "nim").err


def test_no_memory_is_no_fault(run, monkeypatch):
    monkeypatch.setattr("zermelo.commands.solve.run", raising(MemoryError))
    ran = run("solve", "nim")
    assert (ran.code, "error[out-of-memory]" in ran.err) == (2, True)


@pytest.mark.parametrize("kind", FAULTS, ids=lambda kind: kind.__name__)
def test_the_package_raises_an_error_with_a_code(monkeypatch, kind):
    game = zermelo.load("nim")
    monkeypatch.setattr("zermelo.solved_game.solve_by", raising(kind))
    with pytest.raises(Failure) as raised:
        zermelo.solve(game)
    assert raised.value.code == "internal-error"
    assert isinstance(raised.value.__cause__, kind)
    monkeypatch.setattr("zermelo.interpreter.check.check_at_extremes", raising(kind))
    monkeypatch.setattr("zermelo.interpreter.check.check", raising(kind))
    for call in (lambda: zermelo.loads('game "X"'), lambda: zermelo.check('game "X"')):
        with pytest.raises(zermelo.ZermeloError):
            call()


def test_a_wrong_call_stays_one():
    with pytest.raises(TypeError):
        zermelo.load()
    with pytest.raises(ZermeloError, match="game is 3, but must be a text or a path"):
        zermelo.load(3)


def test_what_a_caller_raises_himself_is_his(monkeypatch):
    class Enough(Exception):
        pass

    class Stopping(Shown):
        def __call__(self, number: int) -> None:
            raise Enough

    with pytest.raises(Enough):
        zermelo.solve(zermelo.load("connect_four"), watch=lambda doing, what, total: nullcontext(Stopping()))


on_linux = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full")


@pytest.mark.skipif(sys.platform == "win32", reason="these are streams of a POSIX shell")
@pytest.mark.parametrize(
    ("words", "streams", "code"),
    [
        ("solve template", ">&-", 2),
        ("solve template", ">&- 2>&-", 2),
        ("solve template", "<&- >&- 2>&-", 2),
        ("solve no_such_game", "2>&-", 2),
        ("play template", "<&-", 0),
        ("check -", "<&-", 1),
        ("solve template --json", "<&-", 0),
        pytest.param("solve template", "> /dev/full 2> /dev/full", 2, marks=on_linux),
        pytest.param("solve --help", "> /dev/full", 2, marks=on_linux),
        pytest.param("solve no_such_game", "2> /dev/full", 2, marks=on_linux),
    ],
)
def test_closed_streams(words, streams, code, tmp_path):
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m zermelo {words} {streams}', sys.executable],
        cwd=LAST_RESORT_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_game_that_ends_at_once_has_its_payoff_for_a_value():
    """By hand: with n = 0 the first phase ends the play without a decision, so nothing is hidden either."""
    game = zermelo.load(str(TRIALS / "proofs" / "12_crash_leaf_root.game"))
    assert zermelo.solve(game).value == (1, 2, 3)
    for solver in ("subgame_perfect", "normal_form"):
        with pytest.raises(zermelo.ZermeloError) as refused:
            zermelo.solve(game, solver)
        assert refused.value.code == "needs-imperfect-information"


def test_equilibria_that_do_not_come_to_everybody(run):
    """By hand: Ann stops for 1 if Bob would answer x (0), but not if he would answer y (2)."""
    ran = run("test", str(TRIALS / "proofs" / "12b_crash_equilibrium.game"))
    assert ran.code == 1
    assert [line.split()[0] for line in ran.out.splitlines() if "expect equilibrium (" in line and "|" not in line] == [
        "passed",
        "passed",
        "failed",
    ]
    assert "Ann does better with go: 2 instead of 1" in ran.out


@pytest.mark.parametrize("command", ["check", "solve", "show", "equilibria", "test", "moves"])
@pytest.mark.parametrize("name", ["12_crash_leaf_root", "12b_crash_equilibrium", "a chain"])
def test_every_command_answers_for_what_once_crashed(run, game_file, name, command):
    chain = "\n".join(f"define d{k} = d{k - 1} + 1" for k in range(99, 0, -1))
    tree = f'game "Chain"\nplayers A, B\ntree:\n    A:\n        pass: 0\n{chain}\ndefine d0 = 1\n'
    ran = run(command, game_file(tree) if name == "a chain" else str(TRIALS / "proofs" / f"{name}.game"))
    assert ran.code in (0, 1)
    assert "internal-error" not in ran.err


TITLED = """\
game "Größe 大きさ"
players Ann, Bob
start at choose
phase choose:
    turn Ann:
        move larger: end win Ann
        move smaller: end win Bob
"""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict", "utf-8"])
def test_streams_of_any_encoding(tmp_path, encoding):
    """JSON is unaffected by the encoding of the terminal; the input may be any bytes."""
    file = tmp_path / "game.game"
    file.write_text(TITLED, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}

    def done(*words, typed=b""):
        ran = subprocess.run(
            [sys.executable, "-m", "zermelo", *words, str(file)],
            cwd=LAST_RESORT_ROOT, env=environment, input=typed, capture_output=True, check=False,
        )  # fmt: skip
        assert b"internal-error" not in ran.stderr, ran.stderr
        assert ran.returncode == 0
        return ran.stdout.decode(encoding.partition(":")[0])

    record = json.loads(done("solve", "--json"))
    assert (record["title"], record["best"]) == ("Größe 大きさ", ["larger"])
    assert "larger" in done("solve")
    assert "smaller" in done("play", typed=b"\xff\xfe\nmoves\nquit\n")


def test_an_interrupt_that_leads_to_another_exception_is_one(monkeypatch, capsys):
    """``argparse``, interrupted early, restores what it has not changed yet."""

    def interrupted(words):
        try:
            raise KeyboardInterrupt
        finally:
            del words.nothing

    def interrupted_as_a_library_is_loaded(words):
        try:
            interrupted(words)
        except AttributeError as error:
            raise ZermeloError("library-missing", "it cannot be loaded") from error

    for work in (interrupted, interrupted_as_a_library_is_loaded):
        monkeypatch.setattr("zermelo.cli._run", work)
        assert main(["solve", "nim"]) == 130
        assert capsys.readouterr().err == f"{SAID}\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names")
def test_a_checkpoint_is_a_file(tmp_path, capsys):
    """A pipe would block forever."""
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, Path(os.devnull)):
        assert main(["solve", "kuhn_poker", "--solver", "cfr", "--iterations", "2", "--checkpoint", str(place)]) == 1
        assert "bad-checkpoint" in capsys.readouterr().err


def test_a_trace_that_cannot_be_written_leaves_the_one_before(tmp_path, capsys, monkeypatch):
    command = ["solve", "two_ply_tree", "--solver", "alphabeta", "--trace"]
    for place in (tmp_path, tmp_path / "nowhere" / "trace.json", tmp_path / ("x" * 300)):
        assert main([*command, str(place)]) == 2
        assert "unwritable-file" in capsys.readouterr().err
    trace = tmp_path / "trace.json"
    assert main([*command, str(trace)]) == 0
    before = trace.read_bytes()
    assert json.loads(before)["nodes"]

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main([*command, str(trace)]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert trace.read_bytes() == before


def test_strategies_without_end_are_not_read_to_the_end(monkeypatch, tmp_path, capsys):
    from zermelo.policies import strategy_files

    monkeypatch.setattr(strategy_files, "LARGEST", 100)
    file = tmp_path / "strategies.json"
    file.write_text(" " * 101)
    assert main(["exploit", "kuhn_poker", str(file)]) == 2
    assert "bad-strategy" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["x" * 200_000, "\0" * 200_000])
def test_a_line_without_end_is_not_read_to_the_end(monkeypatch, capsys, line):
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    assert main(["play", "nim"]) == 2
    assert "more than 100,000 characters" in capsys.readouterr().err
