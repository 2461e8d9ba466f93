"""Alpha-beta: minimax that leaves out what cannot matter (Knuth and Moore, An analysis of alpha-beta pruning, 1975).

On the way to a position the first player has been promised ``alpha``, by some move that has been searched before, and
the second ``beta``. Only values in this window matter: as soon as the best value that has been found is outside, the
player who was promised more will not let the play come here, and the other moves need not be looked at. ::

    value(state, alpha, beta)
        for each move:
            best = max or min of best and value(after the move, alpha, beta)
            narrow the window to best on the side of who moves
            if alpha >= beta: break

A transposition table remembers positions that have been searched. An entry holds the whole key, so that no two
positions are ever taken for one another; what has been found, and whether the position is worth just that, at least
that, or at most that; and the best move, which is tried first when the position comes up again. A new entry replaces
the one in its place. A table without entries is none.

As in :mod:`.minimax` the recursion is a path in an array. :mod:`zermelo.solvers.search.alphabeta` says the same in
Python.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    STATE,
    Context,
    State,
    actor,
    apply,
    array,
    copy,
    ints,
    moves,
    pack,
    payoff,
)
from zermelo.solvers.kernels.answers import COMES_BACK, DONE
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.slots import is_same, slot_of

EXACT = 1
LOWER = 2
UPPER = 3

NO_MOVE = -1


class Ply:
    """A position on the path: its moves and how many of them have been tried, the window that it came with and what is
    left of it, the best value found so far, as the first player sees it, and the number of the move to it."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    least: int
    most: int
    alpha: int
    beta: int
    best: int
    best_move: int


class Entry:
    """What the table knows of a position: a value, and what it says; 0 says that there is no entry."""

    key: ints[KEY]
    value: int
    bound: int
    move: int


class Search:
    """A search under way, and how many first moves have equalled the best one."""

    rules: Context
    path: list[Ply]
    watch: Watch
    table: list[Entry]
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    hits: int
    ties: int


def start(search: Search) -> None:
    """Put the search at its root, the first state of the path."""
    forget(search.watch)
    search.depth, search.nodes, search.terminals = 0, 1, 0
    search.cutoffs, search.hits, search.ties = 0, 0, 0
    root = search.path[0]
    if actor(root.state) == END:
        search.terminals = 1
        root.count, root.tried, root.best, root.best_move = 0, 0, payoff(root.state, 0), 0
    else:
        comes_back(search.watch, root.state, 0)
        root.alpha, root.beta = -INFINITE, INFINITE
        enter(search, root, NO_MOVE)


def go_on(search: Search, budget: int) -> int:
    """Make so many moves more; the depth that the search has come to, or one of the answers."""
    left: int = budget
    while left > 0:
        ply = search.path[search.depth]
        if ply.tried < ply.count and ply.alpha < ply.beta:
            left -= 1
            there = search.path[search.depth + 1]
            copy(there.state, ply.state, STATE)
            apply(search.rules, there.state, ply.legal[ply.tried])
            ply.tried += 1
            search.nodes += 1
            if actor(there.state) == END:
                search.terminals += 1
                take(search, payoff(there.state, 0))
            elif comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            else:
                there.alpha, there.beta = ply.alpha, ply.beta
                look_up(search, there)
            if search.rules[0] != 0 or search.depth + 2 >= len(search.path):
                left = 0
        elif search.depth > 0:
            finish(search, ply)
            take(search, ply.best)
        else:
            return DONE
    return search.depth


def look_up(search: Search, ply: Ply) -> None:
    """Come to the next position of the path. If the table says enough of it to leave it at once, do; otherwise enter
    it, with the move that was best the last time before all others."""
    first: int = NO_MOVE
    if len(search.table) > 0:
        key = array(KEY)
        pack(ply.state, key)
        entry = search.table[slot_of(key, len(search.table))]
        if entry.bound != 0 and is_same(entry.key, key):
            if (
                entry.bound == EXACT
                or (entry.bound == LOWER and entry.value >= ply.beta)
                or (entry.bound == UPPER and entry.value <= ply.alpha)
            ):
                search.hits += 1
                go_back(search.watch, search.depth + 1)
                take(search, entry.value)
                return
            first = entry.move
    enter(search, ply, first)
    search.depth += 1


def enter(search: Search, ply: Ply, first: int) -> None:
    """A position of which no move has been tried: all of them will be better than nothing. One comes before all others,
    if it is among them."""
    ply.count, ply.tried = moves(search.rules, ply.state, ply.legal), 0
    ply.least, ply.most, ply.best_move = ply.alpha, ply.beta, 0
    ply.best = -INFINITE if actor(ply.state) == 0 else INFINITE
    if first != NO_MOVE:
        at: int = 0
        while at < ply.count and ply.legal[at] != first:
            at += 1
        if at < ply.count:
            for k in range(at):
                ply.legal[at - k] = ply.legal[at - k - 1]
            ply.legal[0] = first


def finish(search: Search, ply: Ply) -> None:
    """All that matters of a position has been searched: remember it, and take it off the path."""
    if ply.tried < ply.count:
        search.cutoffs += 1
    if len(search.table) > 0:
        key = array(KEY)
        pack(ply.state, key)
        entry = search.table[slot_of(key, len(search.table))]
        for k in range(KEY):
            entry.key[k] = key[k]
        entry.value = ply.best
        entry.bound = UPPER if ply.best <= ply.least else LOWER if ply.best >= ply.most else EXACT
        entry.move = ply.legal[ply.best_move]
    go_back(search.watch, search.depth)
    search.depth -= 1


def take(search: Search, value: int) -> None:
    """The last move tried leads to this value: if it is the best so far, keep it, and narrow the window."""
    ply = search.path[search.depth]
    is_first: bool = actor(ply.state) == 0
    if search.depth == 0:
        if value == ply.best:
            search.ties += 1
        elif (value > ply.best) == is_first:
            search.ties = 0
    if is_first and value > ply.best:
        ply.best, ply.best_move = value, ply.tried - 1
        ply.alpha = max(ply.alpha, value)
    elif not is_first and value < ply.best:
        ply.best, ply.best_move = value, ply.tried - 1
        ply.beta = min(ply.beta, value)
