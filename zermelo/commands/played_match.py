"""A match that is played, by ``zermelo match --seat``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from zermelo.commands.game_options import beginning_record, game_of, print_beginning, state_of
from zermelo.commands.limit_options import limits_of
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interrupts import FOUND, INTERRUPTED
from zermelo.numbers import approximation, by_player
from zermelo.playing.contestants import KINDS, LEVEL, SampledMatch, Score, contestant_of
from zermelo.report.console import print_facts, print_json, print_table, progress
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress


def run_played(options: Namespace, plays: int) -> int:
    """Play the match, of so many ``plays`` unless a number is asked for, and print it; the exit code."""
    if options.strategies:
        raise ZermeloError("bad-usage", "there are files beside --seat", "--seat NAME=FILE lets a file take part")
    game = game_of(options)
    begin, limits = state_of(options, game), limits_of(options)
    kinds = _kinds(options.seats, game)
    rounds = -(-(options.plays or plays) // len(kinds))
    with progress("playing", "plays", rounds * len(kinds)) as report:
        with limits.kept():
            made = {kind: contestant_of(kind, game, limits.memory) for kind in kinds}
        match = SampledMatch(begin, [made[kind] for kind in kinds], options.seed)
        code, stopped = _play(match, rounds, options.jobs, limits, report)
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


def _play(match: SampledMatch, rounds: int, processes: int, limits: Limits, report: Progress) -> tuple[int, str]:
    """Play rounds; the exit code, and why the match has been stopped, if it has been after its first round."""
    try:
        with limits.kept():
            match.play(rounds, processes, report)
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
        game.number(player)
        if player in found:
            raise ZermeloError("bad-usage", f"{player} has two contestants", "--seat names one for each player")
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
        (kind, first, *map(approximation, score.seats), approximation(score.mean), _about(score))
        for kind, first, score in zip(kinds, game.players, scores, strict=True)
    ]
    print_table(("contestant", "begins as", *(f"as {player}" for player in game.players), "mean", "interval"), rows)


def _about(score: Score) -> str:
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
