"""Find what a mediator can arrange who tells every move when it is due.

The mediator draws a strategy for each player, and tells everybody a move only when they are to decide. Who does
something else is told nothing more. If nobody gains by that, this is an extensive-form correlated equilibrium. Prints
the one with the greatest sum of payoffs (welfare) or, with --for, with the greatest payoff of one player: the
strategies that are drawn together, with their probabilities. Everything is exact, in fractions. Two players need no
table of strategies, unless chance tells them different things.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import add_game, add_limits, beginning_record, limits_of, print_beginning, state_of
from zermelo.commands.options import add_format, positive_number
from zermelo.equilibria_page import instructions_in_words, strategy_record
from zermelo.numbers import by_player, exact_text, readable_texts
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information.extensive_form_correlated import best_in_extensive_form
from zermelo.whole_tree import whole_tree

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
    add_format(parser)


def run(options: Namespace) -> int:
    begin = state_of(options)
    game = begin.game
    limits = limits_of(options)
    favoured = None if options.favoured is None else game.number(options.favoured)
    with limits.enforce():
        tree = whole_tree(begin, "mediators who draw strategies", limits, progress)
        form = sequence_form(tree, limits)
        with progress("solving a linear program", "sequences") as report:
            report(sum(map(len, form.players)))
            found = best_in_extensive_form(tree, form, limits, favoured)
    drawn = sorted(found.drawn.items(), key=lambda each: -each[1])
    limit = options.limit or (len(drawn) if options.format == "json" else _LISTED)
    counts = {
        "nodes": tree.histories,
        "information sets": len(tree.information_sets),
        "sequences": sum(map(len, form.players)),
        **found.counts,
    }
    if options.format == "json":
        print_json(
            {
                **beginning_record(begin),
                "players": list(game.players),
                "for": options.favoured,
                "payoff": by_player(game, found.payoff),
                "welfare": str(found.welfare),
                "drawn": [
                    {"probability": str(chance), "strategies": strategy_record(tree, form, told)}
                    for told, chance in drawn[:limit]
                ],
                "all": limit >= len(drawn),
                "counts": counts,
            }
        )
        return 0
    print_beginning(begin)
    print_table(
        ["drawn", *(f"{player} is told" for player in game.titles)],
        [[*readable_texts(chance), *instructions_in_words(tree, form, told)] for told, chance in drawn[:limit]],
    )
    if len(drawn) > limit:
        print(f"... and {len(drawn) - limit:,} more, which --limit {len(drawn)} lists")
    print()
    most = "at most "
    print_facts(
        [
            *(
                (f"{player} gets", f"{most if number == favoured else ''}{exact_text(amount)}")
                for number, (player, amount) in enumerate(zip(game.titles, found.payoff, strict=True))
            ),
            ("welfare", f"{most if favoured is None else ''}{exact_text(found.welfare)}"),
            (
                "note",
                "It is proved that nobody gains by doing something else than they are told, and that no mediator who "
                "tells each move when it is due arranges more.",
            ),
            ("counts", ", ".join(f"{what} {count:,}" for what, count in counts.items())),
        ]
    )
    return 0
