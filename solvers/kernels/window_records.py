"""The records of a window search."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, PAST, Call, Context, Length, State, ints
from zermelo.solvers.kernels.past import Pasts
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch

TO_THE_END = 1 << 30
"""More plies than any play has: the depth of a search without a horizon."""

NO_MOVE = -1

PASS = -2
"""What is barred where another pass is."""


class HISTORY(metaclass=Length):
    """How many pairs of a player and a move have a history of their own, a power of 2."""


class Node:
    """A position whose moves are searched: it is a ``player``'s turn, there are so many plies ``left`` to the horizon,
    ``ply`` moves and passes lead here from the root, and so many nodes had been counted ``before``.

    ``alpha`` and ``beta`` are the present window: what the first player can secure elsewhere, and what the second can
    hold them to. ``best`` is the best value so far, ``best_move`` the move that it comes by, and ``is_whole`` says
    whether it rests on no horizon. The ``first`` move is searched before all others, the one that is
    ``extended`` a ply deeper than the others, and the ``barred`` one not at all; each may be none. ``outer`` is what
    the rules had looked for in the history before, below the positions further up."""

    player: int
    left: int
    ply: int
    before: int
    alpha: int
    beta: int
    best: int
    best_move: int
    is_whole: bool
    first: int
    extended: int
    barred: int
    outer: ints[PAST]


class Offer:
    """A move to be searched, what it promises, and which of the children is the position behind it."""

    move: int
    promise: int
    child: int


class Child:
    """The position after a move."""

    state: State


class Killers:
    """The last two moves that have cut off a position of a ply, if there are two."""

    count: int
    latest: int
    earlier: int


class Entry:
    """A position in the table: bounds on its value from there on, and in one word the ``rest``:
    the best move, the depth and the work (:mod:`.window_table`). That word is 0 where there is no entry. It counts
    for states that have its ``past`` (:mod:`.past`)."""

    key: ints[KEY]
    low: int
    high: int
    rest: int
    past: ints[PAST]


class Search:
    """A search in progress, and what it keeps from one window and depth to the next: the table, the killers of every
    ply, and the history of moves, how often they have cut off.

    It ``learns`` how to order moves if it is to, and has ``scouts`` or not. ``low`` and ``high`` bound all values that
    it can find. It is to be so many ``plies`` deep. ``barred`` is for the next call. ``best_move`` and ``is_whole``
    belong to the value that a call has returned last. ``trying`` is a move being looked behind, and ``is_beyond`` says
    that a payoff was too large."""

    rules: Context
    calls: list[Call]
    watch: Watch
    table: list[Entry]
    pasts: Pasts
    killers: list[Killers]
    history: ints[HISTORY]
    learns: bool
    scouts: bool
    low: int
    high: int
    plies: int
    barred: int
    value: int
    best_move: int
    is_whole: bool
    trying: int
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    hits: int
    estimates: int
    is_beyond: bool


def begin_with(node: Node, player: int) -> None:
    """It is a player's turn, and no move has been searched."""
    node.player = player
    node.best = -INFINITE if player == 0 else INFINITE
    node.best_move, node.extended, node.is_whole = NO_MOVE, NO_MOVE, True


def is_move(barred: int) -> bool:
    """Whether what is barred is a move. Then what is found is true of no position."""
    return barred != NO_MOVE and barred != PASS


def improves(node: Node, value: int) -> bool:
    """Whether a value is better for the player to move than what they have elsewhere."""
    return value > node.alpha if node.player == 0 else value < node.beta


def cuts_off(node: Node, value: int) -> bool:
    """Whether a value is so good for the player to move that the opponent avoids this position (it *fails high*)."""
    return value >= node.beta if node.player == 0 else value <= node.alpha


def left_behind(node: Node, move: int) -> int:
    """The plies that are left behind a move."""
    return node.left if node.left >= TO_THE_END or move == node.extended else node.left - 1


def take(node: Node, move: int, value: int, is_whole: bool) -> None:
    """A move leads to this value: if it is the best so far, keep it, and narrow the window.

    What is found is whole if all that has been found behind the moves is, or if a move cuts off behind which it is. For
    then it is a bound on one side alone, that the player to move gets at least so much, and this one move shows it,
    whatever the others would have brought. It is the move by which the bound comes: one before it that was as good
    would have cut off."""
    if cuts_off(node, value):
        node.is_whole = is_whole
    elif not is_whole:
        node.is_whole = False
    if node.player == 0:
        if value > node.best:
            node.best, node.best_move = value, move
            node.alpha = max(node.alpha, value)
    elif value < node.best:
        node.best, node.best_move = value, move
        node.beta = min(node.beta, value)
