"""Traces: what a random play meets, digested, to be compared with the trace of another game.

Of every position of a play it is digested who acts, how many moves they have or the weights of the outcomes, what has
been earned, and at the end what is paid. Names are not: the next move is drawn by its place among all moves. So games
whose traces are equal for the same seed have been played alike, as far as these numbers tell, and where the traces are
not equal the games most likely differ. Whether they do is for the host to find out from the moves themselves.

A rule that fails ends the play, and is digested like an end; so is a decision with more moves than the lists hold.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    Random,
    State,
    actor,
    apply,
    copy,
    drawn,
    earned,
    ints,
    mix,
    payoff,
)
from zermelo.solvers.kernels.states import drawn_by, list_next

FAILED = 1 << 50
"""What is digested where a rule fails."""


class Tracing:
    """The ``number`` of the next play, from which its random generator is seeded, and the most moves of a play
    (``limit``); then the moves ``made`` in the last one, the number of those in all plays of a call, and the plays'
    ``digests``."""

    rules: Context
    root: State
    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    random: Random
    number: int
    limit: int
    length: int
    moves: int
    made: list[int]
    digests: list[int]


def go_on(tracing: Tracing, end: int, budget: int) -> int:
    """Make the plays up to number ``end``, or until ``budget`` moves have been made; how many
    plays there were. A play counts as one move more than it has."""
    plays: int = 0
    tracing.moves = 0
    while tracing.moves < budget and tracing.number < end:
        tracing.random[0] = mix(mix(tracing.number, 40503), 668265263) & ((1 << 53) - 1)
        copy(tracing.state, tracing.root, STATE)
        tracing.digests[plays] = trace(tracing)
        tracing.moves += tracing.length + 1
        tracing.number += 1
        plays += 1
    return plays


def trace(tracing: Tracing) -> int:
    """The digest of one play."""
    digest: int = 0
    tracing.length = 0
    is_over: bool = False
    while not is_over:
        count: int = list_next(tracing.rules, tracing.state, tracing.legal, tracing.weights)
        if tracing.rules[0] == 0:
            digest = met(tracing, mix(digest, count), count)
            is_over = count == 0 or tracing.length == tracing.limit
            if not is_over:
                move: int = tracing.legal[chosen(tracing, count)]
                tracing.made[tracing.length] = move
                tracing.length += 1
                apply(tracing.rules, tracing.state, move)
        if tracing.rules[0] != 0:
            tracing.rules[0] = 0
            return mix(digest, FAILED)
    return digest


def met(tracing: Tracing, digest: int, count: int) -> int:
    """A digest, and the position that the play has come to, with so many moves or outcomes."""
    acting: int = actor(tracing.state)
    mixed: int = mix(digest, acting)
    for p in range(PLAYERS):
        mixed = mix(mixed, payoff(tracing.state, p) if acting == END else earned(tracing.state, p))
    if acting == CHANCE:
        for k in range(count):
            mixed = mix(mixed, tracing.weights[k])
    return mixed


def chosen(tracing: Tracing, count: int) -> int:
    """The place of the next move: all are equally likely, and outcomes have their weights."""
    if actor(tracing.state) != CHANCE:
        return drawn(tracing.random, count)
    return drawn_by(tracing.random, tracing.weights, count)
