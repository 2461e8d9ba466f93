"""``python -m benchmarks``: runs the benchmarks, and prints them as a table or as JSON."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from benchmarks import (
    averages,
    batches,
    editing,
    equilibria,
    exact,
    extreme_equilibria,
    growth,
    ismcts,
    learning,
    perft,
    playouts,
    positions,
    sampling,
    search,
    shards,
    solving,
    startup,
    tables,
)
from benchmarks.facts import facts, keep_to_one_core
from benchmarks.report import Delay, Growth, Report, Row

BENCHMARKS: Final[dict[str, Callable[[], Sequence[Row | Delay | Growth]]]] = {
    "minimax": search.minimax,
    "alphabeta": search.alphabeta,
    "table": search.alphabeta_with_table,
    "mcts": search.monte_carlo,
    "ismcts": ismcts.searches,
    "pimc": averages.hands,
    **{f"random-{game.name}": partial(playouts.plays, game) for game in playouts.GAMES},
    **{f"batch-{game.name}": partial(batches.loops, game) for game in batches.GAMES},
    "perft": perft.chess,
    "connect-four": solving.connect_four,
    "chess": solving.chess,
    **{f"cfr-{game.name}": partial(equilibria.iterations, game) for game in equilibria.GAMES},
    "sampling": sampling.iterations,
    "nearness": equilibria.nearness,
    "equilibria": extreme_equilibria.tables,
    "trees": exact.trees,
    "exact": exact.values,
    "positions": positions.solutions,
    "chains": positions.chains,
    "iterations": positions.iterations,
    "pig": positions.pig,
    "learning": learning.backgammon,
    "solve": startup.solve,
    "compile": startup.compilation,
    "editing": editing.keystrokes,
    **{f"growth-{name}": partial(growth.growth, name) for name in growth.GAMES},
}
"""The benchmarks by name; each returns its rows."""

LONG: Final[dict[str, Callable[[], Sequence[Row | Delay | Growth]]]] = {
    "dobutsu": positions.dobutsu,
    "responses": exact.responses,
    "memory": positions.memory,
    "on-disk": tables.connect_four,
    "workers": shards.workers,
    "threads": solving.threads,
}
"""Benchmarks that take long and much memory: they run only if they are asked for."""

OVERVIEW: Final = f"""\
Measure this project beside its peers, in one run on one core, and print ratios.

Every row has this project's rate, the peer's rate, and their ratio: 2 x means that this project is twice as fast.
'target' is the ratio to reach. Each figure is the best of at least three runs.

names: {", ".join(BENCHMARKS)}; and only if asked for: {", ".join(LONG)}
"""

EXAMPLES: Final = """\
examples:
  python -m benchmarks                          everything, in about five minutes
  python -m benchmarks --only minimax           one benchmark
  python -m benchmarks --only random            all whose names begin with it
  python -m benchmarks --only dobutsu           all of dobutsu shogi: some ten minutes and 8 GB
  python -m benchmarks --only responses         best responses in dark hex 3x3: some three minutes
  python -m benchmarks --only memory            connect four 5x5 in little memory and in much: a minute, 2 GB
  python -m benchmarks --only on-disk           tables of connect four 5x5: some four minutes, 2 GB and 2 GB on disk
  python -m benchmarks --only workers           a table by two workers and by one: two minutes, on all cores
  python -m benchmarks --only threads           connect four 6x6 by two threads and by one: minutes, on all cores
  python -m benchmarks --json > results.json

The peers: pip install open_spiel cvxpy chess stormpy pygambit, and a C++ compiler.
Missing peers are skipped, as noted in the table.
Run it on an idle machine: other programs disturb it, even on other cores.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the requested benchmarks; 0 if all ran, 2 if no benchmark has the name."""
    parser = ArgumentParser(
        "python -m benchmarks", description=OVERVIEW, epilog=EXAMPLES, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", metavar="NAME", action="append", default=[], help="only benchmarks with this prefix; repeatable"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    chosen = {
        name: run
        for name, run in (BENCHMARKS | LONG if options.only else BENCHMARKS).items()
        if not options.only or any(name.startswith(start) for start in options.only)
    }
    if not chosen:
        parser.error(
            f"no benchmark's name begins with {' or '.join(options.only)}; there are {', '.join([*BENCHMARKS, *LONG])}"
        )
    report = run_all(chosen, announce=sys.stderr.isatty())
    if options.json:
        print(json.dumps(report.record(), indent=2))
    else:
        report.print()
    return 0


def run_all(chosen: dict[str, Callable[[], Sequence[Row | Delay | Growth]]], announce: bool = False) -> Report:
    """Run benchmarks on one core, and announce each on standard error if asked."""
    here = facts(keep_to_one_core())
    rows: list[Row | Delay | Growth] = []
    for name, run in chosen.items():
        if announce:
            print(f"{name} ...", file=sys.stderr)
        rows.extend(run())
    return Report(here, rows)


if __name__ == "__main__":
    sys.exit(main())
