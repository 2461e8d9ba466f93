"""Minimax.

What it computes: the value of a finite game of two players, constant sum and perfect information without chance.
Zermelo (1913) proved that such games have a value; von Neumann (1928) gave the rule; Shannon (1950) made it a program.
Russell and Norvig, "Artificial Intelligence: A Modern Approach", ch. "Adversarial search", has this form.

The value of a state is what the first player gets from there on if both play best: at the end their payoff; if they
are to move, the greatest value of the successors; if the opponent is, the least. With constant sum the opponent gets
the rest.

Searched to a depth, a state at the horizon is worth its estimate: Shannon's f(P). A state whose value is known
(:mod:`.endgames`) is searched no further.

The host reads the values of the first moves (``values``); the best moves are those with the value of the root.

Cost: every state of the tree is visited once, O(b^m) for b moves and plays of length m; memory O(b m).
Invariant: what a call returns does not depend on the path that led to its state, apart from what was earned on it.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    LISTED,
    MOVES,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    after,
    array,
    bits,
    first_untried,
    ints,
    left_untried,
    untried,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.endgames import Endgames, is_known
from zermelo.solvers.kernels.ends import goes_beyond, known_worth
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back


class Search:
    """A search in progress, the values of the first moves that have been ``tried``, and its depth in plies. Counts go
    on from one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    endgames: Endgames
    values: ints[MOVES]
    tried: int
    value: int
    plies: int
    depth: int
    nodes: int
    terminals: int
    lookups: int
    estimates: int


def minimax(search: Search, state: State) -> Visit[int]:
    """What the first player gets from a state on if both play best."""
    search.nodes += 1
    if not goes_beyond(search.rules, search.endgames, state, search.plies - search.depth, search.depth):
        if actor(state) == END:
            search.terminals += 1
        elif is_known(search.endgames, state):
            search.lookups += 1
        else:
            search.estimates += 1
        return known_worth(search.rules, search.endgames, state, 0)
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    best: int = -INFINITE if actor(state) == 0 else INFINITE
    listed = array(LISTED)
    rest: bits = untried(search.rules, state, listed)
    while rest != 0:
        move: int = first_untried(search.rules, state, rest, listed)
        value = yield minimax(search, after(search.rules, state, move))
        best = max(best, value) if actor(state) == 0 else min(best, value)
        if search.depth == 0:
            search.values[search.tried] = value
            search.tried += 1
        rest = left_untried(rest, move)
    go_back(search.watch, search.depth)
    return best


def start(search: Search) -> None:
    """Nothing has been searched."""
    forget(search.watch)
    search.depth, search.tried = 0, 0
