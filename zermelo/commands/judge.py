"""Say how good learnt weights are: against exact values, or in matches.

Where all positions of the game can be solved, the estimate is compared with what they are worth, in every position
right after a move: the root mean square of its errors, in units of payoff. And in every decision the greedy move,
behind which the estimate is best, is compared with the best one: how often it is best, and what it loses on average.
With --table the values are looked up.
That is told of all positions, and of those that come up in plays, as often as they do. Elsewhere, where players earn or
there is a discount, or with --plays, matches in all seats tell: who looks one move ahead by these weights plays against
those beside.

Beside stand the file's own weights, and weights drawn at random, so that learning is seen to be better than nothing.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.game_options import (
    add_game,
    add_jobs,
    add_limits,
    add_opening,
    add_table,
    print_beginning,
    state_of,
    within,
)
from zermelo.commands.options import add_format, positive_number, whole_number
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.judging import PLAYS as PLAYS_TO_WEIGH
from zermelo.judging import RANDOM
from zermelo.numbers import approximation
from zermelo.playing.intervals import LEVEL
from zermelo.playing.judged_weights import PLAYS, JudgedWeights, WeightsInMatches
from zermelo.questions import judge
from zermelo.report.console import print_facts, print_json, print_table

EXAMPLES = """\
examples:
  zermelo judge tic_tac_toe --weights ttt.json
  zermelo judge connect_four -p rows=4 -p columns=4 --weights four.json --json
  zermelo judge connect_four -p rows=4 -p columns=4 --weights four.json --table four.table
  zermelo judge checkers --weights checkers.json --plays 400
"""


def configure(parser: ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--plays",
        metavar="N",
        type=positive_number,
        help="judge by matches of so many plays each, rounded up to whole rounds (default, where the game is too large "
        f"for exact values: {PLAYS})",
    )
    parser.add_argument(
        "--seed", metavar="S", type=whole_number, default=0, help="the random seed of matches (default: 0)"
    )
    parser.add_argument(
        "--depth",
        dest="plies",
        metavar="N",
        type=positive_number,
        default=1,
        help="whoever plays by an estimate looks so many moves ahead (default: 1)",
    )
    add_opening(parser, "in matches")
    add_jobs(parser, "rounds of a match are played", "the result is the same for any number")
    add_limits(parser)
    add_table(parser, "exact values are looked up there, so that no position is solved")
    add_format(parser)


def run(options: Namespace) -> int:
    path, options.weights = options.weights, None  # the game keeps its own weights, to compare with
    if path is None:
        raise ZermeloError("bad-usage", "there is nothing to judge", "--weights FILE names a file of `zermelo learn`")
    found = judge(
        state_of(options),
        path,
        plays=options.plays,
        seed=options.seed,
        depth=options.plies,
        opening=options.opening,
        jobs=options.jobs,
        table=options.table,
        **within(options),
    )
    if options.format == "json":
        print_json(found.record())
    elif isinstance(found, JudgedWeights):
        _print_judgements(found, path.name)
    else:
        _print_matches(found, path.name)
    return 0


def _print_judgements(found: JudgedWeights, name: str) -> None:
    names = {"learnt": name, "own": "the file's own", "random": f"at random ({RANDOM} times)"}
    rows = [
        (
            names[who],
            f"{each.everywhere.root_mean_square:.4f}",
            f"{each.everywhere.best_share:.1%}",
            f"{each.everywhere.loss:.4f}",
            f"{each.in_play.root_mean_square:.4f}",
            f"{each.in_play.best_share:.1%}",
            f"{each.in_play.loss:.4f}",
        )
        for who, each in found.judgements.items()
    ]
    print_beginning(found.begin)
    print_table(("weights", "rms error", "best moves", "loss", "rms in play", "best in play", "loss in play"), rows)
    print()
    first = found.judgements["learnt"].everywhere
    lost = ", ".join(f"{each.loss_of_play:.4f} {names[who]}" for who, each in found.judgements.items())
    print_facts(
        [
            (
                "errors",
                f"in {first.positions:,} positions after a move, against exact values; at most {first.largest:.4f}",
            ),
            ("best moves", f"of the greedy ones, in {first.decisions:,} decisions; the loss is that of one move"),
            (
                "in play",
                f"as often as positions come up in {PLAYS_TO_WEIGH:,} greedy plays with moves at random in between",
            ),
            ("loss a game", f"{lost}; against somebody who makes no errors, in {PLAYS_TO_WEIGH:,} plays"),
        ]
    )


def _print_matches(found: WeightsInMatches, name: str) -> None:
    rows = []
    for each in found.matches:
        ends = each.score.interval
        between = "none: no two rounds differ" if ends is None else f"{ends[0]:.4g} to {ends[1]:.4g}"
        rows.append((name, each.against, f"{each.plays:,}", approximation(each.score.mean), between))
    print_beginning(found.begin)
    print_table(("weights", "against", "plays", "mean", "interval"), rows)
    print()
    print_facts([("seed", str(found.seed)), ("interval", f"{float(LEVEL):.0%}: an estimate, no proof")])
