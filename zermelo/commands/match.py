"""Let saved strategies play each other in all seats, and print what each gets on average.

A file of strategies is the output of `zermelo solve GAME --json`; `uniform` in its place makes all moves with equal
probability. Every file takes every seat against every other and against itself. Nothing is sampled: the averages are
exact fractions.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from fractions import Fraction
from itertools import product

from zermelo.commands.options import add_format, add_game, add_limits, game_of, limits_of
from zermelo.console import print_json, print_table, print_title, progress
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.numbers import exactly
from zermelo.plain_results import by_player, header, settings
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import search
from zermelo.strategy_files import read_strategies

EXAMPLES = """\
examples:
  zermelo solve kuhn_poker --json > kuhn.json
  zermelo match kuhn_poker kuhn.json uniform
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "strategies", metavar="FILE", nargs="+", help="the output of `zermelo solve --json`, or: uniform"
    )
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    game = game_of(options)
    limits = limits_of(options)
    with progress("writing down the histories", "histories") as report, limits.kept():
        tree = search(game, lambda machine: build_tree(machine, game.facts, machine.initial(), limits, report))
    form = sequence_form(tree, limits)
    contestants = [read_strategies(name, game, tree, form) for name in options.strategies]
    for p, player in enumerate(tree.player_names):
        for contestant in contestants:
            if contestant.plans[p] is None:
                raise ZermeloError("bad-strategy", f"{contestant.name} has no strategy for {player}")
    results = []
    for seated in product(contestants, repeat=len(tree.player_names)):
        plans = [contestant.plans[p] or [] for p, contestant in enumerate(seated)]
        results.append(([contestant.name for contestant in seated], form.expectation(plans)))
    if options.format == "json":
        plays = [{"seats": seats, "value": by_player(game, value)} for seats, value in results]
        print_json({**header(game), "plays": plays})
        return 0
    print_title(game.title, settings(game))
    print()
    heads = [*game.players, *(f"{player} gets" for player in game.players)]
    print_table(heads, [[*seats, *map(exactly, value)] for seats, value in results])
    if len(contestants) > 1:
        print()
        means = [(name, exactly(_mean(name, results))) for name in dict.fromkeys(options.strategies)]
        print_table(("strategies", "mean over all seats, against others"), means)
    return 0


def _mean(name: str, results: list[tuple[list[str], tuple[Fraction, ...]]]) -> Fraction:
    """What a contestant gets on average in the matches against others."""
    brought = [
        value[seat]
        for seats, value in results
        for seat, sitting in enumerate(seats)
        if sitting == name and set(seats) != {name}
    ]
    return sum(brought, Fraction(0)) / max(1, len(brought))
