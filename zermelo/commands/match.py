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
from collections.abc import Sequence

from zermelo.commands.game_options import (
    add_cluster,
    add_game,
    add_jobs,
    add_limits,
    add_opening,
    add_table,
    print_beginning,
    state_of,
    within,
)
from zermelo.commands.options import add_format, add_strategies, positive_number, whole_number
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.numbers import approximation, text_within
from zermelo.playing.contestants import KINDS, Score
from zermelo.playing.intervals import LEVEL
from zermelo.playing.matching import PLAYS, PlayedMatch, two_contestants
from zermelo.policies.exploiting import ExactMatch
from zermelo.questions import match
from zermelo.report.console import print_facts, print_json, print_table

EXAMPLES = """\
examples:
  zermelo solve kuhn_poker --json > kuhn.json
  zermelo match kuhn_poker kuhn.json uniform
  zermelo solve tic_tac_toe --positions ttt.json
  zermelo match tic_tac_toe ttt.json uniform
  zermelo match kuhn_poker --seat Alice=ismcts --seat Bob=best --plays 200
  zermelo match kuhn_poker --seat Alice=kuhn.json --seat Bob=random
  zermelo match connect_four --seat Red=mcts:1000 --seat Yellow=mcts:100
  zermelo match checkers --seat White=checkers.json:4 --seat Black=greedy:4 --opening 6
  zermelo match tic_tac_toe --seat X=best --seat O=random --table tic_tac_toe.table
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    add_strategies(parser, nargs="*")
    parser.add_argument(
        "--seat",
        dest="seats",
        metavar="NAME=KIND",
        action="append",
        default=[],
        help="the contestant that begins in a player's seat: random, best, which makes best moves or follows the "
        "strategies of zermelo solve, greedy, mcts, pimc, ismcts or oos (as in zermelo play), or a FILE of strategies "
        "or weights; greedy and weights may say how many moves they look ahead, as in learnt.json:4, mcts and ismcts "
        "how many simulations they make for each move, as in mcts:1000; one for each player",
    )
    parser.add_argument(
        "--plays",
        metavar="N",
        type=positive_number,
        help=f"with --seat: how many plays, rounded up to whole rounds (default: {PLAYS})",
    )
    parser.add_argument(
        "--seed", metavar="S", type=whole_number, default=0, help="with --seat: the random seed (default: 0)"
    )
    add_opening(parser, "with --seat")
    add_jobs(parser, "rounds of --seat are played", "the result is the same for any number")
    add_cluster(parser, "jobs")
    add_limits(parser)
    add_table(
        parser,
        "with --seat NAME=best, who plays by it where it has the position, and else searches up to it, or NAME=mcts, "
        "whose simulations end at its positions",
    )
    add_format(parser, has_rows=True)


def run(options: Namespace) -> int:
    begin = state_of(options)
    found = match(
        begin,
        *options.strategies,
        seats=_seats(options.seats, begin.game),
        plays=options.plays,
        seed=options.seed,
        opening=options.opening,
        jobs=options.jobs,
        cluster=options.cluster,
        table=options.table,
        **within(options),
    )
    if options.format == "json":
        print_json(found.record())
    elif options.format == "csv":
        print(found.csv(), end="")
    else:
        print_beginning(begin)
        if isinstance(found, ExactMatch):
            _print_exact(found)
        else:
            _print_played(found)
    if isinstance(found, ExactMatch) or not found.stopped:
        return 0
    return INTERRUPTED if found.is_interrupted else FOUND


def _seats(given: Sequence[str], game: Game) -> dict[str, str] | None:
    """The kinds of contestants by players; None without any. Raises ``ZermeloError``: ``bad-usage``,
    ``unknown-player``."""
    found: dict[str, str] = {}
    for text in given:
        name, _, kind = text.partition("=")
        if not kind:
            *most, last = KINDS
            raise ZermeloError(
                "bad-usage", f"'{text}' is not NAME=KIND", f"KIND is {', '.join(most)}, {last}, or a FILE of strategies"
            )
        player = game.players[game.number(name)]
        if player in found:
            raise two_contestants(player)
        found[player] = kind
    return found or None


def _print_exact(found: ExactMatch) -> None:
    titles = found.game.titles
    heads = [*titles, *(f"{player} gets" for player in titles)]
    rows = [[*each.seats, *(text_within(amount, each.error) for amount in each.value)] for each in found.seatings]
    print_table(heads, rows)
    if len(found.strategies) > 1:
        print()
        error = max(each.error for each in found.seatings)
        means = [(name, text_within(mean, error)) for name, mean in found.means.items()]
        print_table(("strategies", "mean over all seats, against others"), means)


def _print_played(found: PlayedMatch) -> None:
    titles = found.game.titles
    rows = [
        (kind, first, *map(approximation, score.seats), approximation(score.mean), _interval_text(score))
        for kind, first, score in zip(found.contestants, titles, found.scores, strict=True)
    ]
    print_table(("contestant", "begins as", *(f"as {player}" for player in titles), "mean", "interval"), rows)
    print()
    counted = f"{found.plays:,}, in {found.rounds:,} round{'s'[: found.rounds != 1]} of {len(found.contestants)}"
    facts = [
        ("plays", f"{counted}, in which everyone takes every seat once, with the same chance"),
        ("seed", str(found.seed)),
        ("interval", f"{float(LEVEL):.0%}, by Student's t over the rounds: an estimate, no proof"),
    ]
    print_facts(facts + ([("stopped", f"{found.stopped}, before play {found.plays + 1:,}")] if found.stopped else []))


def _interval_text(score: Score) -> str:
    if score.interval is None:
        return "none: no two rounds differ"
    low, high = score.interval
    return f"{low:.4g} to {high:.4g}"
