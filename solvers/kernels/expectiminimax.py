"""Expectiminimax.

What it computes: the value of a finite game of two players, constant sum and perfect information, with or without
chance. Source: Michie, "Game-playing and game-learning automata" (1966), who called the value of a chance node its
expectation; the name is Russell and Norvig's.

As in minimax, the value of a state is what the first player gets if both play best; where chance draws, it is the mean
of the successors' values, weighted by their probabilities. Means are fractions, and exact: while outcomes are drawn the
value is the sum so far; when all have been, it is divided, once, by the sum of the weights.

Searched to a depth, a state at the horizon is worth its estimate; a draw is a ply, too. Nothing is pruned before: that
takes bounds on the payoffs, and :mod:`.star`.

The host reads the values of the first moves (``values``); the best moves are those with the value of the root.

Cost: every state of the tree is visited once, O(b^m n^d) for d draws of n outcomes on a play; memory O((b + n) m).
Invariant: only the order of values counts for minimax, but here their size does: a transformation of the payoffs
keeps the best moves only if it is linear and increasing.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    Array,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    after,
    array,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.endgames import Endgames, is_known
from zermelo.solvers.kernels.ends import goes_beyond, known_worth
from zermelo.solvers.kernels.fractions import Fraction, add, divide, is_less, put, put_whole
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import list_next, sum_of


class Search:
    """A search in progress, the values of the first moves that have been ``tried``, and its depth in plies. Counts go
    on from one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    endgames: Endgames
    values: Array[Fraction, MOVES]
    tried: int
    value: Fraction
    plies: int
    depth: int
    nodes: int
    terminals: int
    lookups: int
    estimates: int


def expectiminimax(search: Search, state: State) -> Visit[Fraction]:
    """What the first player can expect from a state on if both play best."""
    search.nodes += 1
    value = Fraction()
    if not goes_beyond(search.rules, search.endgames, state, search.plies - search.depth, search.depth):
        if actor(state) == END:
            search.terminals += 1
        elif is_known(search.endgames, state):
            search.lookups += 1
        else:
            search.estimates += 1
        put_whole(value, known_worth(search.rules, search.endgames, state, 0))
        return value
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    legal = array(MOVES)
    weights = array(MOVES)
    count: int = list_next(search.rules, state, legal, weights)
    if actor(state) == CHANCE:
        put_whole(value, 0)
        for k in range(count):
            found = yield expectiminimax(search, after(search.rules, state, legal[k]))
            add(search.rules, value, weights[k], found)
        divide(search.rules, value, sum_of(weights, count))
    else:
        for k in range(count):
            found = yield expectiminimax(search, after(search.rules, state, legal[k]))
            if k == 0 or (is_less(value, found) if actor(state) == 0 else is_less(found, value)):
                put(value, found)
            if search.depth == 0:
                put(search.values[k], found)
                search.tried = k + 1
    go_back(search.watch, search.depth)
    return value


def start(search: Search) -> None:
    """Nothing has been searched."""
    forget(search.watch)
    search.depth, search.tried = 0, 0
