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
from typing import TYPE_CHECKING, Any

from attrs import asdict

from zermelo.commands.game_options import (
    add_game,
    add_jobs,
    add_limits,
    add_opening,
    add_table,
    beginning_record,
    limits_of,
    print_beginning,
    state_of,
    table_of,
)
from zermelo.commands.options import add_format, positive_number, whole_number
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.judging import PLAYS as PLAYS_TO_WEIGH
from zermelo.judging import RANDOM, Judgement, WorthByTheWay, judge, mean_of, random_weights, weights_of
from zermelo.learning import check_learnable, check_weights, read_weights, records_of, weighed
from zermelo.numbers import approximation
from zermelo.playing.contestants import Contestant, LookingAhead, SampledMatch, Score, contestant_of
from zermelo.playing.intervals import LEVEL
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.common.spreading import InProcesses
from zermelo.solvers.learning.weights import Weights

if TYPE_CHECKING:
    from zermelo.tables import Table

EXAMPLES = """\
examples:
  zermelo judge tic_tac_toe --weights ttt.json
  zermelo judge connect_four -p rows=4 -p columns=4 --weights four.json --json
  zermelo judge connect_four -p rows=4 -p columns=4 --weights four.json --table four.table
  zermelo judge checkers --weights checkers.json --plays 400
"""

PLAYS = 200
"""How many plays each match has, unless a number is asked for."""

_TOO_LARGE = ("out-of-memory", "out-of-time", "no-solver", "needs-endless", "no-value")
"""The refusals to find the values of all positions after which matches are played."""


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
    if options.table is not None and options.plays is not None:
        raise ZermeloError("bad-usage", "--table has exact values, and --plays judges by matches", "leave one out")
    begin, limits = state_of(options), limits_of(options)
    known = read_weights(path)
    with limits.enforce():
        check_learnable(begin, known.settings, limits)
        check_weights(str(path), known, begin.game)
        table = table_of(options, begin.game)
    if known.records is not None and table is not None:
        raise ZermeloError(
            "bad-usage",
            "--table has exact values for estimates of all positions, and by rote only some are learnt",
            "without --table they are judged by matches",
        )
    if options.plays is None and known.records is None:
        try:
            judged = _judged(begin, known, limits, table, options.plies)
        except WorthByTheWay:
            pass
        except ZermeloError as error:
            if error.code not in _TOO_LARGE or limits.is_over or table is not None:
                raise
        else:
            _show_judgements(begin, path.name, judged, options.format == "json")
            return 0
    matches = _matches(begin, known, options, limits)
    _show_matches(begin, path.name, matches, options)
    return 0


def _judged(begin: State, known: Weights, limits: Limits, table: Table | None, depth: int) -> dict[str, Judgement]:
    """Judgements of the learnt weights, the file's own if it has some, and random ones."""
    drawn = [random_weights(known, seed) for seed in range(RANDOM)]
    own = [weights_of(begin.game)] if begin.game.weights else []
    with progress("judging", "positions") as report, limits.enforce():
        learnt, *others = judge(begin, [known, *drawn, *own], limits, report, table, depth)
    found = {"learnt": learnt, "own": others[-1]} if own else {"learnt": learnt}
    return {**found, "random": mean_of(others[:RANDOM])}


def _show_judgements(begin: State, name: str, judged: dict[str, Judgement], as_json: bool) -> None:
    if as_json:
        print_json({**beginning_record(begin), "weights": {who: asdict(each) for who, each in judged.items()}})
        return
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
        for who, each in judged.items()
    ]
    print_beginning(begin)
    print_table(("weights", "rms error", "best moves", "loss", "rms in play", "best in play", "loss in play"), rows)
    print()
    first = judged["learnt"].everywhere
    lost = ", ".join(f"{each.loss_of_play:.4f} {names[who]}" for who, each in judged.items())
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


def _matches(begin: State, known: Weights, options: Namespace, limits: Limits) -> dict[str, tuple[int, list[Score]]]:
    """Matches against who plays by the file's own weights, by random ones, and at random: the plays, and the scores."""
    game = begin.game
    depth = options.plies
    learnt = LookingAhead(weighed(game, known), depth, limits.memory, records_of(game, known))
    others: dict[str, Contestant] = (
        {"greedy": LookingAhead(game, depth, limits.memory)} if game.facts.has_estimate else {}
    )
    others["random weights"] = LookingAhead(weighed(game, random_weights(known, options.seed)), depth, limits.memory)
    others["random"] = contestant_of("random", game, limits.memory)
    rounds = -(-(options.plays or PLAYS) // 2)
    found: dict[str, tuple[int, list[Score]]] = {}
    with progress("playing", "plays", 2 * rounds * len(others)) as report, limits.enforce():
        for number, (name, other) in enumerate(others.items()):
            match = SampledMatch(begin, [learnt, other], options.seed, opening=options.opening)
            match.play(rounds, InProcesses(options.jobs), _later(report, 2 * rounds * number))
            found[name] = 2 * len(match.rounds), match.scores()
    return found


def _later(report: Progress, before: int) -> Progress:
    """Progress that has come so far before."""
    return lambda count: report(before + count)


def _show_matches(begin: State, name: str, matches: dict[str, tuple[int, list[Score]]], options: Namespace) -> None:
    if options.format == "json":
        told = [
            {"against": other, "plays": plays, **_score_record(scores[0])} for other, (plays, scores) in matches.items()
        ]
        print_json({**beginning_record(begin), "seed": options.seed, "level": float(LEVEL), "matches": told})
        return
    rows = []
    for other, (plays, (score, _)) in matches.items():
        middle = float(score.mean)
        margin = score.margin
        between = "none: no two rounds differ" if margin is None else f"{middle - margin:.4g} to {middle + margin:.4g}"
        rows.append((name, other, f"{plays:,}", approximation(score.mean), between))
    print_beginning(begin)
    print_table(("weights", "against", "plays", "mean", "interval"), rows)
    print()
    print_facts([("seed", str(options.seed)), ("interval", f"{float(LEVEL):.0%}: an estimate, no proof")])


def _score_record(score: Score) -> dict[str, Any]:
    middle = float(score.mean)
    interval = None if score.margin is None else [middle - score.margin, middle + score.margin]
    return {"mean": str(score.mean), "interval": interval}
