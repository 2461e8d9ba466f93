"""``python -m benchmarks.mutation``: slips in the bundled games, told from the original, and noticed by the files.

A table for the docs. Of each game a sample of mutants is judged as ``zermelo mutate`` does. *told* are the mutants,
among those that are neither rejected nor proved to be the same game, for which a play is found on which they differ;
*noticed* are those for which a line of the file fails, or whose positions show something new.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from math import inf

import zermelo
from benchmarks.report import markdown_row
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.spreading import InThreads
from zermelo.testing.mutation import PAIRS, Fate, Judged, judge_all, pinned_facts, sample_mutants

_HEADS = ("game", "mutants", "no game", "same game", "other", "told", "noticed")


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.mutation", description="Mutants of the bundled games.")
    parser.add_argument("games", nargs="*", help="the names of bundled games (default: all)")
    parser.add_argument("--sample", type=int, default=15, help="so many mutants of each game (default: 15)")
    parser.add_argument("--time", type=float, default=20.0, help="seconds for each mutant (default: 20)")
    parser.add_argument("--processes", type=int, default=2, help="so many at a time (default: 2)")
    options = parser.parse_args()
    total = [0] * (len(_HEADS) - 1)
    print(markdown_row(_HEADS), markdown_row(["---"] * len(_HEADS)), sep="\n")
    for name in options.games or zermelo.games():
        figures = _figures(_judge_sample(name, options.sample, options.time, options.processes))
        print(markdown_row([name, *map(str, figures)]), flush=True)
        total = [sum(both) for both in zip(total, figures, strict=True)]
    print(markdown_row(["all", *map(str, total)]))
    other, told, noticed = total[3:]
    print(
        f"\n{other} other games: {100 * told / other:.1f} % told, {100 * noticed / other:.1f} % noticed",
        file=sys.stderr,
    )


def _judge_sample(name: str, sample: int, seconds: float, processes: int) -> Sequence[Judged]:
    game = zermelo.load(name)
    chosen = sample_mutants(game.model.source, sample, 0)
    known = pinned_facts(game, Limits(inf))
    return list(judge_all(game, chosen, known, Limits(seconds), PAIRS, InThreads(processes)))


def _figures(judged: Sequence[Judged]) -> list[int]:
    """The columns of a row."""
    fates = Counter(each.fate for each in judged)
    other = len(judged) - fates[Fate.REJECTED] - fates[Fate.SAME]
    told = sum(each.difference is not None for each in judged)
    return [len(judged), fates[Fate.REJECTED], fates[Fate.SAME], other, told, fates[Fate.CAUGHT]]


if __name__ == "__main__":
    main()
