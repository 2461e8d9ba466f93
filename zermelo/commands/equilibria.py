"""Analyse a small game as a table: its equilibria, dominated strategies, and what players can secure.

Lists all Nash equilibria of two players, mixed ones included (for more players, those in pure strategies, and some
mixed ones if Gambit is installed). In a 'strict' equilibrium every unilateral deviation loses; an 'efficient' one
cannot be improved for one player without a loss to another, by any profile or lottery over profiles. In a 'sequential'
one every move is best also where nobody expects to be, given beliefs that follow from vanishing mistakes; they are
listed. Where a strategy has several moves, the page says what the player has perceived before each of them. Further,
the strategies removed by iterated elimination, the maximin value of each player, the greatest sum of payoffs (welfare),
and the best correlated equilibrium; in an 'extensive' one a mediator tells every move only when it is due. Everything
is exact, in fractions, except an equilibrium marked 'to within', which is only near one. What takes longer comes last,
and when time ends, what has been found is printed.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, print_beginning, state_of, within
from zermelo.commands.options import add_format, positive_number
from zermelo.equilibria_page import LISTED, ListedEquilibria
from zermelo.questions import equilibria
from zermelo.report.console import print_facts, print_json, print_table

EXAMPLES = """\
examples:
  zermelo equilibria prisoners_dilemma
  zermelo equilibria kuhn_poker
  zermelo equilibria colonel_blotto --pure --limit 10
  zermelo equilibria goofspiel -p open=true -p cards=3 --after "bid(1), bid(2)"
  zermelo equilibria my_game.game --json
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--pure", action="store_true", help="only equilibria in pure strategies")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=positive_number,
        help=f"list so many equilibria at most (default: {LISTED}, and all as JSON)",
    )
    add_limits(parser)
    add_format(parser, has_rows=True)


def run(options: Namespace) -> int:
    limit = options.limit or (None if options.format != "text" else LISTED)
    found = equilibria(state_of(options), pure=options.pure, limit=limit, **within(options))
    if options.format == "json":
        print_json(found.record())
    elif options.format == "csv":
        print(found.csv(), end="")
    else:
        _print(found)
    return 0


def _print(found: ListedEquilibria) -> None:
    limit = found.limit
    print_beginning(found.begin)
    payoffs, count = found.payoffs(), len(found.listed)
    if payoffs is not None:
        print_table(*payoffs)
        print()
    if count:
        print_table(*found.profiles(limit))
        if limit is not None and count > limit:
            print(f"... and {count - limit:,} more, which --limit {count} lists")
        print()
    print_facts(found.lines())
