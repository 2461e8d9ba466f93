"""Minimax: what a position is worth if both players do their best.

At the end of a play the rules say what it is worth. Before, a position is worth what the best of its moves leads to:
most for the first player where he moves, least where the other does. So the whole tree has to be walked, depth first,
and all that has to be kept of it is the path to the present position, with the best value found so far at each step::

    value(state) = payoff(state)                              at the end
                   max, or min, of value(after each move)     before

This is that recursion with the path in an array, so that it can pause anywhere: it makes ``budget`` moves and comes
back. :mod:`zermelo.solvers.search.minimax` says the same in Python, and counts the same.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    STATE,
    Context,
    State,
    actor,
    apply,
    copy,
    ints,
    moves,
    payoff,
)
from zermelo.solvers.kernels.answers import COMES_BACK, DONE
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back


class Ply:
    """A position on the path, its moves and how many of them have been tried, and the best value that one has led to,
    as the first player sees it."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    best: int


class Search:
    """A search under way: the path, how deep it is, and the values of the first moves."""

    rules: Context
    path: list[Ply]
    watch: Watch
    values: ints[MOVES]
    depth: int
    nodes: int
    terminals: int


def start(search: Search) -> None:
    """Put the search at its root, the first state of the path."""
    forget(search.watch)
    search.depth, search.nodes, search.terminals = 0, 1, 0
    root = search.path[0]
    if actor(root.state) == END:
        search.terminals = 1
        root.count, root.tried, root.best = 0, 0, payoff(root.state, 0)
    else:
        comes_back(search.watch, root.state, 0)
        enter(search, root)


def go_on(search: Search, budget: int) -> int:
    """Make so many moves more; the depth that the search has come to, or one of the answers."""
    left: int = budget
    while left > 0:
        ply = search.path[search.depth]
        if ply.tried < ply.count:
            there = search.path[search.depth + 1]
            copy(there.state, ply.state, STATE)
            apply(search.rules, there.state, ply.legal[ply.tried])
            ply.tried += 1
            search.nodes += 1
            left -= 1
            if actor(there.state) == END:
                search.terminals += 1
                take(search, payoff(there.state, 0))
            elif comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            else:
                enter(search, there)
                search.depth += 1
                if search.depth + 2 >= len(search.path):
                    left = 0
            if search.rules[0] != 0:
                left = 0
        elif search.depth > 0:
            go_back(search.watch, search.depth)
            search.depth -= 1
            take(search, ply.best)
        else:
            return DONE
    return search.depth


def enter(search: Search, ply: Ply) -> None:
    """A new position, of which no move has been tried: all of them will be better than nothing."""
    ply.count, ply.tried = moves(search.rules, ply.state, ply.legal), 0
    ply.best = -INFINITE if actor(ply.state) == 0 else INFINITE


def take(search: Search, value: int) -> None:
    """The last move tried leads to this value."""
    ply = search.path[search.depth]
    if search.depth == 0:
        search.values[ply.tried - 1] = value
    ply.best = max(ply.best, value) if actor(ply.state) == 0 else min(ply.best, value)
