"""Random plays: every move equally likely, chance by its weights.

A move is drawn without making the list of all (``sample``), and whether a decision offers anything is found out by the
draw itself (``hurry``, ``leave``). Plays are numbered, and each has a random generator of its own, so that it is the
same whoever makes it, and after whatever others.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    PLAYERS,
    Context,
    Random,
    State,
    actor,
    begin,
    hurry,
    ints,
    leave,
    mix,
    payoff,
    sample,
)
from zermelo.solvers.kernels.answers import BEYOND

LARGEST = 1 << 40
"""The largest payoff, in either direction, that can be summed for as many plays as are made at once."""


class Series:
    """Plays one after another: their seed, the number of the next one, after how many moves one is given up, and the
    state of the present one. Then what they come to: the moves made, how many plays were given up, and of those that
    ended the lengths of the shortest and the longest, and the sums of what they paid."""

    rules: Context
    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    random: Random
    seed: int
    number: int
    limit: int
    moves: int
    given_up: int
    shortest: int
    longest: int
    payoffs: ints[PLAYERS]


def go_on(series: Series, end: int, budget: int) -> int:
    """Play up to the play with number ``end``, or till so many moves have been made. The answer is negative where a
    payoff is too large."""
    left: int = budget
    while left > 0 and series.number < end:
        seed(series)
        length: int = play(series.rules, series.state, series.legal, series.weights, series.random, series.limit)
        if series.rules[0] != 0:
            return 0
        left -= length + 1
        series.moves += length
        if actor(series.state) != END:
            series.given_up += 1
        elif not count_play(series, length):
            return BEYOND
        series.number += 1
    return 0


def play(rules: Context, state: State, legal: ints[MOVES], weights: ints[MOVES], random: Random, limit: int) -> int:
    """Make a play, of so many moves at most; how many it takes."""
    begin(rules, state)
    length: int = 0
    steps: int = 0
    while actor(state) != END and length < limit and rules[0] == 0:
        move: int = sample(rules, state, legal, weights, random)
        if rules[0] != 0:
            break
        if move >= 0:
            steps = hurry(rules, state, move)
            length += 1
        else:
            leave(rules, state, steps)
    return length


def seed(series: Series) -> None:
    """Give the next play its random generator."""
    series.random[0] = mix(mix(mix(series.seed, 40503), series.number), 668265263) & ((1 << 53) - 1)


def count_play(series: Series, length: int) -> bool:
    """Count a play that has ended, if its payoffs can be summed."""
    for p in range(PLAYERS):
        paid: int = payoff(series.state, p)
        if paid > LARGEST or paid < -LARGEST:
            return False
        series.payoffs[p] += paid
    series.shortest = min(series.shortest, length)
    series.longest = max(series.longest, length)
    return True
