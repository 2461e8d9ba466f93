"""Move ordering of a window search.

A move comes first if it was best when the position was searched before; then the file's rank of the position after it
counts; then whether it is a *killer*, one of the two moves that have cut off other positions of this ply last; then its
*history*, how often it has cut off for its player; and then the order of the game. That is one number, its *promise*:
one bit, 31 bits, two bits and 28 bits.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import MOVES, Array
from zermelo.solvers.kernels.window_records import HISTORY, TO_THE_END, Node, Offer, Search

MOVE_BITS: int

BEST_BEFORE = 1 << 61
RANK = 30
MOST_RANK = (1 << 29) - 1
KILLER = 28
MOST_HISTORY = (1 << 28) - 1


def promise_of(search: Search, node: Node, move: int) -> int:
    """The promise of a move before it is made; its rank is 0 so far."""
    killers = search.killers[node.ply]
    killer: int = 0
    if killers.count > 0 and move == killers.latest:
        killer = 2
    elif killers.count > 1 and move == killers.earlier:
        killer = 1
    return promised(move == node.first, killer, search.history[slot_of_history(node, move)])


def promised(is_first: bool, killer: int, history: int) -> int:
    """A promise as one number."""
    best_before: int = BEST_BEFORE if is_first else 0
    return best_before | MOST_RANK + 1 << RANK | killer << KILLER | min(history, MOST_HISTORY)


def with_rank(promise: int, rank: int) -> int:
    """A promise with a rank, clipped to its range."""
    return promise + (max(-MOST_RANK, min(rank, MOST_RANK)) << RANK)


def sort_in(offers: Array[Offer, MOVES], count: int, move: int, promise: int, child: int) -> None:
    """Insert a move and its child among so many, behind those that promise as much."""
    at: int = count
    while at > 0 and offers[at - 1].promise < promise:
        before = offers[at - 1]
        offer = offers[at]
        offer.move, offer.promise, offer.child = before.move, before.promise, before.child
        at -= 1
    offer = offers[at]
    offer.move, offer.promise, offer.child = move, promise, child


def learn(search: Search, node: Node) -> None:
    """The best move of a position has cut it off: it is the first killer of its ply, and its history counts the square
    of the depth below it, or 1 in a search without depth."""
    if not search.learns:
        return
    at: int = slot_of_history(node, node.best_move)
    search.history[at] += 1 if node.left >= TO_THE_END else node.left * node.left
    killers = search.killers[node.ply]
    if killers.count == 0 or killers.latest != node.best_move:
        killers.earlier, killers.latest = killers.latest, node.best_move
        killers.count += 1


def slot_of_history(node: Node, move: int) -> int:
    """The slot of a move's history, for the player to move; some moves may share one."""
    return (node.player << MOVE_BITS | move) & HISTORY - 1
