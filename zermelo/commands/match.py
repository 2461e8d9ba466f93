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
from fractions import Fraction
from typing import Any

from zermelo.commands.game_options import (
    add_cluster,
    add_game,
    add_jobs,
    add_limits,
    add_opening,
    add_table,
    beginning_record,
    limits_of,
    print_beginning,
    state_of,
    table_of_seats,
)
from zermelo.commands.options import add_format, add_strategies, positive_number, whole_number
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.machines import spread_of
from zermelo.numbers import approximation, by_player, text_within
from zermelo.playing.contestants import KINDS, LEVEL, SampledMatch, Score, contestant_of
from zermelo.policies.exploiting import Match, matches
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.common.spreading import InProcesses, Spread

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

PLAYS = 100
"""How many plays are played unless a number is asked for."""


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
    add_format(parser)


def run(options: Namespace) -> int:
    if options.seats:
        return _run_played(options)
    if not options.strategies:
        raise ZermeloError("bad-usage", "nobody takes part", "name FILEs of strategies, or contestants by --seat")
    if options.table is not None:
        raise ZermeloError("bad-usage", "--table needs --seat", "files alone are matched exactly, without a play")
    if options.cluster is not None:
        raise ZermeloError("bad-usage", "--cluster needs --seat", "files alone are matched exactly, without a play")
    if options.plays is not None:
        raise ZermeloError("bad-usage", "--plays needs --seat", "files alone are matched exactly, without a play")
    begin = state_of(options)
    game = begin.game
    limits = limits_of(options)
    with progress("looking at the game", "positions") as report, limits.enforce():
        found = matches(options.strategies, begin, limits, report)
    if options.format == "json":
        plays = [
            {"seats": each.seats, "value": by_player(game, each.value), "error": str(each.error)} for each in found
        ]
        print_json({**beginning_record(begin), "plays": plays})
        return 0
    print_beginning(begin)
    heads = [*game.titles, *(f"{player} gets" for player in game.titles)]
    print_table(heads, [[*each.seats, *(text_within(amount, each.error) for amount in each.value)] for each in found])
    if len(options.strategies) > 1:
        print()
        error = max(each.error for each in found)
        means = [(name, text_within(_mean(name, found), error)) for name in dict.fromkeys(options.strategies)]
        print_table(("strategies", "mean over all seats, against others"), means)
    return 0


def _mean(name: str, found: list[Match]) -> Fraction:
    """What a contestant gets on average in the matches against others."""
    brought = [
        each.value[seat]
        for each in found
        for seat, sitting in enumerate(each.seats)
        if sitting == name and set(each.seats) != {name}
    ]
    return sum(brought, Fraction(0)) / max(1, len(brought))


# A match that is played, by ``zermelo match --seat``.


def _run_played(options: Namespace) -> int:
    """Play the match, and print it; the exit code."""
    if options.strategies:
        raise ZermeloError("bad-usage", "there are files beside --seat", "--seat NAME=FILE lets a file take part")
    begin, limits = state_of(options), limits_of(options)
    game = begin.game
    kinds = _kinds(options.seats, game)
    rounds = -(-(options.plays or PLAYS) // len(kinds))
    with progress("playing", "plays", rounds * len(kinds)) as report:
        with limits.enforce():
            table = table_of_seats(options, game, kinds)
            made = {kind: contestant_of(kind, game, limits.memory, table) for kind in kinds}
        match = SampledMatch(begin, [made[kind] for kind in kinds], options.seed, opening=options.opening)
        with spread_of(options.cluster, options.jobs, InProcesses) as spread:
            code, stopped = _play(match, rounds, spread, limits, report)
    if options.format == "json":
        print_json({**beginning_record(begin), **_record(match, kinds, game, stopped)})
        return code
    print_beginning(begin)
    _print_scores(match.scores(), kinds, game)
    print()
    played, each = len(match.rounds), len(kinds)
    counted = f"{played * each:,}, in {played:,} round{'s'[: played != 1]} of {each}"
    facts = [
        ("plays", f"{counted}, in which everyone takes every seat once, with the same chance"),
        ("seed", str(options.seed)),
        ("interval", f"{float(LEVEL):.0%}, by Student's t over the rounds: an estimate, no proof"),
    ]
    print_facts(facts + ([("stopped", f"{stopped}, before play {played * each + 1:,}")] if stopped else []))
    return code


def _play(match: SampledMatch, rounds: int, spread: Spread, limits: Limits, report: Progress) -> tuple[int, str]:
    """Play rounds. Returns the exit code, and why the match was stopped, if that was after its first round."""
    try:
        with limits.enforce():
            match.play(rounds, spread, report)
    except KeyboardInterrupt:
        if not match.rounds:
            raise
        return INTERRUPTED, "by an interrupt"
    except LimitReached as reached:
        if reached.code != "out-of-time" or not match.rounds:
            raise
        return FOUND, limits.stopped_by_time
    return 0, ""


def _kinds(seats: Sequence[str], game: Game) -> list[str]:
    """The kind of contestant for each player.

    Raises ``ZermeloError``: ``bad-usage``, ``unknown-player``."""
    found: dict[str, str] = {}
    for text in seats:
        player, _, kind = text.partition("=")
        if not kind:
            *most, last = KINDS
            raise ZermeloError(
                "bad-usage", f"'{text}' is not NAME=KIND", f"KIND is {', '.join(most)}, {last}, or a FILE of strategies"
            )
        player = game.players[game.number(player)]
        if player in found:
            raise ZermeloError("bad-usage", f"{shown(player)} has two contestants", "--seat names one for each player")
        found[player] = kind
    for player in game.players:
        if player not in found:
            raise ZermeloError(
                "bad-usage", f"{player} has no contestant", f"--seat {player}=KIND names one; KIND may be random"
            )
    return [found[player] for player in game.players]


def _print_scores(scores: Sequence[Score], kinds: Sequence[str], game: Game) -> None:
    """A row for each contestant."""
    rows = [
        (kind, first, *map(approximation, score.seats), approximation(score.mean), _interval_text(score))
        for kind, first, score in zip(kinds, game.titles, scores, strict=True)
    ]
    print_table(("contestant", "begins as", *(f"as {player}" for player in game.titles), "mean", "interval"), rows)


def _interval_text(score: Score) -> str:
    if score.margin is None:
        return "none: no two rounds differ"
    middle = float(score.mean)
    return f"{middle - score.margin:.4g} to {middle + score.margin:.4g}"


def _record(match: SampledMatch, kinds: Sequence[str], game: Game, stopped: str) -> dict[str, Any]:
    """As JSON: means are exact numbers as text, and intervals decimals."""
    contestants = [
        {
            "contestant": kind,
            "begins_as": first,
            "mean": str(score.mean),
            "seats": by_player(game, score.seats),
            "interval": None
            if score.margin is None
            else [float(score.mean) - score.margin, float(score.mean) + score.margin],
        }
        for kind, first, score in zip(kinds, game.players, match.scores(), strict=True)
    ]
    return {
        "seed": match.seed,
        "rounds": len(match.rounds),
        "plays": len(match.rounds) * len(kinds),
        "level": float(LEVEL),
        "stopped": stopped or None,
        "contestants": contestants,
    }
