"""The long tests: those that ``tests/long.txt`` names, which ``python -m tests.measure`` writes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

LIST: Final = Path(__file__).parents[1] / "long.txt"


def listed() -> dict[str, int]:
    """The seconds of processor time of each test, or of each function of tests, in the list."""
    if not LIST.exists():
        return {}
    lines = [line.split(maxsplit=1) for line in LIST.read_text(encoding="utf-8").splitlines()]
    return {name: int(seconds) for seconds, name in lines}


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
