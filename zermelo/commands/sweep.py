"""Solve a game under many combinations of its parameters, and print a row for each: values, solver, nodes, seconds.

-p NAME=VALUES gives a parameter several values, 2,4 or 3..9 or '0..1 by 1/4'; all combinations of them are solved, and
the other parameters have the values of the file. What stops one, a limit or a refusal, stands in its row as a code,
which `zermelo explain CODE` explains, and stops no other; the exit code is 1 then.

With -o FILE the rows are kept in a file as they come, and those that it has already are not solved again: so a sweep
goes on after Ctrl-C, or with a larger grid. The file tells rows of other rules, solvers and limits from these, and they
never come together. Values are exact numbers, 1/3, as text.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from pathlib import Path

from attrs import asdict

from zermelo.commands.game_options import add_cluster, add_jobs, add_machine
from zermelo.commands.options import add_format, parameter, seconds, size
from zermelo.grammar.names import shown
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.numbers import LEGIBLE, approximation
from zermelo.report.console import print_json, print_remark, print_table, progress
from zermelo.solvers.solution import Certainty
from zermelo.sweeping import SweepRow, parameter_text, sweep

EXAMPLES = """\
examples:
  zermelo sweep nim -p heaps=1..4 -p smallest=1,2
  zermelo sweep connect_four -p rows=2..4 -p columns=3,4 -o connect_four.csv
  zermelo sweep goofspiel -p cards=2..4 -p open=true,false --time 60 -o goofspiel.parquet
  zermelo sweep chomp -p rows=3 -p columns=1..9 --solver positions -j 4
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a path, or the name of a bundled game; - is standard input")
    parser.add_argument(
        "-p",
        dest="grid",
        metavar="NAME=VALUES",
        type=parameter,
        action="append",
        default=[],
        help="the values of a parameter, with commas, and of numbers also from .. to; may be repeated",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="keep the rows in a file, CSV or .parquet; those that it has already are not solved again",
    )
    parser.add_argument("--solver", metavar="NAME", help="the solver (default: for each one that fits)")
    parser.add_argument(
        "--time", metavar="SECONDS", type=seconds, default=inf, help="how long each may take (default: no limit)"
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="the memory for each, as that of `zermelo solve` (default: those that are solved at once share a quarter "
        "of what the machine has)",
    )
    add_machine(parser)
    add_jobs(parser, "combinations are solved", "the rows are in the order of the grid for any number")
    add_cluster(parser, "jobs")
    add_format(parser)


def run(options: Namespace) -> int:
    found, stopped = dict[int, SweepRow](), ""
    with progress("solving", "combinations") as bar:

        def report(number: int, row: SweepRow) -> None:
            found[number] = row
            bar(len(found))

        try:
            sweep(
                options.game,
                dict(options.grid),
                solver=options.solver,
                time=options.time,
                memory=options.memory,
                machine=options.machine,
                jobs=options.jobs,
                cluster=options.cluster,
                file=options.output,
                report=report,
            )
        except KeyboardInterrupt:
            if not found:
                raise
            stopped = "by an interrupt"
    rows = [found[number] for number in sorted(found)]
    if options.format == "json":
        print_json({"game": options.game, "rows": [asdict(row) for row in rows], "stopped": stopped or None})
    else:
        _print(rows, list(dict(options.grid)))
        if stopped:
            print()
            print_remark(f"It was stopped {stopped}: these are the rows that were finished.")
    if stopped:
        return INTERRUPTED
    return FOUND if any(row.error for row in rows) else 0


def _print(rows: Sequence[SweepRow], varied: Sequence[str]) -> None:
    """The rows as a table, with the parameters that are varied."""
    players = list(dict.fromkeys(player for row in rows for player in row.value or ()))
    amounts = [f"{shown(player)} gets" for player in players]
    heads = [*varied, *amounts, "certainty", "solver", "nodes", "error", "time"]
    cells = [
        [
            *(parameter_text(row.parameters[name]) for name in varied),
            *(_amount_text(row, player) for player in players),
            "" if row.certainty == Certainty.EXACT.value else row.certainty,
            row.solver,
            "" if row.nodes is None else f"{row.nodes:,}",
            row.error,
            f"{row.seconds:.2f} s",
        ]
        for row in rows
    ]
    told = [column for column in zip(heads, *cells, strict=True) if any(column[1:])]
    whole = list(zip(*told, strict=True))
    print_table(whole[0], whole[1:])


def _amount_text(row: SweepRow, player: str) -> str:
    """What a player gets, exactly if that is short enough to be read."""
    amount = (row.value or {}).get(player) or ""
    return amount if len(amount) <= LEGIBLE else approximation(Fraction(amount))
