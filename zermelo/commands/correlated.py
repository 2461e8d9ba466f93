"""Find what a mediator can arrange who tells every move when it is due.

The mediator draws a strategy for each player, and tells everybody a move only when they are to decide. Who does
something else is told nothing more. If nobody gains by that, this is an extensive-form correlated equilibrium. Prints
the one with the greatest sum of payoffs (welfare) or, with --for, with the greatest payoff of one player: the
strategies that are drawn together, with their probabilities. Everything is exact, in fractions. Two players need no
table of strategies, unless chance tells them different things.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, print_beginning, state_of, within
from zermelo.commands.options import add_format, positive_number
from zermelo.numbers import exact_text, readable_texts
from zermelo.questions import correlated
from zermelo.report.console import print_facts, print_json, print_table

EXAMPLES = """\
examples:
  zermelo correlated student_and_professor
  zermelo correlated student_and_professor --for Professor
  zermelo correlated chicken --json
"""

_LISTED = 24
"""The greatest number of rows that are printed."""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--for", dest="favoured", metavar="PLAYER", help="the greatest payoff of this player (default: of all in sum)"
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=positive_number,
        help=f"list so many rows at most (default: {_LISTED}, and all as JSON)",
    )
    add_limits(parser)
    add_format(parser, has_rows=True)


def run(options: Namespace) -> int:
    found = correlated(state_of(options), favoured=options.favoured, **within(options))
    if options.format == "json":
        print_json(found.record(options.limit))
        return 0
    if options.format == "csv":
        print(found.csv(), end="")
        return 0
    titles, listed = found.game.titles, found.drawn[: options.limit or _LISTED]
    print_beginning(found.begin)
    print_table(
        ["drawn", *(f"{player} is told" for player in titles)],
        [[*readable_texts(each.probability), *each.words] for each in listed],
    )
    if len(found.drawn) > len(listed):
        more = len(found.drawn) - len(listed)
        print(f"... and {more:,} more, which --limit {len(found.drawn)} lists")
    print()
    most = "at most "
    print_facts(
        [
            *(
                (f"{title} gets", f"{most if player == found.favoured else ''}{exact_text(amount)}")
                for player, title, amount in zip(found.game.players, titles, found.payoff, strict=True)
            ),
            ("welfare", f"{most if found.favoured is None else ''}{exact_text(found.welfare)}"),
            (
                "note",
                "It is proved that nobody gains by doing something else than they are told, and that no mediator who "
                "tells each move when it is due arranges more.",
            ),
            ("counts", ", ".join(f"{what} {count:,}" for what, count in found.counts.items())),
        ]
    )
    return 0
