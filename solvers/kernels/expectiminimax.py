"""Expectiminimax: what a game of two players is worth in which chance has a hand (Michie 1966).

As in :mod:`.minimax`, a position is worth the best of what its moves lead to, for the first player or the second; and
where chance draws, the mean of what its outcomes lead to, weighted::

    value(state) = worth(state)                                           at the end, and at the horizon
                   max, or min, of value(after each move)                 where a player moves
                   sum of weight * value(after each outcome) / total      where chance draws

Means are fractions, and exact. While outcomes are drawn the value of a position is the sum so far; when all have been,
it is divided, once, by the sum of the weights.

The recursion is a path in an array, so that it can pause anywhere. :mod:`zermelo.solvers.search.expectiminimax` says
the same in Python, and counts the same.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    STATE,
    Array,
    Context,
    State,
    actor,
    apply,
    copy,
    ints,
)
from zermelo.solvers.kernels.answers import BEYOND, COMES_BACK, DONE
from zermelo.solvers.kernels.fractions import Arithmetic, Fraction, add, divide, is_less, put, put_whole
from zermelo.solvers.kernels.horizon import goes_on, worth
from zermelo.solvers.kernels.offers import list_next, sum_of
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back


class Ply:
    """A position on the path: its moves, or the outcomes of a draw with their weights and the ``total`` of these, else
    0; how many of them have been tried; and their best value, or sum, so far, as the first player sees it."""

    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    count: int
    tried: int
    total: int
    value: Fraction


class Search:
    """A search under way, the values of the first moves, and how many plies ahead of its root it looks. Counts go on
    from one search to the next."""

    rules: Context
    path: list[Ply]
    watch: Watch
    firsts: Array[Fraction, MOVES]
    arithmetic: Arithmetic
    plies: int
    depth: int
    nodes: int
    terminals: int
    estimates: int


def start(search: Search) -> None:
    """Put the search at its root, the first state of the path."""
    forget(search.watch)
    search.depth = 0
    if not enter(search, search.path[0], search.plies):
        comes_back(search.watch, search.path[0].state, 0)


def go_on(search: Search, budget: int) -> int:
    """Make so many moves more; the depth that the search has come to, or one of the answers."""
    left: int = budget
    while left > 0:
        ply = search.path[search.depth]
        if ply.tried < ply.count:
            left -= 1
            there = search.path[search.depth + 1]
            copy(there.state, ply.state, STATE)
            apply(search.rules, there.state, ply.legal[ply.tried])
            ply.tried += 1
            if enter(search, there, search.plies - search.depth - 1):
                take(search, ply, there.value)
            elif comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            else:
                search.depth += 1
                if search.depth + 2 >= len(search.path):
                    left = 0
        else:
            if ply.total > 0:
                divide(ply.value, ply.total, search.arithmetic)
            if search.depth == 0:
                return DONE if search.arithmetic.overflows == 0 else BEYOND
            go_back(search.watch, search.depth)
            search.depth -= 1
            take(search, search.path[search.depth], ply.value)
        if search.arithmetic.overflows != 0:
            return BEYOND
        if search.rules[0] != 0:
            left = 0
    return search.depth


def enter(search: Search, ply: Ply, plies: int) -> bool:
    """Come to a position with so many plies left. Whether its value is known at once."""
    search.nodes += 1
    ply.count, ply.tried, ply.total = 0, 0, 0
    put_whole(ply.value, 0)
    if goes_on(search.rules, ply.state, plies):
        ply.count = list_next(search.rules, ply.state, ply.legal, ply.weights)
        if actor(ply.state) == CHANCE:
            ply.total = sum_of(ply.weights, ply.count)
        return False
    if actor(ply.state) == END:
        search.terminals += 1
    else:
        search.estimates += 1
    put_whole(ply.value, worth(search.rules, ply.state, 0, search.arithmetic))
    return True


def take(search: Search, ply: Ply, value: Fraction) -> None:
    """What was tried last in a position leads to this value."""
    if search.depth == 0:
        put(search.firsts[ply.tried - 1], value)
    if ply.total > 0:
        add(ply.value, ply.weights[ply.tried - 1], value, search.arithmetic)
    elif ply.tried == 1 or (is_less(ply.value, value) if actor(ply.state) == 0 else is_less(value, ply.value)):
        put(ply.value, value)
