"""Matches that are played: who takes part, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.names import shown
from zermelo.machines import spread_of
from zermelo.numbers import by_player
from zermelo.playing.contestants import SampledMatch, Score, contestant_of, helping_table
from zermelo.playing.intervals import LEVEL
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.spreading import InProcesses

if TYPE_CHECKING:
    from os import PathLike

    from zermelo.report.console import Watch
    from zermelo.tables import Table

PLAYS: Final = 100
"""How many plays are played unless a number is asked for."""


@frozen(repr=False)
class PlayedMatch(GameRows):
    """What contestants got in so many ``rounds``, in which everyone took every seat once, from :func:`zermelo.match`:
    a score for each of the ``contestants``, in the order of the players in whose seats they began. ``stopped`` says
    what ended the match before all rounds had been played, and is empty if nothing did; ``is_interrupted``, that it
    was an interrupt."""

    begin: State = field(eq=False)
    contestants: tuple[str, ...]
    scores: tuple[Score, ...]
    rounds: int
    seed: int
    stopped: str = ""
    is_interrupted: bool = False
    provenance: Provenance = UNASKED

    @property
    def plays(self) -> int:
        """How many plays have been played."""
        return self.rounds * len(self.contestants)

    def __repr__(self) -> str:
        return f"<match of {len(self.contestants)} contestants in '{self.game.name}': {self.plays:,} plays>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each contestant: the mean payoff in each seat, the mean of all, and the ends of its interval of
        confidence, None if there is none."""
        players = self.game.players
        return [
            {
                "contestant": kind,
                "begins as": first,
                **{f"as {player}": mean for player, mean in zip(players, score.seats, strict=True)},
                "mean": score.mean,
                "low": None if (between := score.interval) is None else between[0],
                "high": None if between is None else between[1],
            }
            for kind, first, score in zip(self.contestants, players, self.scores, strict=True)
        ]

    def record(self) -> dict[str, Any]:
        contestants = [
            {
                "contestant": kind,
                "begins_as": first,
                "mean": str(score.mean),
                "seats": by_player(self.game, score.seats),
                "interval": None if score.interval is None else list(score.interval),
            }
            for kind, first, score in zip(self.contestants, self.game.players, self.scores, strict=True)
        ]
        return {
            **self._head(),
            "seed": self.seed,
            "rounds": self.rounds,
            "plays": self.plays,
            "level": float(LEVEL),
            "stopped": self.stopped or None,
            "contestants": contestants,
        }


def play_match(
    begin: State,
    seats: Mapping[str, str],
    plays: int | None,
    seed: int,
    opening: int,
    jobs: int | None,
    cluster: str | None,
    table: Table | str | PathLike[str] | None,
    limits: Limits,
    watch: Watch,
) -> PlayedMatch:
    """A match of the contestants that begin in the ``seats`` of the players. Raises ``ZermeloError`` as
    :func:`zermelo.match` does."""
    game = begin.game
    kinds = kinds_of(seats, game)
    rounds = -(-(plays or PLAYS) // len(kinds))
    with watch("playing", "plays", rounds * len(kinds)) as report:
        with limits.enforce():
            helping = helping_table(table, kinds, game)
            made = {kind: contestant_of(kind, game, limits.memory, helping) for kind in kinds}
        match = SampledMatch(begin, [made[kind] for kind in kinds], seed, opening=opening)
        stopped, is_interrupted = "", False
        with spread_of(cluster, jobs, InProcesses) as spread:
            try:
                with limits.enforce():
                    match.play(rounds, spread, report)
            except KeyboardInterrupt:
                if not match.rounds:
                    raise
                stopped, is_interrupted = "by an interrupt", True
            except LimitReached as reached:
                if reached.code != "out-of-time" or not match.rounds:
                    raise
                stopped = limits.stopped_by_time
    scores = tuple(match.scores())
    return PlayedMatch(begin, tuple(kinds), scores, len(match.rounds), seed, stopped, is_interrupted)


def kinds_of(seats: Mapping[str, str], game: Game) -> list[str]:
    """The kind of contestant for each player. Raises ``ZermeloError``: ``bad-usage``, ``unknown-player``."""
    found: dict[str, str] = {}
    for name, kind in seats.items():
        player = game.players[game.number(name)]
        if player in found:
            raise two_contestants(player)
        found[player] = kind
    for player in game.players:
        if player not in found:
            raise ZermeloError(
                "bad-usage", f"{player} has no contestant", f"--seat {player}=KIND names one; KIND may be random"
            )
    return [found[player] for player in game.players]


def two_contestants(player: str) -> ZermeloError:
    """The error of a player for whom two contestants are named."""
    return ZermeloError("bad-usage", f"{shown(player)} has two contestants", "--seat names one for each player")
