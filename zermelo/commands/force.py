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

from zermelo.commands.game_options import add_game, add_limits, print_beginning, state_of, within
from zermelo.commands.options import add_format
from zermelo.grammar.names import shown
from zermelo.interpreter.values import NumberTooLong, read_number
from zermelo.numbers import exact_text
from zermelo.questions import force
from zermelo.report.console import print_facts, print_heading, print_json
from zermelo.solutions.forcing import ForcedPayoff
from zermelo.solutions.page import PAGE, plan_lines

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
    found = force(state_of(options), options.player, at_least=options.at_least, **within(options))
    if options.format == "json":
        print_json(found.record())
        return 0
    print_beginning(found.begin)
    lines = [("verdict", _verdict(found))]
    if found.plan is not None:
        print_heading(f"The plan of {shown(found.player)}:")
        print("\n".join(plan_lines(found.plan, inf if options.all else PAGE)))
        print()
        lines.append(("note", "The plan succeeds whatever chance draws and the others do: all of it has been tried."))
    else:
        lines.append(("note", "Every plan may fail, by what chance draws or the others do: all have been tried."))
    print_facts([*lines, ("counts", ", ".join(f"{what} {count:,}" for what, count in found.counts.items()))])
    return 0


def _verdict(found: ForcedPayoff) -> str:
    player, at_least = shown(found.player), found.at_least
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
