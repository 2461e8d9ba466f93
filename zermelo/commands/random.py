"""Play at random many times, and average the payoffs.

Every player chooses among the legal moves with equal probability, chance draws with its own probabilities. The same
seed gives the same plays on the same machine, for any number of threads or workers. The means estimate the expected
payoffs of random players, and are rounded.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.commands.game_options import (
    add_cluster,
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
from zermelo.interpreter.machine import Machine
from zermelo.machines import cores, name_of
from zermelo.numbers import approximation, by_player, count_in_words
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.search.random_plays import LONGEST, RandomPlays, play_at_random, random_plays
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.solvers.common.spreading import Spread

EXAMPLES = """\
examples:
  zermelo random pig --plays 1000
  zermelo random backgammon --plays 20 --seed 7 --json
  zermelo random tic_tac_toe --after "mark(b2), mark(b1)"
"""

_PARTS = 512
"""So many parts are made of the plays for the workers of a cluster, at least, if there are so many."""

_MOST_PLAYS = 1 << 16
"""The most plays of such a part."""


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
    game = begin.game
    limits, plays = limits_of(options), options.plays
    with progress("playing", "plays", plays) as report:
        if options.cluster is None:
            with limits.enforce():
                result = _play(begin, options.seed, limits, report, options.threads or cores(), range(plays))
        else:
            from zermelo.solvers.common.cluster import spread_on_cluster  # which few need

            with spread_on_cluster(options.threads, options.cluster) as spread:
                result = spread_plays(begin, plays, options.seed, limits, report, spread)
    if options.format == "json":
        said = {"machine": name_of(game.searching), "seed": options.seed}
        print_json({**beginning_record(begin), **said, **_record(game, result)})
    else:
        _print(begin, result)
    return 0


def _play(
    begin: State, seed: int, limits: Limits, report: Progress, threads: int, numbers: range, by_kernel: bool = True
) -> RandomPlays:
    """The plays of some numbers."""

    def play(machine: Machine[Any]) -> RandomPlays:
        root, count, first = on_machine(begin, machine), len(numbers), numbers.start
        if not by_kernel:
            return random_plays(machine, root, count, seed, report, limits, first)
        return play_at_random(machine, root, count, seed, report, limits, threads, first)

    return search(begin.game, play)


def spread_plays(
    begin: State, plays: int, seed: int, limits: Limits, report: Progress, spread: Spread, by_kernel: bool = True
) -> RandomPlays:
    """Random plays, the same as in one process."""
    firsts = range(0, plays, max(1, min(_MOST_PLAYS, plays // _PARTS)))
    work = partial(_play_part, begin, seed, by_kernel, plays, firsts.step)
    whole, ways = RandomPlays([Fraction(0)] * len(begin.game.players)), set[bool]()
    try:
        with limits.enforce():
            for _, part in spread.map(work, firsts):
                whole.add(part)
                ways.add(part.by_kernel)
                report(whole.plays + whole.unfinished)
    except LimitReached as reached:
        if reached.code != "out-of-time":
            raise
        whole.stopped = limits.stopped_by_time
    if len(ways) > 1:  # some came to a native limit, after which one process would have made all plays without kernels
        return spread_plays(begin, plays, seed, limits, report, spread, by_kernel=False)
    return whole


def _play_part(begin: State, seed: int, by_kernel: bool, plays: int, size: int, first: int) -> RandomPlays:
    """Some of the plays, so many from the first one on."""
    numbers = range(first, min(first + size, plays))
    return _play(begin, seed, Limits(), ignore_progress, 1, numbers, by_kernel)


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
