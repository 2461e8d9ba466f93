"""The moves of a position of a window search: listed, looked behind, and sorted.

*Enhanced transposition cut-offs* (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting graph properties of game trees",
1996): before any move is searched, the positions behind all of them are made and looked at. One at which the play ends,
or that the table knows well enough, may cut the position off at once, or at least narrows its window and need not be
searched. That costs a look at every position behind, so it is left out in the last ply.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import END, STATE, Context, State, actor, apply, copy, hole, moves, payoff
from zermelo.solvers.kernels.inquiries import is_barred, is_extended
from zermelo.solvers.kernels.window_horizon import scaled
from zermelo.solvers.kernels.window_order import NOT_MADE, promise_of, promise_of_rank, sort_in
from zermelo.solvers.kernels.window_records import Ply, Search, take
from zermelo.solvers.kernels.window_table import Known, decided, decides, fetch, look_up

NOT_LISTED = -1


@hole
def rank(rules: Context, state: State) -> int:
    """What the file says to order moves by, of the position behind one."""


def list_moves(search: Search, ply: Ply) -> None:
    """List the moves that have to be searched, the most promising first."""
    legal: int = moves(search.rules, ply.state, ply.legal)
    count: int = 0
    for k in range(legal):
        move: int = ply.legal[k]
        if not is_barred(ply, move):
            sort_in(ply, count, move, promise_of(search, ply, move), NOT_MADE)
            count += 1
    if ply.left > 1:
        count = look_behind(search, ply, count)
    if search.rules[0] == 0:
        ply.count, ply.tried = count, 0


def look_behind(search: Search, ply: Ply, count: int) -> int:
    """Look at the positions behind so many moves, first for those that end the play, which costs least, then for those
    that the table knows. How many moves have to be searched all the same, which come first."""
    return probe_children(search, ply, make_children(search, ply, count))


def make_children(search: Search, ply: Ply, count: int) -> int:
    """Make so many moves; how many of them do not end the play."""
    going_on: int = 0
    k: int = 0
    while k < count and ply.alpha < ply.beta:
        move: int = ply.legal[k]
        child = ply.children[k]
        copy(child.state, ply.state, STATE)
        apply(search.rules, child.state, move)
        search.nodes += 1
        k += 1
        ply.tried = k
        if search.rules[0] != 0:
            return 0
        if actor(child.state) == END:
            search.terminals += 1
            take(ply, move, scaled(search, payoff(child.state, 0)), True)
        else:
            fetch(search, child.state)
            ply.legal[going_on], ply.promise[going_on], ply.made[going_on] = move, ply.promise[k - 1], k - 1
            going_on += 1
    return going_on


def probe_children(search: Search, ply: Ply, count: int) -> int:
    """Look up the positions behind so many moves; sort those that have to be searched, and say how many they are."""
    known = Known()
    left: int = 0
    k: int = 0
    while k < count and ply.alpha < ply.beta:
        move: int = ply.legal[k]
        made: int = ply.made[k]
        child = ply.children[made]
        ply.tried = k + 1
        look_up(search, child.state, ply.left if is_extended(ply, move) else ply.left - 1, known)
        if decides(known, ply.alpha, ply.beta):
            search.hits += 1
            take(ply, move, decided(known, ply.beta), known.is_whole)
        else:
            promise: int = ply.promise[k] + promise_of_rank(rank(search.rules, child.state))
            sort_in(ply, left, move, promise, made)
            left += 1
        k += 1
    return left
