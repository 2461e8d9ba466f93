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
    moves,
    payoff,
)
from zermelo.solvers.kernels.window_horizon import scaled
from zermelo.solvers.kernels.window_order import promise_of, sort_in, with_rank
from zermelo.solvers.kernels.window_records import NO_MOVE, Child, Node, Offer, Search, left_behind, take
from zermelo.solvers.kernels.window_table import Known, decided, decides, fetch, look_up

REMAKES: int


@hole
def rank(rules: Context, state: State) -> int:
    """The file's rank of the position after a move."""


def list_moves(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES]
) -> int:
    """List the moves that have to be searched, the most promising first; how many they are."""
    legal = array(MOVES)
    count: int = 0
    for k in range(moves(search.rules, state, legal)):
        move: int = legal[k]
        if move != node.barred:
            sort_in(offers, count, move, promise_of(search, node, move), 0)
            count += 1
    if node.left > 1:
        count = make_children(search, state, node, offers, children, count)
        count = probe_children(search, state, node, offers, children, count)
    return count


def make_children(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES], count: int
) -> int:
    """Make so many moves, and look for those that end the play, which costs least; how many others there are."""
    going_on: int = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers[k].move
        child = children[k].state
        search.trying = move
        search.nodes += 1
        copy(child, state, STATE)
        apply(search.rules, child, move)
        if search.rules[0] != 0:
            return 0
        if actor(child) == END:
            search.terminals += 1
            take(node, move, scaled(search, payoff(child, 0)), True)
        else:
            fetch(search, child)
            offer = offers[going_on]
            offer.move, offer.promise, offer.child = move, offers[k].promise, k
            going_on += 1
        k += 1
    search.trying = NO_MOVE
    return going_on


def probe_children(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES], count: int
) -> int:
    """Look up the successors, and sort the moves that still have to be searched; how many they are. If the rules look
    at the history of the play, each is made again before, since there is only one history."""
    known = Known()
    left: int = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers[k].move
        at: int = offers[k].child
        child = children[at].state
        if REMAKES > 0:
            copy(child, state, STATE)
            apply(search.rules, child, move)
        look_up(search, child, left_behind(node, move), NO_MOVE, known)
        if decides(known, node.alpha, node.beta):
            search.hits += 1
            take(node, move, decided(search, known, node.beta), known.is_whole)
        else:
            sort_in(offers, left, move, with_rank(offers[k].promise, rank(search.rules, child)), at)
            left += 1
        k += 1
    return left


def make(search: Search, state: State, node: Node, child: State, move: int) -> None:
    """Make a move, unless it has been made to be looked behind. If the rules look at the history of the play, it is
    made again, since there is only one history."""
    if node.left <= 1:
        search.nodes += 1
    if node.left <= 1 or REMAKES > 0:
        copy(child, state, STATE)
        apply(search.rules, child, move)
