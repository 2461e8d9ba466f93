"""Programs written by hand in C++, compiled here if there is a compiler.

A program takes the number of runs, and perhaps other numbers, and prints for its fastest run the nodes, the value and
the seconds.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

import llvmlite.binding as llvm

from benchmarks.measure import Measurement, Unavailable

NAME = "C++ -O2"

WIDE = "C++, AVX2"
"""The same for programs for processors with AVX2 and FMA."""

_SOURCES = Path(__file__).parent.parent / "cpp"
_COMPILERS = ("c++", "g++", "clang++")


def compiler() -> str | None:
    """The compiler, if there is one."""
    return next((name for name in _COMPILERS if which(name)), None)


def compiler_version() -> str:
    """The compiler's version line, without its path."""
    name = compiler()
    if name is None:
        return "no compiler"
    answer = subprocess.run([name, "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.partition("\n")[0]


_PLAIN: Final = ("-O2",)
_FOR_WIDE: Final = ("-O3", "-mavx2", "-mfma")


def has_avx2() -> bool:
    """Whether the processor has AVX2 and FMA."""
    found = llvm.get_host_cpu_features()
    return bool(found.get("avx2") and found.get("fma"))


def run_wide(program: str, runs: int, *others: int, given: str) -> Measurement:
    """The same with AVX2 and FMA; raises :class:`Unavailable`."""
    if not has_avx2():
        raise Unavailable("the processor has no AVX2")
    return run(program, runs, *others, given=given, options=_FOR_WIDE)


def run(program: str, runs: int, *others: int, given: str = "", options: tuple[str, ...] = _PLAIN) -> Measurement:
    """Compile and run a program with a text on standard input; raises :class:`Unavailable`."""
    name = compiler()
    if name is None:
        raise Unavailable("no C++ compiler")
    with TemporaryDirectory() as folder:
        binary = Path(folder) / program
        source = _SOURCES / f"{program}.cpp"
        made = subprocess.run([name, *options, "-std=c++17", "-o", binary, source], capture_output=True, text=True)
        if made.returncode != 0:
            raise Unavailable(f"the C++ compiler fails on {source.name}")
        words = [str(binary), *map(str, (runs, *others))]
        answer = subprocess.run(words, input=given, capture_output=True, text=True, check=True)
    nodes, _, seconds = answer.stdout.split()
    return Measurement(int(nodes), float(seconds))
