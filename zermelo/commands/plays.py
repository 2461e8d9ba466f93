"""Count the plays of a given length: what chess programmers call perft, the surest test of rules.

A play of length N is a sequence of N moves and outcomes of chance from the beginning, or with --after from there. Plays
that end earlier do not count. If a limit stops the count, the number so far is printed, and the exit code is 1.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, add_threads, beginning_record, limits_of, state_of
from zermelo.commands.options import add_format, whole_number
from zermelo.machines import name_of
from zermelo.report.console import print_json, progress
from zermelo.solvers.search.counting import count_plays
from zermelo.solving import on_machine, search

EXAMPLES = """\
examples:
  zermelo plays chess 3                        8902
  zermelo plays othello 4 -p size=6
  zermelo plays chess 2 --after "go_to(e2, e4)"
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("length", metavar="N", type=whole_number, help="the number of moves and outcomes")
    add_threads(parser)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    with progress("counting", "plays") as report:
        limits = limits_of(options)
        with limits.enforce():
            machine, count = search(
                game,
                lambda machine: (
                    machine,
                    count_plays(machine, on_machine(begin, machine), options.length, report, limits, options.threads),
                ),
            )
    if options.format == "json":
        counted = {"length": options.length, "plays": count.plays, "stopped": count.stopped or None}
        print_json({**beginning_record(begin), "machine": name_of(machine), **counted})
    elif count.stopped:
        print(f"at least {count.plays:,}: the count was stopped {count.stopped}")
    else:
        print(count.plays)
    return 1 if count.stopped else 0
