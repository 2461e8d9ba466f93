"""Random plays, and what they come to on average.

Every player chooses among his legal moves with equal probability, chance draws with its own. The same seed gives the
same plays.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from attrs import frozen

from interpreter.machine import CHANCE, END, Machine, Payoff, State

LONGEST = 100_000
"""A play that has not ended after so many moves is given up."""


@frozen
class RandomPlays:
    """``plays`` plays have come to their end, and ``unfinished`` have been given up.

    ``mean_payoffs`` are exact means over the plays that ended, in the order of the players, and None where there is
    none. Lengths count moves and draws of chance in the plays that ended.
    """

    plays: int
    unfinished: int
    mean_payoffs: Payoff | None
    mean_length: Fraction | None
    shortest: int | None
    longest: int | None


def random_plays(
    machine: Machine[State], plays: int, seed: int, progress: Callable[[int], None] | None = None
) -> RandomPlays:
    """Play at random, ``plays`` times. ``progress`` is called after every play with the number of plays so far."""
    random = Random(seed)
    totals = [Fraction(0)] * len(machine.player_names)
    lengths: list[int] = []
    for k in range(plays):
        payoff, length = random_play(machine, random)
        if payoff is not None:
            lengths.append(length)
            totals = [total + amount for total, amount in zip(totals, payoff, strict=True)]
        if progress is not None:
            progress(k + 1)
    return RandomPlays(
        plays=len(lengths),
        unfinished=plays - len(lengths),
        mean_payoffs=tuple(total / len(lengths) for total in totals) if lengths else None,
        mean_length=Fraction(sum(lengths), len(lengths)) if lengths else None,
        shortest=min(lengths, default=None),
        longest=max(lengths, default=None),
    )


def random_play(machine: Machine[State], random: Random) -> tuple[Payoff | None, int]:
    """One random play: what it paid, None if it was given up, and its length."""
    state = machine.initial()
    for length in range(LONGEST):
        actor = machine.actor(state)
        if actor == END:
            return machine.payoff(state), length
        move = machine.draw(state, random) if actor == CHANCE else random.choice(machine.moves(state))
        state = machine.after(state, move)
    return None, LONGEST
