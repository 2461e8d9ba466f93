"""Random plays of a game: by threads of this process, or by the workers of a cluster, with the same result."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from zermelo.game import State
from zermelo.interpreter.machine import Machine, Payoff
from zermelo.machines import cores, name_of
from zermelo.numbers import by_player
from zermelo.results import UNASKED, GameRows, Provenance
from zermelo.solvers.common.limits import LimitReached, Limits, Progress, ignore_progress
from zermelo.solvers.search.random_plays import RandomPlays, play_at_random, random_plays
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.report.console import Watch
    from zermelo.solvers.common.spreading import Spread

_PARTS: Final = 512
"""So many parts are made of the plays for the workers of a cluster, at least, if there are so many."""

_MOST_PLAYS: Final = 1 << 16
"""The most plays of such a part."""


@frozen(repr=False)
class PlaysAtRandom(GameRows):
    """What random plays came to, from :func:`zermelo.random_plays`. So many ``plays`` have ended, with these
    ``mean_payoffs``, in the order of the players, and ``mean_length``, both exact, None if there are none; the
    ``shortest`` and the ``longest`` of them, in moves. ``unfinished`` ones were given up. ``stopped`` says what stopped
    them before all were made; it is empty if nothing did. ``machine`` made them: others draw in other ways."""

    begin: State = field(eq=False)
    plays: int
    unfinished: int
    mean_payoffs: Payoff | None
    mean_length: Fraction | None
    shortest: int | None
    longest: int | None
    stopped: str
    machine: str
    seed: int
    provenance: Provenance = UNASKED

    def __repr__(self) -> str:
        return f"<{self.plays:,} random plays of '{self.game.name}', seed {self.seed}>"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each player."""
        means = self.mean_payoffs or [None] * len(self.game.players)
        return [{"player": player, "mean payoff": mean} for player, mean in zip(self.game.players, means, strict=True)]

    def record(self) -> dict[str, Any]:
        return {
            **self._head(),
            "machine": self.machine,
            "seed": self.seed,
            "plays": self.plays,
            "unfinished": self.unfinished,
            "mean_payoffs": None if self.mean_payoffs is None else by_player(self.game, self.mean_payoffs),
            "mean_length": None if self.mean_length is None else str(self.mean_length),
            "shortest": self.shortest,
            "longest": self.longest,
            "stopped": self.stopped or None,
        }


def make_random_plays(
    begin: State, plays: int, seed: int, threads: int | None, cluster: str | None, limits: Limits, watch: Watch
) -> PlaysAtRandom:
    """So many random plays from a state on. Raises ``ZermeloError`` as :func:`zermelo.random_plays` does."""
    with watch("playing", "plays", plays) as report:
        if cluster is None:
            with limits.enforce():
                made = _play(begin, seed, limits, report, threads or cores(), range(plays))
        else:
            from zermelo.solvers.common.cluster import spread_on_cluster  # which few need

            with spread_on_cluster(threads, cluster) as spread:
                made = spread_plays(begin, plays, seed, limits, report, spread)
    return PlaysAtRandom(
        begin,
        made.plays,
        made.unfinished,
        made.mean_payoffs,
        made.mean_length,
        made.shortest,
        made.longest,
        made.stopped,
        name_of(begin.game.searching),
        seed,
    )


def _play(
    begin: State, seed: int, limits: Limits, report: Progress, threads: int, numbers: range, by_kernel: bool = True
) -> RandomPlays:
    """The plays of some numbers."""

    def play(machine: Machine[Any]) -> RandomPlays:
        root, count, first = on_machine(begin, machine), len(numbers), numbers.start
        if not by_kernel:
            return random_plays(machine, root, count, seed, report, limits, first)
        return play_at_random(machine, root, count, seed, report, limits, threads, first)

    return search(begin.game, play)


def spread_plays(
    begin: State, plays: int, seed: int, limits: Limits, report: Progress, spread: Spread, by_kernel: bool = True
) -> RandomPlays:
    """Random plays, the same as in one process."""
    firsts = range(0, plays, max(1, min(_MOST_PLAYS, plays // _PARTS)))
    work = partial(_play_part, begin, seed, by_kernel, plays, firsts.step)
    whole, ways = RandomPlays([Fraction(0)] * len(begin.game.players)), set[bool]()
    try:
        with limits.enforce():
            for _, part in spread.map(work, firsts):
                whole.add(part)
                ways.add(part.by_kernel)
                report(whole.plays + whole.unfinished)
    except LimitReached as reached:
        if reached.code != "out-of-time":
            raise
        whole.stopped = limits.stopped_by_time
    if len(ways) > 1:  # some came to a native limit, after which one process would have made all plays without kernels
        return spread_plays(begin, plays, seed, limits, report, spread, by_kernel=False)
    return whole


def _play_part(begin: State, seed: int, by_kernel: bool, plays: int, size: int, first: int) -> RandomPlays:
    """Some of the plays, so many from the first one on."""
    numbers = range(first, min(first + size, plays))
    return _play(begin, seed, Limits(), ignore_progress, 1, numbers, by_kernel)
