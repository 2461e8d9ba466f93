"""``python -m tests.measure [PATH...]``: run all tests, or those of some files and folders, and write the list of the
long ones, ``tests/long.txt``. What it says of others stays.

A case that takes ``CASE`` seconds of processor time, its child processes included, is long. Where the other cases of a
function take more than ``FUNCTION`` seconds together, so are the most expensive of them. Where all cases are, the list
names the function alone. All tests take most of an hour on two cores, with nothing else running.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).parent / "helpers"))
from long_tests import function_of, listed, name_of, write_list

ROOT: Final = Path(__file__).parents[1]
CASE: Final = 1.0
FUNCTION: Final = 3.0


def main(paths: Sequence[str]) -> int:
    """Write the list; the exit code of pytest."""
    results = ROOT / "build" / "measured.xml"
    results.parent.mkdir(exist_ok=True)
    command = ["-m", "pytest", "-m", "", "-n", "2", "--dist", "worksteal", f"--junit-xml={results}", *paths]
    ended = subprocess.run([sys.executable, *command], cwd=ROOT, check=False).returncode
    seconds = dict(measured(results))
    functions = set(map(function_of, seconds))
    others = {name: taken for name, taken in listed().items() if function_of(name) not in functions}
    long = {**others, **dict(long_ones(seconds))}
    write_list(long)
    print(f"{sum(seconds.values()):.0f} s have been measured; {len(long)} tests and functions are long")
    return ended


def measured(file: Path) -> Iterator[tuple[str, float]]:
    """Each test of a file of results, with its seconds of processor time."""
    for case in ElementTree.parse(file).iter("testcase"):
        taken = case.find("properties/property[@name='processor seconds']")
        if taken is not None:
            yield name_of(case), float(taken.get("value", "0"))


def long_ones(seconds: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """The long tests, or functions, with their seconds."""
    cases = defaultdict(list)
    for name, taken in seconds.items():
        cases[function_of(name)].append((taken, name))
    for function, its in cases.items():
        its.sort(reverse=True)
        long = [case for case in its if case[0] >= CASE]
        rest = its[len(long) :]
        while sum(taken for taken, _ in rest) > FUNCTION:
            long.append(rest.pop(0))
        if not rest:
            yield function, sum(taken for taken, _ in long)
        else:
            yield from ((name, taken) for taken, name in long)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
