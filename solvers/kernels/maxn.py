"""Max^n: what a game is worth to each of its players (Luckhart and Irani 1986).

A position is worth a tuple, one share for each player: at the end the payoffs, where a player moves the tuple that is
greatest for him, and where chance draws the mean. Moves that are equally good for whoever makes them may not be so for
the others. So two things come back from a position: the tuple *reported*, which is that of the first best move, and the
set of all tuples that are *reachable* if ties are decided one way or the other. For the player who moves, with the sets
V1, V2, ... behind his moves, and for chance::

    secured   = the greatest over k of the least share of his in Vk
    reachable = all tuples of V1, V2, ... that bring him as much as is secured
    reachable = the means of every choice of one tuple from each Vk

A set of more than ``most`` tuples is given up, and with it those of all positions that it is a part of.

The sets of the path stand one behind the other in one list. The last position has none behind it, so what it hands back
stands right behind what the position before it has, and can be taken up where it is. Where chance draws, tuples are
sums until all outcomes are known.

As in :mod:`.minimax` the recursion is a path in an array. :mod:`zermelo.solvers.search.maxn` says the same in Python.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    PLAYERS,
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
from zermelo.solvers.kernels.fractions import Arithmetic, Fraction, add, divide, is_equal, is_less, put, put_whole
from zermelo.solvers.kernels.horizon import goes_on, worth
from zermelo.solvers.kernels.offers import list_next, sum_of
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back

WASTE = 4
"""A set on its way may be so many times as large as one that is handed back: the tuples of one move may still be thrown
out by the next."""


class Tuple:
    """A share for each player, in parts of one unit."""

    shares: Array[Fraction, PLAYERS]


class Ply:
    """A position on the path: its moves, or the outcomes of a draw with their weights and the ``total`` of these, else
    0; how many of them have been tried; the tuple reported so far; what the player who moves has secured; and the
    ``size`` tuples from ``begin`` on that are reachable so far, or that these are given up."""

    state: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    count: int
    tried: int
    total: int
    begin: int
    size: int
    is_given_up: int
    secured: Fraction
    reported: Tuple


class Search:
    """A search under way, which looks so many plies ahead of its root; what the first moves lead to; the sets along the
    path, and the size from which on one is given up. Counts go on from one search to the next."""

    rules: Context
    path: list[Ply]
    watch: Watch
    firsts: Array[Tuple, MOVES]
    reachable: list[Tuple]
    most: int
    lacks_room: int
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
    root = search.path[0]
    comes_back(search.watch, root.state, 0)
    enter(search, root, search.plies, 0)


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
            enter(search, there, search.plies - search.depth - 1, ply.begin + ply.size)
            if actor(there.state) != END and comes_back(search.watch, there.state, search.depth + 1):
                return COMES_BACK
            search.depth += 1
            if search.depth + 2 >= len(search.path):
                left = 0
        else:
            finish(search, ply)
            if search.depth == 0:
                return DONE if is_within(search) else BEYOND
            if actor(ply.state) != END:
                go_back(search.watch, search.depth)
            search.depth -= 1
            take(search, search.path[search.depth], ply)
        if not is_within(search):
            return BEYOND
        if search.rules[0] != 0:
            left = 0
    return search.depth


def is_within(search: Search) -> bool:
    """Whether all numbers and sets have been small enough."""
    return search.arithmetic.overflows == 0 and search.lacks_room == 0


def enter(search: Search, ply: Ply, plies: int, begin: int) -> None:
    """Come to a position with so many plies left, whose set has this place. Where the search does not go on its tuple
    is known, and where chance draws the sum begins with nothing: one tuple is reachable."""
    search.nodes += 1
    ply.count, ply.tried, ply.total = 0, 0, 0
    ply.begin, ply.size, ply.is_given_up = begin, 0, 0
    if goes_on(search.rules, ply.state, plies):
        ply.count = list_next(search.rules, ply.state, ply.legal, ply.weights)
        if actor(ply.state) == CHANCE:
            ply.total = sum_of(ply.weights, ply.count)
            for player in range(PLAYERS):
                put_whole(ply.reported.shares[player], 0)
            reach(search, ply)
    else:
        if actor(ply.state) == END:
            search.terminals += 1
        else:
            search.estimates += 1
        for player in range(PLAYERS):
            put_whole(ply.reported.shares[player], worth(search.rules, ply.state, player, search.arithmetic))
        reach(search, ply)


def reach(search: Search, ply: Ply) -> None:
    """The tuple reported is the one that is reachable."""
    if ply.begin + 1 >= len(search.reachable):
        search.lacks_room = 1
    else:
        put_tuple(search.reachable[ply.begin], ply.reported)
        ply.size = 1


def finish(search: Search, ply: Ply) -> None:
    """Everything behind a position has been searched: sums become means."""
    if ply.total > 0:
        divide_tuple(ply.reported, ply.total, search.arithmetic)
        for k in range(ply.begin, ply.begin + ply.size):
            divide_tuple(search.reachable[k], ply.total, search.arithmetic)
    if ply.size > search.most:
        give_up(ply)


def give_up(ply: Ply) -> None:
    """Too many tuples are reachable."""
    ply.is_given_up, ply.size = 1, 0


def take(search: Search, ply: Ply, there: Ply) -> None:
    """What has been tried last leads to the next position, from which all is known."""
    if search.depth == 0:
        put_tuple(search.firsts[ply.tried - 1], there.reported)
    if ply.total > 0:
        add_tuple(ply.reported, ply.weights[ply.tried - 1], there.reported, search.arithmetic)
    else:
        player: int = actor(ply.state)
        if ply.tried == 1 or is_less(ply.reported.shares[player], there.reported.shares[player]):
            put_tuple(ply.reported, there.reported)
    if there.is_given_up != 0 or ply.is_given_up != 0:
        give_up(ply)
    elif ply.total > 0:
        draw(search, ply, there)
        if ply.size > search.most:
            give_up(ply)
    else:
        choose(search, ply, there)
        if ply.size > WASTE * search.most:
            search.lacks_room = 1


def choose(search: Search, ply: Ply, there: Ply) -> None:
    """The player who moves may come to the next position: throw out what brings him less than he has secured by now,
    and take up what does not."""
    player: int = actor(ply.state)
    least = search.reachable[there.begin].shares[player]
    for k in range(there.begin + 1, there.begin + there.size):
        share = search.reachable[k].shares[player]
        if is_less(share, least):
            least = share
    if ply.tried == 1 or is_less(ply.secured, least):
        put(ply.secured, least)
        throw_out(search, ply, player)
    for k in range(there.begin, there.begin + there.size):
        found = search.reachable[k]
        if not is_less(found.shares[player], ply.secured):
            end: int = ply.begin + ply.size
            if not is_among(search, ply.begin, end, found):
                if end < k:
                    put_tuple(search.reachable[end], found)
                ply.size += 1


def throw_out(search: Search, ply: Ply, player: int) -> None:
    """Keep the tuples that bring a player as much as he has secured."""
    kept: int = ply.begin
    for k in range(ply.begin, ply.begin + ply.size):
        if not is_less(search.reachable[k].shares[player], ply.secured):
            if kept < k:
                put_tuple(search.reachable[kept], search.reachable[k])
            kept += 1
    ply.size = kept - ply.begin


def draw(search: Search, ply: Ply, there: Ply) -> None:
    """Chance may come to the next position: add each of its tuples to each, until they are more than the most. The sums
    are put behind all others first."""
    begin: int = there.begin + there.size
    end: int = begin
    for k in range(ply.begin, ply.begin + ply.size):
        for i in range(there.begin, begin):
            if end >= len(search.reachable):
                search.lacks_room = 1
                return
            added = search.reachable[end]
            put_tuple(added, search.reachable[k])
            add_tuple(added, ply.weights[ply.tried - 1], search.reachable[i], search.arithmetic)
            if not is_among(search, begin, end, added):
                end += 1
            if end - begin > search.most:
                ply.size = search.most + 1
                return
    ply.size = end - begin
    for k in range(ply.size):
        put_tuple(search.reachable[ply.begin + k], search.reachable[begin + k])


# ----------------------------------------------------------------- tuples


def is_among(search: Search, begin: int, end: int, wanted: Tuple) -> bool:
    """Whether a tuple is one of those in a stretch of the list."""
    for k in range(begin, end):
        if is_same_tuple(search.reachable[k], wanted):
            return True
    return False


def is_same_tuple(one: Tuple, other: Tuple) -> bool:
    """Whether two tuples give everybody the same."""
    for player in range(PLAYERS):
        if not is_equal(one.shares[player], other.shares[player]):
            return False
    return True


def put_tuple(target: Tuple, source: Tuple) -> None:
    """Make it what another one is."""
    for player in range(PLAYERS):
        put(target.shares[player], source.shares[player])


def add_tuple(target: Tuple, weight: int, term: Tuple, arithmetic: Arithmetic) -> None:
    """Add so many times a tuple."""
    for player in range(PLAYERS):
        add(target.shares[player], weight, term.shares[player], arithmetic)


def divide_tuple(target: Tuple, number: int, arithmetic: Arithmetic) -> None:
    """Divide by a number above 0."""
    for player in range(PLAYERS):
        divide(target.shares[player], number, arithmetic)
