"""Let strategies or programs play each other in all seats, and print what each gets on average.

A file of strategies is the output of `zermelo solve GAME --json` or, where nothing is hidden, a file FILE.json of
`zermelo solve GAME --positions FILE.json`; `uniform` in its place makes all moves with equal probability. Every
file takes every seat against every other and against itself. Nothing is sampled: the averages are exact fractions.
In a game in which everybody knows the position, but for what others choose at that moment, policies are held against
each other position by position, so that it may have more histories than can be written down, or plays without an end;
numbers that are too long to be exact are certain in the digits that are shown.

With --seat a match is played: a contestant for each player, in rounds in which everyone takes every seat once, with the
same chance. The averages have confidence intervals. The seed decides the result, and no clock does: every contestant
does the same work for each move, however long it takes. Ctrl-C ends the match, and prints what has been played so far.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction

from zermelo.commands.game_options import add_game, add_position, beginning_record, game_of, print_beginning, state_of
from zermelo.commands.limit_options import add_jobs, add_limits, limits_of
from zermelo.commands.options import add_format, add_strategies, some, whole_number
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.numbers import by_player, exactly, within
from zermelo.policies.matching import Match, matches
from zermelo.report.console import print_json, print_table, progress

EXAMPLES = """\
examples:
  zermelo solve kuhn_poker --json > kuhn.json
  zermelo match kuhn_poker kuhn.json uniform
  zermelo solve tic_tac_toe --positions ttt.json
  zermelo match tic_tac_toe ttt.json uniform
  zermelo match kuhn_poker --seat Alice=ismcts --seat Bob=best --plays 200
  zermelo match kuhn_poker --seat Alice=kuhn.json --seat Bob=random
"""

PLAYS = 100
"""How many plays are played unless a number is asked for."""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_position(parser)
    add_strategies(parser, nargs="*")
    parser.add_argument(
        "--seat",
        dest="seats",
        metavar="NAME=KIND",
        action="append",
        default=[],
        help="the contestant that begins in a player's seat: random, best, which makes best moves or follows the "
        "strategies of zermelo solve, mcts, pimc, ismcts or oos (as in zermelo play), or a FILE of strategies; one for "
        "each player",
    )
    parser.add_argument(
        "--plays",
        metavar="N",
        type=some,
        help=f"with --seat: how many plays, rounded up to whole rounds (default: {PLAYS})",
    )
    parser.add_argument(
        "--seed", metavar="S", type=whole_number, default=0, help="with --seat: the random seed (default: 0)"
    )
    add_jobs(parser, "rounds of --seat are played", "the result is the same for any number")
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    if options.seats:
        from zermelo.commands.played_match import run_played

        return run_played(options, PLAYS)
    if not options.strategies:
        raise ZermeloError("bad-usage", "nobody takes part", "name FILEs of strategies, or contestants by --seat")
    if options.plays is not None:
        raise ZermeloError("bad-usage", "--plays needs --seat", "files alone are matched exactly, without a play")
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
