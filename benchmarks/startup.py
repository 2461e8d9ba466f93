"""Startup: the waiting times before code runs at full speed. There is no peer: the limits are our own."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import REPEATS, seconds_of
from benchmarks.report import Delay

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


def solve() -> list[Delay]:
    """A fresh process that solves tic-tac-toe, without and with cached data of this game. Byte code and the parser's
    tables, which every game needs and which are made once on a machine, exist in both cases."""
    cold = []
    for _ in range(REPEATS):
        with TemporaryDirectory() as cache:
            _run(_OTHER, cache)
            run = partial(_run, _SOLVE, cache)
            cold.append(seconds_of(run))
            warm = [seconds_of(run) for _ in range(REPEATS)]
    return [
        Delay(task="solve tic_tac_toe by minimax, fresh process, nothing kept of it", ours=min(cold), limit=0.4),
        Delay(task="solve tic_tac_toe by minimax, fresh process, all kept", ours=min(warm), limit=0.25),
    ]


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
