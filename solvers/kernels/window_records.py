"""What a window search works on: the path of plies from the root, and the table.

It is the stack of a program that plays chess. Each ply has a position, the window in which its value matters (``alpha``
is what the first player can have elsewhere, ``beta`` what the second can), how many plies are left to the horizon, and
the best move found so far. All values are as the first player sees them, who wants much; the second player wants
little.
"""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import KEY, MOVES, Array, Context, Length, State, actor, ints
from zermelo.solvers.kernels.repetition import Watch

TO_THE_END = 1 << 30
"""More plies than any play has: what is left of them where nothing cuts a search off."""

NO_MOVE = -1


class HISTORY(metaclass=Length):
    """How many pairs of a player and a move have a history of their own, a power of 2."""


class Child:
    """A position one move further, made to be looked at."""

    state: State


class Plan:
    """How the moves of a position are to be searched: the ``first`` one, the one that is ``extended``, which is
    searched one ply deeper than the others, and the one that is ``barred``, which is left out; each may be none.
    ``bound`` is what no other move must reach if the first one is singular."""

    first: int
    extended: int
    barred: int
    bound: int


class Ply:
    """A position on the path.

    ``alpha`` and ``beta`` are what is left of the window, ``least`` and ``most`` the window that it came with; ``left``
    are the plies to the horizon. ``best`` is the best value so far, ``best_move`` the move that it comes by, and
    ``is_whole`` whether no horizon has been met below.

    ``inquiry`` is what is asked before the moves are searched. These are the first ``count`` of ``legal``, that with
    the best ``promise`` first; ``made`` tells which of the ``children`` is behind each. So many have been ``tried``,
    the last of them with this ``effort``. All that has cost what has been counted since ``nodes_before``.

    ``number`` is how many moves and passes lead from the root to here: the place on the path, except below inquiries,
    where the path has a position twice. The ``killers`` are not those of this position, but the last two moves, each
    plus 1, that have cut off any position with the number that is this place."""

    alpha: int
    beta: int
    left: int
    best: int
    best_move: int
    is_whole: bool
    count: int
    tried: int
    effort: int
    inquiry: int
    least: int
    most: int
    nodes_before: int
    number: int
    killers: ints[Literal[2]]
    plan: Plan
    state: State
    legal: ints[MOVES]
    promise: ints[MOVES]
    made: ints[MOVES]
    children: Array[Child, MOVES]


class Entry:
    """What the table knows of a position: bounds of what it is worth from there on, and in one word the ``rest``:
    the best move, the depth and the work (:mod:`.window_table`). That word is 0 where there is no entry."""

    key: ints[KEY]
    low: int
    high: int
    rest: int


class Found:
    """What a search has found: a value, or a bound of it; the move that it comes by; whether it holds to the end of all
    plays."""

    value: int
    move: int
    is_whole: bool


class Search:
    """A search under way, and what it remembers from one window and depth to the next: the table, the killers on the
    path, and the history of moves, how often they have cut off. ``is_beyond`` says that a payoff has been too large."""

    rules: Context
    path: list[Ply]
    watch: Watch
    table: list[Entry]
    history: ints[HISTORY]
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    hits: int
    estimates: int
    is_beyond: bool


def improves(ply: Ply, value: int) -> bool:
    """Whether a value is more for the player who moves than what they have elsewhere."""
    return value > ply.alpha if actor(ply.state) == 0 else value < ply.beta


def cuts_off(ply: Ply, value: int) -> bool:
    """Whether a value is so good for the player who moves that the opponent does not let the play come here (for them
    it *fails high*)."""
    return value >= ply.beta if actor(ply.state) == 0 else value <= ply.alpha


def take(ply: Ply, move: int, value: int, is_whole: bool) -> None:
    """A move leads to this value: if it is the best so far, keep it, and narrow the window."""
    if not is_whole:
        ply.is_whole = False
    if actor(ply.state) == 0:
        if value > ply.best:
            ply.best, ply.best_move = value, move
            ply.alpha = max(ply.alpha, value)
    elif value < ply.best:
        ply.best, ply.best_move = value, move
        ply.beta = min(ply.beta, value)
