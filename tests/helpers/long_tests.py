"""The long tests: those that ``tests/long.txt`` names, which ``python -m tests.measure`` writes.

A line names the long cases of a function, each with its seconds; between them are tabs, and the function is only named
with the first one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

LIST: Final = Path(__file__).parents[1] / "long.txt"


def listed() -> dict[str, int]:
    """The seconds of processor time of each test, or of each function of tests, in the list."""
    if not LIST.exists():
        return {}
    found = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        function = ""
        for entry in line.split("\t"):
            seconds, name = entry.split(maxsplit=1)
            found[function + name] = int(seconds)
            function = function or function_of(name)
    return found


def write_list(seconds: Mapping[str, float]) -> None:
    """Make this the list."""
    lines = []
    for function, names in groupby(sorted(seconds), function_of):
        first, *others = ((max(1, round(seconds[name])), name) for name in names)
        entries = [first, *((taken, name.removeprefix(function)) for taken, name in others)]
        lines.append("\t".join(f"{taken} {name}" for taken, name in entries))
    LIST.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def function_of(test: str) -> str:
    """The function of a test, without the case: ``tests/test_one.py::test_it[first]`` is one of ``test_it``."""
    return test.split("[", 1)[0]


def name_of(case: Element) -> str:
    """The name by which pytest knows a test of its file of results."""
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"


def processor_seconds() -> float:
    """The processor time of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
