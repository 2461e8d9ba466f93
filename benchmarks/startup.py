"""Startup: the waiting times before code runs at full speed. There is no peer: the limits are our own, and what a
process takes that only imports the libraries we are built on."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import REPEATS, Measurement, seconds_of
from benchmarks.report import Delay, Row

_ROOT = Path(__file__).parent.parent
_SOLVE = ("-m", "zermelo", "solve", "tic_tac_toe", "--solver", "minimax")
_COMPILE = (
    "-c",
    "from time import perf_counter\n"
    "from benchmarks import ours\n"
    "import zermelo, zermelo.interpreter.native.llvm.functions\n"
    "zermelo.load('chess')\n"
    "begin = perf_counter()\n"
    "ours.perft(ours.machine_of('chess'), 1)()\n"
    "print(perf_counter() - begin)",
)
_OTHER = ("-m", "zermelo", "check", "nim")
_MOVES = ("-m", "zermelo", "moves", "nim")
_IMPORTS = ("-c", "import attrs, lark, llvmlite.binding")

_TURNS = 4 * REPEATS
"""How often each process runs."""


def solve() -> list[Row | Delay]:
    """Fresh processes that solve tic-tac-toe, without and with cached data of this game, in turns with one that only
    imports what we are built on. Byte code and the parser's tables, which every game needs and which are made once on
    a machine, exist in all cases."""
    cold, kept = inf, dict.fromkeys((_SOLVE, _OTHER, _MOVES, _IMPORTS), inf)
    with TemporaryDirectory() as cache:
        for words in kept:
            _run(words, cache)
        for _ in range(_TURNS):
            with TemporaryDirectory() as empty:
                cold = min(cold, seconds_of(partial(_run, _SOLVE, empty)))
            for words in kept:
                kept[words] = min(kept[words], seconds_of(partial(_run, words, cache)))
    asked = "solve tic_tac_toe by minimax, fresh process"
    return [
        Delay(task=f"{asked}, nothing kept of it", ours=cold, limit=0.4),
        Delay(task=f"{asked}, all kept", ours=kept[_SOLVE], limit=0.25),
        _beside(f"{asked}, nothing kept of it", cold, kept[_IMPORTS], 0.5),
        _beside(f"{asked}, all kept", kept[_SOLVE], kept[_IMPORTS], 0.77),
        _beside("check nim, fresh process", kept[_OTHER], kept[_IMPORTS]),
        _beside("moves nim, fresh process, all kept", kept[_MOVES], kept[_IMPORTS]),
    ]


def _beside(task: str, ours: float, importing: float, target: float | None = None) -> Row:
    """The rate of processes beside that of one that only imports."""
    return Row(
        task=task,
        unit="processes/s",
        ours=Measurement(1, ours),
        peer="imports alone",
        theirs=Measurement(1, importing),
        target=target,
        note=f"{ours / importing:.2f} x its time",
    )


def compilation() -> list[Delay]:
    """Chess from its text to machine code of rules and a kernel, with an empty cache."""
    found = []
    for _ in range(REPEATS):
        with TemporaryDirectory() as cache:
            found.append(float(_run(_COMPILE, cache)))
    return [Delay(task="compile chess, from its text, empty cache", ours=min(found), limit=3.0)]


def _run(arguments: tuple[str, ...], cache: str) -> str:
    """The output of a fresh process of Python with its cache in the folder ``cache``."""
    environment = {**os.environ, "ZERMELO_CACHE": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(
        [sys.executable, *arguments], cwd=_ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout
