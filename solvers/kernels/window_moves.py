"""Move generation of a window search: moves are listed, looked behind, sorted, and made.

*Enhanced transposition cut-offs* (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting graph properties of game trees",
1996): before any move is searched, all successors are made and looked up. One at which the play ends, or with a
sufficient table entry, may cut the position off at once, or at least narrows its window and need not be searched. Since
it costs a look at every successor, it is left out in the last ply.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    MOVES,
    STATE,
    Array,
    Context,
    State,
    actor,
    apply,
    array,
    copy,
    hole,
    ints,
    moves,
    payoff,
)
from zermelo.solvers.kernels.window_horizon import scaled
from zermelo.solvers.kernels.window_order import promise_of, sort_in, with_rank
from zermelo.solvers.kernels.window_records import NO_MOVE, Child, Node, Offers, Search, left_behind, take
from zermelo.solvers.kernels.window_table import Known, decided, decides, fetch, look_up

REMAKES: int


@hole
def rank(rules: Context, state: State) -> int:
    """The file's rank of the position after a move."""


def list_moves(search: Search, state: State, node: Node, offers: Offers, children: Array[Child, MOVES]) -> None:
    """List the moves that have to be searched, the most promising first."""
    promise = array(MOVES)
    offers.count = 0
    for k in range(moves(search.rules, state, offers.legal)):
        move: int = offers.legal[k]
        if move != node.barred:
            sort_in(offers, promise, move, promise_of(search, node, move), 0)
    if node.left > 1:
        make_children(search, state, node, offers, promise, children)
        probe_children(search, node, offers, promise, children)


def make_children(
    search: Search, state: State, node: Node, offers: Offers, promise: ints[MOVES], children: Array[Child, MOVES]
) -> None:
    """Make the moves. Those that end the play, which costs least to see, need not be searched."""
    count: int = offers.count
    offers.count = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers.legal[k]
        child = children[k].state
        search.trying = move
        search.nodes += 1
        copy(child, state, STATE)
        apply(search.rules, child, move)
        if search.rules[0] != 0:
            return
        if actor(child) == END:
            search.terminals += 1
            take(node, move, scaled(search, payoff(child, 0)), True)
        else:
            fetch(search, child)
            offers.legal[offers.count], promise[offers.count], offers.made[offers.count] = move, promise[k], k
            offers.count += 1
        k += 1
    search.trying = NO_MOVE


def probe_children(
    search: Search, node: Node, offers: Offers, promise: ints[MOVES], children: Array[Child, MOVES]
) -> None:
    """Look up the successors, and sort the moves that still have to be searched."""
    known = Known()
    count: int = offers.count
    offers.count = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers.legal[k]
        at: int = offers.made[k]
        child = children[at].state
        look_up(search, child, left_behind(node, move), NO_MOVE, known)
        if decides(known, node.alpha, node.beta):
            search.hits += 1
            take(node, move, decided(known, node.beta), known.is_whole)
        else:
            sort_in(offers, promise, move, with_rank(promise[k], rank(search.rules, child)), at)
        k += 1


def make(search: Search, state: State, node: Node, child: State, move: int) -> None:
    """Make a move, unless it has been made to be looked behind. If the rules look at the history of the play, it is
    made again, since there is only one history."""
    if node.left <= 1:
        search.nodes += 1
    if node.left <= 1 or REMAKES > 0:
        copy(child, state, STATE)
        apply(search.rules, child, move)
