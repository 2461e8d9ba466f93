"""Count the plays of a given length: what chess programmers call perft, the surest test of rules.

A play of length N is a sequence of N moves and outcomes of chance from the beginning, or with --after from there. Plays
that end earlier do not count. If a limit stops the count, the number so far is printed, and the exit code is 1.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, add_threads, state_of, within
from zermelo.commands.options import add_format, whole_number
from zermelo.questions import count_plays
from zermelo.report.console import print_json

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
    found = count_plays(state_of(options), options.length, threads=options.threads, **within(options))
    if options.format == "json":
        print_json(found.record())
    elif found.stopped:
        print(f"at least {found.plays:,}: the count was stopped {found.stopped}")
    else:
        print(found.plays)
    return 1 if found.stopped else 0
