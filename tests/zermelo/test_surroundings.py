"""The command line in odd surroundings: closed or full streams, encodings, missing or read-only folders, terminals
without a width, and interrupts at any moment. In separate processes; commands and surroundings are drawn at random.

Planted faults show that these tests can fail.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest
from random_cases import FIRST, many

ROOT: Final = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="streams, signals and devices of Linux")

PROGRAM: Final = """
import os, zermelo.cli
from zermelo.__main__ import run
{fault}
os.write({ready}, b"!")
os.close({ready})
run()
"""

FAULTS: Final = {
    "a traceback": "zermelo.cli._run_or_report = lambda words: 1 // 0",
    "an exception that nobody expected": "zermelo.cli._run = lambda words: [][0]",
    "another exit status": "zermelo.cli._run = lambda words: 3",
    "half of the JSON": "zermelo.cli._run = lambda words: print('{') or 0",
    "a half file": "zermelo.cli._run = lambda words: open('trace.json', 'w').write('{') and print('{}') or 0",
    "a file left behind": "zermelo.cli._run = lambda words: open('trace.json.part', 'w').close() or print('{}') or 0",
    "the end of the process": "zermelo.cli._run = lambda words: os.kill(os.getpid(), 11)",
}

COMMANDS: Final = (
    ["solve", "nim", "--json"],
    ["solve", "kuhn_poker", "--json"],
    ["solve", "kuhn_poker", "--solver", "cfr", "--iterations", "20", "--checkpoint", "work", "--json"],
    ["solve", "two_ply_tree", "--solver", "alphabeta", "--trace", "trace.json", "--json"],
    ["solve", "two_ply_tree", "--solver", "alphabeta", "--trace", "no/trace.json", "--json"],
    ["equilibria", "prisoners_dilemma", "--json"],
    ["correlated", "student_and_professor", "--json"],
    ["moves", "tic_tac_toe", "--json"],
    ["show", "kuhn_poker", "--json"],
    ["random", "pig", "--plays", "3", "--json"],
    ["explain", "missing-colon"],
    ["check", "-"],
    ["play", "nim"],
    ["play", "--help"],
    ["solve", "no_such_game", "--json"],
    ["solve", "nim", "--depth", "x", "--json"],
)
STREAMS: Final = (
    *("", "", "", ">&-", "<&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"),
    *(">/dev/null", "</dev/full"),
)
SURROUNDINGS: Final[tuple[dict[str, str | None], ...]] = (
    {},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "ascii:strict"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"COLUMNS": "1"},
    {"COLUMNS": "-5"},
    {"COLUMNS": "9" * 30},
    {"HOME": None, "ZERMELO_CACHE": None, "XDG_CACHE_HOME": None},
    {"HOME": "/dev/null", "ZERMELO_CACHE": None, "XDG_CACHE_HOME": None},
    {"ZERMELO_CACHE": "/dev/null/x"},
    {"ZERMELO_CACHE": "/proc"},
    {"ZERMELO_CACHE": "kept here"},
    {"NO_COLOR": "1", "FORCE_COLOR": "1", "TERM": "dumb"},
)
TYPED: Final = (b"", b"1\n2\nquit\n", b"\xff\xfe\n\n", b'game "x"\n')


def complaints(
    folder: Path, words: list[str], streams: str, surroundings: dict[str, str | None], typed: bytes,
    after: float | None, fault: str = "pass",
) -> list[str]:  # fmt: skip
    """The faults in the end of a command, which is interrupted ``after`` so many seconds."""
    environment = {**os.environ, "ZERMELO_CACHE": str(folder.parent / "cache"), "PYTHONPATH": str(ROOT)}
    environment.update({name: text for name, text in surroundings.items() if text is not None})
    for name in (name for name, text in surroundings.items() if text is None):
        environment.pop(name, None)
    here, ready = os.pipe()
    program = PROGRAM.format(fault=fault, ready=ready)
    process = subprocess.Popen(
        ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-c", program, *words],
        cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        pass_fds=[ready],
    )  # fmt: skip
    os.close(ready)
    assert os.read(here, 1) == b"!"  # everything before the command line's own import is imported
    os.close(here)
    try:
        try:
            out, err = process.communicate(typed, timeout=600 if after is None else after)
        except subprocess.TimeoutExpired:
            if after is None:
                raise
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ["it does not end"]
    found = []
    if process.returncode not in ((0, 1, 2) if after is None else (0, 1, 2, 130)):
        found.append(f"it ends with {process.returncode}")
    if any(word in out + err for word in (b"Traceback", b"Exception ignored", b"internal-error")):
        found.append("an exception is seen")
    if process.returncode in (0, 1) and "--json" in words and ">" not in streams.replace("2>", ""):
        found += _unless_json(out, "the JSON")
    if (folder / "trace.json").exists():
        found += _unless_json((folder / "trace.json").read_bytes(), "the trace")
    if list(folder.glob("*.part")):
        found.append("a file is left behind")
    return [f"{each}: {out[-300:]!r} {err[-1000:]!r}" for each in found]


def _unless_json(content: bytes, what: str) -> list[str]:
    try:
        json.loads(content)
    except ValueError:
        return [f"{what} is not whole"]
    return []


@pytest.mark.parametrize("part", range(3))
def test_commands_in_odd_surroundings(tmp_path: Path, part: int) -> None:
    random = Random(FIRST + part)
    for trial in range(many(10)):
        folder = tmp_path / str(trial)
        folder.mkdir()
        words, streams, typed = random.choice(COMMANDS), random.choice(STREAMS), random.choice(TYPED)
        surroundings = random.choice(SURROUNDINGS)
        after = random.random() * random.choice((0.05, 0.5)) if random.random() < 0.3 else None
        assert not complaints(folder, words, streams, surroundings, typed, after), (words, streams, surroundings, after)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_is_planted_is_seen(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    words = ["solve", "two_ply_tree", "--json"]
    assert not complaints(folder, words, "", {}, b"", None)
    assert complaints(folder, words, "", {}, b"", None, FAULTS[fault])
