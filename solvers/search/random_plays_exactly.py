"""Random plays, and what they come to on average.

Players choose among their legal moves with equal probability, chance draws with its own. The same seed gives the
same plays.

The kernel (:mod:`zermelo.solvers.kernels.plays`) draws in a way of its own, by lowered rules and without listing what
there is; over the interface of a machine a play is these few lines.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from attrs import define, frozen

from zermelo.grammar.deadline import Passed, within
from zermelo.interpreter.machine import CHANCE, END, Machine, Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

LONGEST = 100_000
"""A play that has not ended after so many moves is given up."""


@frozen
class RandomPlays:
    """``plays`` plays have come to their end, and ``unfinished`` have been given up. ``stopped`` says what ended it all
    before as many were made as were asked for, and is empty otherwise.

    ``mean_payoffs`` are exact means over the plays that ended, in the order of the players, and None where there is
    none. Lengths count moves and draws of chance in the plays that ended.
    """

    plays: int
    unfinished: int
    mean_payoffs: Payoff | None
    mean_length: Fraction | None
    shortest: int | None
    longest: int | None
    stopped: str = ""


@define(eq=False)
class Tally:
    """What plays come to, summed up."""

    payoffs: list[Fraction]
    plays: int = 0
    unfinished: int = 0
    moves: int = 0
    shortest: int | None = None
    longest: int | None = None

    def add(self, other: Tally) -> None:
        """Add other plays."""
        self.payoffs = [one + another for one, another in zip(self.payoffs, other.payoffs, strict=True)]
        self.plays += other.plays
        self.unfinished += other.unfinished
        self.moves += other.moves
        if other.shortest is not None and other.longest is not None:
            self.shortest = other.shortest if self.shortest is None else min(self.shortest, other.shortest)
            self.longest = other.longest if self.longest is None else max(self.longest, other.longest)

    def result(self, stopped: str) -> RandomPlays:
        """The means."""
        plays = self.plays
        return RandomPlays(
            plays=plays,
            unfinished=self.unfinished,
            mean_payoffs=tuple(total / plays for total in self.payoffs) if plays else None,
            mean_length=Fraction(self.moves, plays) if plays else None,
            shortest=self.shortest,
            longest=self.longest,
            stopped=stopped,
        )


def random_plays(
    machine: Machine[State],
    root: State,
    plays: int,
    seed: int,
    progress: Progress = ignore_progress,
    limits: Limits | None = None,
) -> RandomPlays:
    """Play at random from ``root`` on, ``plays`` times. ``progress`` is told after every play how many have been
    made."""
    random, limits = Random(seed), limits or Limits()
    tally = Tally([Fraction(0)] * len(machine.player_names))
    for k in range(plays):
        if limits.is_over:
            return tally.result(limits.stopped_by_time)
        try:
            with within(limits.left):
                payoff, length = random_play(machine, root, random)
        except Passed:
            return tally.result(limits.stopped_by_time)
        if payoff is None:
            tally.unfinished += 1
        else:
            tally.add(Tally(list(payoff), 1, 0, length, length, length))
        progress(k + 1)
    return tally.result("")


def random_play(machine: Machine[State], state: State, random: Random) -> tuple[Payoff | None, int]:
    """One random play from a state on: what it paid, None if it was given up, and its length."""
    for length in range(LONGEST):
        actor = machine.actor(state)
        if actor == END:
            return machine.payoff(state), length
        move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
        state = machine.after(state, move)
    return None, LONGEST
