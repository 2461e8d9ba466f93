"""Play at random many times, and average the payoffs.

Every player chooses among the legal moves with equal probability, chance draws with its own probabilities. The same
seed gives the same plays on the same machine, for any number of threads. The means estimate the expected payoffs of
random players, and are rounded.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import (
    add_game,
    add_limits,
    add_threads,
    beginning_record,
    limits_of,
    print_beginning,
    state_of,
)
from zermelo.commands.options import add_format, whole_number
from zermelo.game import Game, State
from zermelo.machines import name_of
from zermelo.numbers import approximation, by_player, count_in_words
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.search.random_plays import LONGEST, RandomPlays, play_at_random
from zermelo.solving import on_machine, search

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
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    with progress("playing", "plays", options.plays) as report:
        limits, plays, seed = limits_of(options), options.plays, options.seed
        with limits.enforce():
            machine, result = search(
                game,
                lambda machine: (
                    machine,
                    play_at_random(machine, on_machine(begin, machine), plays, seed, report, limits, options.threads),
                ),
            )
    if options.format == "json":
        said = {"machine": name_of(machine), "seed": options.seed}
        print_json({**beginning_record(begin), **said, **_record(game, result)})
    else:
        _print(begin, result)
    return 0


def _record(game: Game, result: RandomPlays) -> dict[str, object]:
    means = result.mean_payoffs
    return {
        "plays": result.plays,
        "unfinished": result.unfinished,
        "mean_payoffs": None if means is None else by_player(game, means),
        "mean_length": None if result.mean_length is None else str(result.mean_length),
        "shortest": result.shortest,
        "longest": result.longest,
        "stopped": result.stopped or None,
    }


def _print(begin: State, result: RandomPlays) -> None:
    print_beginning(begin)
    if result.mean_payoffs is not None and result.mean_length is not None:
        rows = [(name, approximation(mean)) for name, mean in zip(begin.game.titles, result.mean_payoffs, strict=True)]
        print_table(("player", "mean payoff"), rows)
        print()
        lengths = f"{approximation(result.mean_length)} moves on average, {result.shortest} to {result.longest}"
        print_facts([("plays", f"{result.plays:,}"), ("length", lengths)])
    if result.stopped:
        print(f"It was stopped {result.stopped}, before all plays were made: the means are of these plays.")
    if result.unfinished:
        were = "was" if result.unfinished == 1 else "were"
        print(f"{count_in_words(result.unfinished, 'play')} {were} given up after {LONGEST:,} moves.")
