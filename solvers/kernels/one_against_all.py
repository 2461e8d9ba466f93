"""One player against all others, by alpha-beta: paranoid search (Sturtevant and Korf 2000), and best-reply search
(Schadd and Winands 2011).

One player searches, and all others are taken to want nothing but that he gets little. That makes two sides and a single
number, so what does not matter is left out as in :mod:`.alphabeta`: a position is searched in a window of what the
searching player has been promised on the way (``alpha``), and what the others have (``beta``). What comes back are the
payoffs of all players at the end of the best play; the searching player's decides.

The others may do what they like; or, with ``ONE_REPLY``, only one of them may between two moves of the searching
player. Then each of them makes the move that is tried first, but that one may reply with another if nobody has. It is
the move for which ``rank`` of the position behind it is greatest if the file says how moves are ordered
(``IS_ORDERED``), else the first.

As in :mod:`.minimax` the recursion is a path in an array. :mod:`zermelo.solvers.search.one_against_all` says the same
in Python.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    State,
    actor,
    apply,
    copy,
    hole,
    ints,
    moves,
    scratch,
)
from zermelo.solvers.kernels.answers import BEYOND, COMES_BACK, DONE
from zermelo.solvers.kernels.fractions import Arithmetic
from zermelo.solvers.kernels.horizon import goes_on, worth
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back

ONE_REPLY: int
IS_ORDERED: int

NO_MOVE = -1


@hole
def rank(rules: Context, state: State) -> int:
    """By what moves are ordered, in the position behind one: the greater, the earlier."""


class Ply:
    """A position on the path: its moves and how many of them have been tried, the window for the searching player's
    payoff, whether one of the others has replied since he moved, and the best move so far with the payoffs of all."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    alpha: int
    beta: int
    has_replied: int
    best_move: int
    payoffs: ints[PLAYERS]


class Search:
    """A search under way for a player, ``searcher``, which looks so many plies ahead of its root; ``has_replied`` is
    for the root. Counts go on from one search to the next."""

    rules: Context
    path: list[Ply]
    watch: Watch
    arithmetic: Arithmetic
    searcher: int
    has_replied: int
    plies: int
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    estimates: int


def start(search: Search) -> None:
    """Put the search at its root, the first state of the path."""
    forget(search.watch)
    search.depth = 0
    root = search.path[0]
    root.alpha, root.beta, root.has_replied = -INFINITE, INFINITE, search.has_replied
    if not enter(search, root, search.plies):
        comes_back(search.watch, root.state, 0)


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
            there.alpha, there.beta, there.has_replied = ply.alpha, ply.beta, replies(search, ply)
            ply.tried += 1
            if enter(search, there, search.plies - search.depth - 1):
                take(search, ply, there.payoffs)
            elif comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            else:
                search.depth += 1
                if search.depth + 2 >= len(search.path):
                    left = 0
        else:
            if ply.alpha >= ply.beta:
                search.cutoffs += 1
            if search.depth == 0:
                return DONE if search.arithmetic.overflows == 0 else BEYOND
            go_back(search.watch, search.depth)
            search.depth -= 1
            take(search, search.path[search.depth], ply.payoffs)
        if search.arithmetic.overflows != 0:
            return BEYOND
        if search.rules[0] != 0:
            left = 0
    return search.depth


def replies(search: Search, ply: Ply) -> int:
    """Whether one of the others has replied behind the next move to be tried: whoever makes the first one lets others
    reply."""
    if actor(ply.state) == search.searcher:
        return 0
    return 0 if ply.tried == 0 and ply.has_replied == 0 else 1


def enter(search: Search, ply: Ply, plies: int) -> bool:
    """Come to a position with so many plies left. Whether its payoffs are known at once."""
    search.nodes += 1
    ply.count, ply.tried, ply.best_move = 0, 0, NO_MOVE
    if goes_on(search.rules, ply.state, plies):
        ply.count = moves(search.rules, ply.state, ply.legal)
        if ONE_REPLY != 0 and actor(ply.state) != search.searcher:
            if IS_ORDERED != 0:
                put_first(search.rules, ply)
            if ply.has_replied != 0:
                ply.count = 1
        return False
    if actor(ply.state) == END:
        search.terminals += 1
    else:
        search.estimates += 1
    for player in range(PLAYERS):
        ply.payoffs[player] = worth(search.rules, ply.state, player, search.arithmetic)
    return True


def put_first(rules: Context, ply: Ply) -> None:
    """Put the move that is tried first before the others, which stay in their order."""
    there = scratch()
    at: int = 0
    greatest: int = 0
    for k in range(ply.count):
        copy(there, ply.state, STATE)
        apply(rules, there, ply.legal[k])
        ranked: int = rank(rules, there)
        if k == 0 or ranked > greatest:
            at, greatest = k, ranked
    first: int = ply.legal[at]
    for k in range(at):
        ply.legal[at - k] = ply.legal[at - k - 1]
    ply.legal[0] = first


def take(search: Search, ply: Ply, payoffs: ints[PLAYERS]) -> None:
    """The move tried last leads to these payoffs: if it is the best so far, keep them, and narrow the window."""
    is_own: bool = actor(ply.state) == search.searcher
    found: int = payoffs[search.searcher]
    best: int = ply.payoffs[search.searcher]
    if ply.best_move == NO_MOVE or (found > best if is_own else found < best):
        ply.best_move, best = ply.tried - 1, found
        for player in range(PLAYERS):
            ply.payoffs[player] = payoffs[player]
    if is_own:
        ply.alpha = max(ply.alpha, best)
    else:
        ply.beta = min(ply.beta, best)
