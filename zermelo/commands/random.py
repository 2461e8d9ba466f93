"""Play at random many times, and average the payoffs.

Every player chooses among the legal moves with equal probability, chance draws with its own probabilities. The same
seed gives the same plays on the same machine, for any number of threads or workers. The means estimate the expected
payoffs of random players, and are rounded.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import (
    add_cluster,
    add_game,
    add_limits,
    add_threads,
    print_beginning,
    state_of,
    within,
)
from zermelo.commands.options import add_format, whole_number
from zermelo.numbers import approximation, count_in_words
from zermelo.questions import random_plays
from zermelo.random_playing import PlaysAtRandom
from zermelo.report.console import print_facts, print_json, print_table
from zermelo.solvers.search.random_plays import LONGEST

EXAMPLES = """\
examples:
  zermelo random pig --plays 1000
  zermelo random backgammon --plays 20 --seed 7 --json
  zermelo random tic_tac_toe --after "mark(b2), mark(b1)"
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--plays", metavar="N", type=whole_number, default=100, help="number of plays (default: 100)")
    parser.add_argument("--seed", metavar="S", type=whole_number, default=0, help="the random seed (default: 0)")
    add_threads(parser)
    add_cluster(parser, "threads")
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    found = random_plays(
        begin,
        options.plays,
        seed=options.seed,
        threads=options.threads,
        cluster=options.cluster,
        **within(options),
    )
    if options.format == "json":
        print_json(found.record())
    else:
        _print(found)
    return 0


def _print(found: PlaysAtRandom) -> None:
    print_beginning(found.begin)
    if found.mean_payoffs is not None and found.mean_length is not None:
        titles = found.game.titles
        print_table(
            ("player", "mean payoff"),
            [(name, approximation(mean)) for name, mean in zip(titles, found.mean_payoffs, strict=True)],
        )
        print()
        lengths = f"{approximation(found.mean_length)} moves on average, {found.shortest} to {found.longest}"
        print_facts([("plays", f"{found.plays:,}"), ("length", lengths)])
    if found.stopped:
        print(f"It was stopped {found.stopped}, before all plays were made: the means are of these plays.")
    if found.unfinished:
        were = "was" if found.unfinished == 1 else "were"
        print(f"{count_in_words(found.unfinished, 'play')} {were} given up after {LONGEST:,} moves.")
