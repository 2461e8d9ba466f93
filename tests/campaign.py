"""What the suite has no time for: the long tests, and the random families with fresh seeds and many more cases.

    python -m tests.campaign                          the long tests, and then random cases for an hour
    python -m tests.campaign --minutes 600            for a night
    python -m tests.campaign --minutes 0 tests/docs   only the long tests of a folder: before its change is merged

Each failure is written to a file of ``build/campaign/`` with the command that repeats it; what a random case has found
belongs into the suite, written out. The exit status is 1 if there was a failure.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from random import SystemRandom
from time import monotonic
from typing import Final
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).parent / "helpers"))
from long_tests import name_of

ROOT: Final = Path(__file__).parents[1]
FOUND: Final = ROOT / "build" / "campaign"
NONE_CHOSEN: Final = 5
"""The exit status of pytest when no test was chosen."""


def main() -> int:
    parser = ArgumentParser(
        prog="python -m tests.campaign", description=__doc__, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders of tests (default: all)")
    parser.add_argument("--minutes", type=float, default=60, help="how long random cases are tried (default: 60)")
    parser.add_argument("--times", type=int, default=5, help="how many times as many cases a round has (default: 5)")
    parser.add_argument("--processes", default="auto", help="how many processes run tests (default: one for each core)")
    options = parser.parse_args()
    FOUND.mkdir(parents=True, exist_ok=True)
    record = FOUND / f"{datetime.now():%Y-%m-%d-%H-%M-%S}.txt"
    common = ["-n", options.processes, "--dist", "worksteal", *options.paths]

    failures = run(["-m", "long", *common], {}, None, record)
    ends = monotonic() + 60 * options.minutes
    rounds = 0
    while monotonic() < ends:
        seed = SystemRandom().randrange(1, 1_000_000)
        chosen = {"ZERMELO_TEST_SEED": str(1_000_000 * seed), "ZERMELO_TEST_LONGER": str(options.times)}
        failures += run(["-m", "random", f"--hypothesis-seed={seed}", *common], chosen, ends, record)
        rounds += 1
    print(f"{rounds} rounds of random cases; {failures} failures{f', see {record}' if failures else ''}")
    return int(failures > 0)


def run(words: list[str], chosen: Mapping[str, str], ends: float | None, record: Path) -> int:
    """Run pytest with these words and variables, at most until a time; the number of failures, which are recorded."""
    results = FOUND / "results.xml"
    results.unlink(missing_ok=True)
    command = ["-m", "pytest", f"--junit-xml={results}", *words]
    with subprocess.Popen([sys.executable, *command], cwd=ROOT, env={**os.environ, **chosen}) as process:
        try:
            code = process.wait(None if ends is None else max(ends - monotonic(), 1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            code = process.wait()
    if code == NONE_CHOSEN:
        return 0
    if not results.exists():
        sys.exit(f"pytest ended with {code} and left no results")
    failed = [
        case for case in ElementTree.parse(results).iter("testcase") if {"failure", "error"} & {e.tag for e in case}
    ]
    with record.open("a", encoding="utf-8") as file:
        for case in failed:
            variables = " ".join(f"{name}={value}" for name, value in chosen.items())
            seed = [word for word in words if word.startswith("--hypothesis-seed")]
            again = shlex.join(["python", "-m", "pytest", "-m", "", *seed, name_of(case)])
            print(f"{variables} {again}".strip(), *("".join(part.itertext()) for part in case), sep="\n", file=file)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
