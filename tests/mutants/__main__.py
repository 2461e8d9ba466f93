"""Mutants: the sources with one rule weakened at a time, and whether the tests notice.

What is called exact or proved rests on few lines: rules that prove facts, what a position is, who perceives what,
certificates, the ranges of kernels. Each mutant of the files ``weakened_*.py`` takes one of them away; others have a
slip of the common kinds: a boundary off by one, a comparison that is strict or is not, a branch or a case left out, a
wrong unit. The script copies the repository to a temporary folder, changes one text, runs the tests beside that source
until one fails, and prints which mutants nobody noticed. It takes long, so it is run by hand:

    python tests/mutants --check              every text that a mutant changes is there, once
    python tests/mutants                      all mutants; the exit code is the number of survivors, 99 at most
    python tests/mutants perception survey    those whose file or reason has one of these words in it

A mutant whose text is gone, or stands there twice, is an error and not a survivor: the list must keep up with the code.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import weakened_checks
import weakened_language
import weakened_machines
import weakened_searches
import weakened_solvers
import weakened_views
from mutant import Mutant

LISTS = (
    weakened_checks,
    weakened_language,
    weakened_machines,
    weakened_searches,
    weakened_solvers,
    weakened_views,
)
MUTANTS = [mutant for each in LISTS for mutant in each.MUTANTS]
ROOT = Path(__file__).parents[2]
FOLDERS = ("grammar", "interpreter", "solvers", "gamedefs", "zermelo", "tests", "docs", "benchmarks")
SECONDS = 1200
"""How long the tests of one mutant may take; one that makes them run for ever is noticed."""


@cache
def source(file: str) -> str:
    """The text of a file, which is read once."""
    return (ROOT / file).read_text(encoding="utf-8")


def check(mutant: Mutant) -> None:
    """End the script where the text of a mutant is not there exactly once, or its tests are not there at all."""
    count = source(mutant.file).count(mutant.old)
    if count != 1:
        sys.exit(f"{mutant.file}: the text of '{mutant.reason}' is there {count} times, not once:\n{mutant.old}")
    for test in mutant.tests:
        if not (ROOT / test).exists():
            sys.exit(f"{mutant.file}: there are no tests {test}")


def is_noticed(mutant: Mutant, root: Path) -> bool:
    """Whether the tests fail in a copy at ``root`` that has the mutant in it, which is taken out again."""
    path, text = root / mutant.file, source(mutant.file)
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-m", "", "-x", "-q", "-p", "no:cacheprovider", *mutant.tests]
        environment = {"PYTHONPATH": str(root), "PATH": "/usr/bin:/bin", "ZERMELO_CACHE": str(root / "cache")}
        ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text, encoding="utf-8")
    if ran.returncode not in (0, 1):
        sys.exit(
            f"the tests of '{mutant.reason}' could not be run:\n{ran.stdout.decode()[-2000:]}{ran.stderr.decode()}"
        )
    return ran.returncode == 1


def main(words: list[str]) -> int:
    """Run the mutants, or those with one of ``words`` in them; how many survived."""
    only_check = "--check" in words
    wanted = [word for word in words if word != "--check"]
    chosen = [m for m in MUTANTS if not wanted or any(word in f"{m.file} {m.reason}" for word in wanted)]
    for mutant in chosen:
        check(mutant)
    print(f"{len(chosen)} mutants")
    if only_check:
        return 0
    survivors = []
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in FOLDERS:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, root / name, symlinks=True, ignore=ignored)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, root / name)
        for mutant in chosen:
            noticed = is_noticed(mutant, root)
            print(f"{'noticed ' if noticed else 'SURVIVED'}  {mutant.file}: {mutant.reason}", flush=True)
            survivors += [] if noticed else [mutant]
    print(f"{len(survivors)} of {len(chosen)} mutants survived")
    return min(len(survivors), 99)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
