"""Find what a player can force whatever the truth is, and the plan that does it.

The player does not know the position, and nothing is assumed about how probable the possible ones are: the plan has to
succeed whatever chance draws and the others do. Prints the most that PLAYER can get for certain or, with --at-least,
whether they can get so much; and a plan, a tree of what to do by what is perceived. With --after the plan begins with
what the player has perceived by then, and succeeds after every play that fits this. A play without an end brings
nothing.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction
from math import inf

from zermelo.commands.game_options import add_game, add_limits, beginning_record, limits_of, print_beginning, state_of
from zermelo.commands.options import add_format
from zermelo.forcing import force
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interpreter.values import NumberTooLong, read_number
from zermelo.numbers import exact_text
from zermelo.report.console import print_facts, print_heading, print_json, progress
from zermelo.solutions.page import PAGE, plan_lines, plan_record
from zermelo.solvers.beliefs.forcing import Forced

EXAMPLES = """\
examples:
  zermelo force vacuum
  zermelo force odd_coin --at-least 1
  zermelo force pit_cave --after "dig(b3)"
  zermelo force battleship North --at-least 0
  zermelo force odd_coin --json
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("player", metavar="PLAYER", nargs="?", help="who is to force it; the only player by default")
    parser.add_argument(
        "--at-least",
        metavar="AMOUNT",
        type=_amount,
        help="the payoff that is to be forced, such as 1 or 3/2 (default: the most that can be)",
    )
    parser.add_argument("--all", action="store_true", help=f"print the whole plan, not only {PAGE} lines of it")
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    limits = limits_of(options)
    if options.player is None and len(game.players) > 1:
        raise ZermeloError(
            "bad-usage",
            "argument PLAYER: it is not said who is to force it",
            f"the players are {', '.join(game.players)}",
        )
    player = game.players[0 if options.player is None else game.number(options.player)]
    with progress("looking for a plan", "positions") as report, limits.enforce():
        found = force(begin, player, options.at_least, limits, report)
    if options.format == "json":
        print_json(
            {
                **beginning_record(begin),
                "player": player,
                "at_least": None if options.at_least is None else str(options.at_least),
                "forced": None if found.amount is None else str(found.amount),
                "plan": None if found.plan is None else plan_record(found.plan),
                "counts": found.counts,
            }
        )
        return 0
    print_beginning(begin)
    lines = [("verdict", _verdict(shown(player), options.at_least, found))]
    if found.plan is not None:
        print_heading(f"The plan of {shown(player)}:")
        print("\n".join(plan_lines(found.plan, inf if options.all else PAGE)))
        print()
        lines.append(("note", "The plan succeeds whatever chance draws and the others do: all of it has been tried."))
    else:
        lines.append(("note", "Every plan may fail, by what chance draws or the others do: all have been tried."))
    print_facts([*lines, ("counts", ", ".join(f"{what} {count:,}" for what, count in found.counts.items()))])
    return 0


def _verdict(player: str, at_least: Fraction | None, found: Forced) -> str:
    if found.amount is None:
        if at_least is None:
            return f"{player} cannot force the play to end."
        return f"{player} cannot force {exact_text(at_least)}."
    if at_least is None:
        return f"{player} can force {exact_text(found.amount)}, and no more."
    more = "" if found.amount == at_least else f": {exact_text(found.amount)} by this plan"
    return f"{player} can force {exact_text(at_least)}{more}."


def _amount(text: str) -> Fraction:
    """An argument that is a payoff."""
    try:
        return Fraction(read_number(text))
    except NumberTooLong:
        raise ArgumentTypeError("it has too many digits") from None
    except ValueError:
        raise ArgumentTypeError(f"'{text}' is not a number such as 1, -2 or 3/2") from None
