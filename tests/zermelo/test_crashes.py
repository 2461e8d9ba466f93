"""Any file and any command line give a message and the right exit status.

Bundled files with some words replaced, and commands with odd arguments, are run in this process on the reference
machine or on lowered Python; ``test_no_crash`` runs machine code in other processes."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_cases import FIRST, many

from zermelo import gamedefs
from zermelo.cli import COMMANDS, main

WORD: Final = re.compile(r"[A-Za-z_]\w*|\d+|[^\sA-Za-z_0-9]+")
SMALL: Final = ("tic_tac_toe", "nim", "kuhn_poker", "pig", "two_ply_tree", "three_player_tree", "template", "treasure")
TEXTS: Final = [gamedefs.path(name).read_text(encoding="utf-8") for name in gamedefs.names() if name in SMALL]

NUMBERS: Final = (
    *("0", "-1", "1", "2", "3", "1e9", "1e999999999", "1/0", "1/3", "9" * 30, "9" * 5000, "nan", "inf", "x", "²"),
)
ODD_MOVES: Final = ("none", "mark(b2)", "take(1/0, 1)", "take(1e999999999)", "\udcff", "(" * 500, "a\0b")
WORDS: Final = (*NUMBERS, *ODD_MOVES, "", " ", ";")
ODD_FILES: Final = ("nim", "kuhn_poker", "no_such_game", "/", "", "\udcff.game", "a\0b", "x" * 5000, ".", "nim.game")
FLAGS: Final = (
    *("--json", "--after", "--weight", "-p", "--machine", "--time", "--memory", "--threads", "--depth", "--nodes"),
    *("--estimate", "--seed", "--solver", "--plays", "--position", "--seat", "--iterations", "--simulations"),
    *("--exploitability", "--exploration", "--format", "--trace", "--checkpoint", "--help", "--nonsense"),
)
NAMES: Final = ("heap", "heaps", "size", "material", "goal", "")
SETTINGS: Final = tuple(f"{name}={value}" for name in NAMES for value in NUMBERS)
PIECES: Final = ("none", "Player", "{}", "0", "-1", "65", "999999999999", "1/3", "in", "9" * 90, "1 / 0", "\n")
TYPED: Final = ("", "moves\nundo\nquit\n", "why\nwhy x(1/0)\n1e9999999999\n")


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A bundled file with a few words, lines or bytes replaced by others."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(0, 3))):
        places = list(WORD.finditer(text))
        place = places[draw(st.integers(0, len(places) - 1))]
        other = draw(st.sampled_from([found.group() for found in places[:60]]) | st.sampled_from(PIECES))
        text = text[: place.start()] + other + text[place.end() :]
    data = text.encode()
    kind = draw(st.integers(0, 11))
    if kind == 0:
        data = b"\xef\xbb\xbf" + data
    elif kind == 1:
        data = data.replace(b"\n", b"\r\n")
    elif kind == 2:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=4)) + data[at:]
    elif kind == 3:
        data = data[: draw(st.integers(0, len(data)))]
    return data


@st.composite
def commands(draw: st.DrawFn) -> list[str]:
    """A command with a file, a few flags and odd values; ``FILE`` stands for a changed file."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    if name == "cache":
        return ["cache", draw(st.sampled_from(("nonsense", "--help", "--json")))]
    words = [name, draw(st.sampled_from(("FILE", "FILE", "FILE", *ODD_FILES)))]
    if name == "plays":
        words.append(draw(st.sampled_from(("1", "2", "0", "-1", "9" * 5000))))
    for _ in range(draw(st.integers(0, 3))):
        words.append(draw(st.sampled_from(FLAGS)))
        if draw(st.booleans()):
            words.append(draw(st.sampled_from(WORDS) | st.sampled_from(SETTINGS)))
    return words


LIMITS: Final = {
    "solve": ["--time", "1", "--memory", "16M"],
    "compare": ["--time", "1"],
    "equilibria": ["--time", "1"],
    "correlated": ["--time", "1"],
    "random": ["--plays", "2", "--time", "1"],
    "plays": ["--time", "1"],
}
"""Options that keep a command short; the last occurrence of an option counts."""


def ran(words: list[str], typed: str = "") -> tuple[int, str, str]:
    """Run a command in this process: its exit status, and what it printed."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode(errors="surrogateescape")))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        sys.stdin = before
    return code, out.getvalue(), err.getvalue()


def check_answer(words: list[str], typed: str = "") -> None:
    code, out, err = ran(words, typed)
    assert code in (0, 1, 2), words
    assert "Traceback" not in err, words
    assert "internal-error" not in out + err, (words, out[-500:], err[-500:])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder where commands run, as some write files."""
    path = tmp_path_factory.mktemp("fuzz")
    with contextlib.chdir(path):
        yield path


@settings(max_examples=many(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=files(), words=commands(), typed=st.sampled_from(TYPED))
def test_files_and_command_lines(place: Path, data: bytes, words: list[str], typed: str) -> None:
    file = place / "changed.game"
    file.write_bytes(data)
    words = [str(file) if word == "FILE" else word for word in words]
    if words[0] in LIMITS:
        words += LIMITS[words[0]]
    check_answer(words, typed)


@pytest.mark.parametrize(
    "words",
    [
        ["moves", "nim", "--after", "take(1/0, 1)"],
        ["moves", "nim", "--after", "take(1e999999999, 1)"],
        ["solve", "nim", "-p", "heap=1/0"],
        ["solve", "nim", "-p", "heap=1e999999999"],
        ["solve", "nim", "-p", "heap=" + "9" * 5000],
        ["moves", "chess", "--weight", "mobility=1e999999999"],
        ["moves", "chess", "--weight", "mobility=1/0"],
        ["moves", "chess", "--weight", "mobility=" + "9" * 5000],
        ["moves", "nim", "--position", "/"],
        ["moves", "nim", "--after", "\udcff"],
        ["check", "/dev"],
        ["check", "\udcff.game"],
        ["random", "nim", "--threads", "100000"],
        ["random", "nim", "--threads", "0"],
        ["random", "nim", "--threads", "-1"],
        ["random", "nim", "--plays", "9" * 5000],
        ["solve", "nim", "--time", "9" * 5000, "--depth", "9" * 5000],
        ["solve", "nim", "--memory", "9" * 5000 + "G"],
    ],
    ids=lambda words: " ".join(words)[:60].encode("ascii", "replace").decode(),
)
def test_numbers_that_are_none_or_enormous(words: list[str]) -> None:
    check_answer(words)
    assert ran(words)[0] != 0


@pytest.mark.parametrize("typed", ["take(1/0, 1)", "1e999999999", "why take(1/0, 1)", "why take(1e999999999, 1)"])
def test_odd_moves_at_the_keyboard(typed: str) -> None:
    check_answer(["play", "nim"], f"{typed}\nquit\n")


def test_a_file_whose_name_is_not_utf8(tmp_path: Path) -> None:
    file = os.fsdecode(os.fsencode(str(tmp_path)) + b"/\xff\xfe.game")
    Path(file).write_bytes(gamedefs.path("template").read_bytes())
    for command in ("check", "solve", "show", "moves", "test"):
        assert ran([command, file])[0] in (0, 1)
        check_answer([command, file, *(["--json"] if command != "test" else [])])


# Any file gives a message on the command line: in separate processes, with machine code.
#
# A process runs many commands on many files and logs them, so that a file which crashes or hangs it is known.


FILES: Final = many(16)
SECONDS: Final = many(600)

OTHER_WORDS: Final = ["none", "Player", "{}", "north", "0", "-1", "63", "64", "65", "1000", "999999999999", "1/3", "in"]

NO_CRASH_COMMANDS: Final = (
    ["check"],
    ["plays", "2", "--time", "1"],
    ["random", "--plays", "3", "--time", "1"],
    ["solve", "--time", "1", "--depth", "2", "--estimate", "rollouts"],
)

PROGRAM: Final = """
import sys, traceback
from zermelo.cli import main
for file in sys.argv[2:]:
    for command in eval(sys.argv[1]):
        words = [command[0], file, *command[1:]] + ([] if command[0] == "check" else ["--machine", "native"])
        print(">>>", *words, flush=True)
        try:
            code = main(words)
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            sys.exit(99)
        print("<<<", code, flush=True)
        if code not in (0, 1, 2):
            sys.exit(98)
"""


def edited(text: str, random: Random) -> bytes:
    """A file with a few words or bytes replaced by others."""
    for _ in range(random.randint(1, 3)):
        words = list(WORD.finditer(text))
        word = random.choice(words)
        other = random.choice(OTHER_WORDS) if random.random() < 0.5 else random.choice(words).group()
        text = text[: word.start()] + other + text[word.end() :]
    data = bytearray(text.encode())
    if random.random() < 0.2:
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("part", range(2))
def test_no_file_ends_the_process(tmp_path: Path, part: int) -> None:
    random = Random(FIRST + part)
    small = [name for name in gamedefs.names() if name not in ("chess", "go", "backgammon", "checkers")]
    files = []
    for k in range(FILES):
        text = gamedefs.path(random.choice(small)).read_text(encoding="utf-8")
        file = tmp_path / f"{k}.game"
        file.write_bytes(edited(text, random))
        files.append(str(file))
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, repr(NO_CRASH_COMMANDS), *files],
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    commands = [line for line in ran.stdout.splitlines() if line.startswith(">>>")]
    last = commands[-1] if commands else "nothing"
    assert ran.returncode == 0, f"{last}: exit {ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    assert "Traceback" not in ran.stderr
    assert len(commands) == FILES * len(NO_CRASH_COMMANDS)
