"""Matches that are played: contestants against each other, in all seats, in several processes.

A round has as many plays as the game has players. From play to play the contestants move up by one seat, so that in a
round everyone takes every seat once. All plays of a round have the same chance: the k-th draw of each takes its random
numbers from one seed. Where all draws come before the first move, all plays of a round have the same deal, and who was
lucky in one seat sat in the others, too; so the result of a contestant, the mean over a round, varies less.
Rounds are independent, and all that is random in one depends on the seed and its number, so the result is the same for
any number of processes, and that of the first n rounds does not depend on how many follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection, wait
from random import Random
from sys import platform
from typing import Final

from attrs import define, field, frozen

from zermelo.game import CHANCE, State
from zermelo.grammar.deadline import lift, look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.playing.confidence import interval
from zermelo.playing.contestants import Contestant
from zermelo.solvers.common.apart import start_deaf
from zermelo.solvers.common.progress import Progress

LONGEST: Final = 5_000
"""The most moves and draws of a play; one that is longer is taken to have no end."""

_EXACT: Final = "`zermelo match GAME FILE FILE` reckons with plays that never end, without playing them"

_MOMENT: Final = 0.2
"""After how many seconds of waiting the deadline is looked at."""

Round = tuple[Payoff, ...]
"""The payoffs of the players in each play of a round."""


@frozen
class Score:
    """What a contestant got: the mean in each seat, the mean of all, and the half width of its confidence interval
    (:mod:`zermelo.playing.confidence`), None if there is none."""

    seats: tuple[Fraction, ...]
    mean: Fraction
    margin: float | None


@frozen
class _Refusal:
    """An error of another process; exceptions with several arguments do not pass between processes."""

    code: str
    message: str
    help: str


@define
class SampledMatch:
    """A match of as many contestants as there are players; contestant c begins in seat c. ``rounds`` are the first ones
    that have been played."""

    begin: State
    contestants: Sequence[Contestant]
    seed: int
    rounds: list[Round] = field(factory=list)

    def play(self, rounds: int, processes: int, report: Progress) -> None:
        """Play so many rounds. If this is interrupted, the ``rounds`` before the first one that is missing are kept.

        Raises ``ZermeloError``: ``needs-end``, and what contestants raise."""
        waiting: dict[int, Round] = {}
        for finished, (number, played) in enumerate(self._played(rounds, processes), 1):
            waiting[number] = played
            while len(self.rounds) in waiting:
                self.rounds.append(waiting.pop(len(self.rounds)))
            report(finished * len(self.contestants))
            look()

    def scores(self) -> list[Score]:
        """Those of the contestants, after one round at least."""
        count, players = len(self.rounds), len(self.contestants)
        found = []
        for contestant in range(players):
            got = [[played[k][(contestant + k) % players] for k in range(players)] for played in self.rounds]
            seats = tuple(
                sum((Fraction(each[(seat - contestant) % players]) for each in got), Fraction(0)) / count
                for seat in range(players)
            )
            means = [Fraction(sum(each, Fraction(0)), players) for each in got]
            about = interval(means)
            found.append(Score(seats, sum(means, Fraction(0)) / count, None if about is None else about[1]))
        return found

    def _played(self, rounds: int, processes: int) -> Iterator[tuple[int, Round]]:
        """Rounds with their numbers, as they end."""
        processes = min(processes, rounds)
        if processes == 1 or "fork" not in get_all_start_methods() or platform == "darwin":
            yield from ((number, self._round(number)) for number in range(rounds))
            return
        context = get_context("fork")
        running, open_ends = [], []
        try:
            for first in range(processes):
                here, there = context.Pipe(duplex=False)
                open_ends.append(here)
                process = context.Process(target=self._send, args=(there, range(first, rounds, processes)))
                start_deaf(process)
                running.append(process)
                there.close()
            left = rounds
            while left:
                look()
                for ready in wait(open_ends, _MOMENT):
                    assert isinstance(ready, Connection), "only these are waited for"
                    try:
                        received = ready.recv()
                    except EOFError:  # it has sent all, or has been ended by the system
                        open_ends.remove(ready)
                        ready.close()
                        continue
                    if isinstance(received, _Refusal):
                        raise ZermeloError(received.code, received.message, received.help)
                    left -= 1
                    yield received
                if left and not open_ends:
                    raise ZermeloError(
                        "out-of-memory", "a process of the match has ended early", "--jobs 1 needs the least memory"
                    )
        finally:
            for process in running:
                process.kill()
                process.join()

    def _send(self, there: Connection, numbers: range) -> None:
        """The work of a process: its rounds, or the first error. The deadline is that of the process that waits."""
        lift()
        try:
            for number in numbers:
                there.send((number, self._round(number)))
        except ZermeloError as error:
            there.send(_Refusal(error.code, error.message, error.help))

    def _round(self, number: int) -> Round:
        """The plays of a round."""
        players = len(self.contestants)
        return tuple(self._payoff(number, moved_by) for moved_by in range(players))

    def _payoff(self, number: int, moved_by: int) -> Payoff:
        """The payoffs of a play in which contestant c sits in seat c + ``moved_by``."""
        state, players, draws = self.begin, self.begin.game.players, 0
        randoms = [Random(f"{self.seed} {number} {moved_by} {seat}") for seat in range(len(players))]
        for _ in range(LONGEST):
            if state.payoff is not None:
                return state.payoff
            actor = state.actor
            if actor == CHANCE:
                move = state.draw(Random(f"{self.seed} {number} chance {draws}"))
                draws += 1
            elif len(state.moves) == 1:
                (move,) = state.moves
            else:
                seat = players.index(actor or "")
                move = self.contestants[seat - moved_by](state, randoms[seat])
            state = state.after(move)
        raise ZermeloError("needs-end", f"a play of the match has more than {LONGEST:,} moves and draws", _EXACT)
