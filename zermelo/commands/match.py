"""Let saved strategies play each other in all seats, and print what each gets on average.

A file of strategies is the output of `zermelo solve GAME --json` or, where nothing is hidden, a file FILE.json of
`zermelo solve GAME --positions FILE.json`; `uniform` in its place makes all moves with equal probability. Every
file takes every seat against every other and against itself. Nothing is sampled: the averages are exact fractions.
In a game in which everybody knows the position, but for what others choose at that moment, policies are held against
each other position by position, so that it may have more histories than can be written down, or plays without an end;
numbers that are too long to be exact are certain in the digits that are shown.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from zermelo.commands.game_options import add_game, add_position, game_of, state_of
from zermelo.commands.heading import beginning_record, print_beginning
from zermelo.commands.limit_options import add_limits, limits_of
from zermelo.commands.options import add_format, add_strategies
from zermelo.console import print_json, print_table, progress
from zermelo.matching import Match, matches
from zermelo.numbers import exactly, within
from zermelo.plain_results import by_player

EXAMPLES = """\
examples:
  zermelo solve kuhn_poker --json > kuhn.json
  zermelo match kuhn_poker kuhn.json uniform
  zermelo solve tic_tac_toe --positions ttt.json
  zermelo match tic_tac_toe ttt.json uniform
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_position(parser)
    add_strategies(parser, nargs="+")
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    begin = state_of(options, game)
    limits = limits_of(options)
    with progress("looking at the game", "positions") as report, limits.kept():
        found = matches(options.strategies, begin, limits, report)
    if options.format == "json":
        plays = [
            {"seats": each.seats, "value": by_player(game, each.value), "error": str(each.error)} for each in found
        ]
        print_json({**beginning_record(begin), "plays": plays})
        return 0
    print_beginning(begin)
    heads = [*game.players, *(f"{player} gets" for player in game.players)]
    print_table(heads, [[*each.seats, *(_shown(amount, each.error) for amount in each.value)] for each in found])
    if len(options.strategies) > 1:
        print()
        error = max(each.error for each in found)
        means = [(name, _shown(_mean(name, found), error)) for name in dict.fromkeys(options.strategies)]
        print_table(("strategies", "mean over all seats, against others"), means)
    return 0


def _shown(amount: Fraction, error: Fraction) -> str:
    return within(amount, error) if error else exactly(amount)


def _mean(name: str, found: list[Match]) -> Fraction:
    """What a contestant gets on average in the matches against others."""
    brought = [
        each.value[seat]
        for each in found
        for seat, sitting in enumerate(each.seats)
        if sitting == name and set(each.seats) != {name}
    ]
    return sum(brought, Fraction(0)) / max(1, len(brought))
