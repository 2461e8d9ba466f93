"""Random plays: every move equally likely, chance by its weights.

A move is drawn without a list of all (``sample``), and the draw itself finds out whether a decision offers anything
(``hurry``, ``leave``). Plays are numbered, and each has a random generator of its own, so that it does not depend on
the thread or on other plays.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    Random,
    State,
    actor,
    copy,
    hurry,
    ints,
    leave,
    mix,
    payoff,
    sample,
)
from zermelo.solvers.kernels.answers import BEYOND

LARGEST = 1 << 40
"""The bound on absolute values of payoffs: their sum over the plays made at once does not overflow."""


class Series:
    """A series of plays: the state in which they begin, the seed, the number of the next one, the most moves of a play,
    and the state of the current one. Then the results: the moves made, the number of unfinished plays, and of finished
    ones the shortest and the longest length and the sums of payoffs."""

    rules: Context
    root: State
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
    """Play up to the play with number ``end``, or until ``budget`` moves have been made. The answer is negative if a
    payoff is too large."""
    left: int = budget
    while left > 0 and series.number < end:
        seed(series)
        copy(series.state, series.root, STATE)
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
    """Play on for at most ``limit`` moves; how many there were."""
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
    """Seed the random generator of the next play."""
    series.random[0] = mix(mix(mix(series.seed, 40503), series.number), 668265263) & ((1 << 53) - 1)


def count_play(series: Series, length: int) -> bool:
    """Count a finished play, if its payoffs can be summed."""
    for p in range(PLAYERS):
        paid: int = payoff(series.state, p)
        if paid > LARGEST or paid < -LARGEST:
            return False
        series.payoffs[p] += paid
    series.shortest = min(series.shortest, length)
    series.longest = max(series.longest, length)
    return True
