"""Star1 and Star2: alpha-beta where chance draws, too (Ballard 1983).

A draw is worth the mean of its outcomes. As long as not all of them have been searched, each is known to lie between
two bounds, at first those of all values, ``LOW`` and ``HIGH``; and so the mean lies between the means of these. Once
one of them has reached its edge of the window (``alpha``, ``beta``), the draw is *decided*, and the other outcomes need
not be looked at. And an outcome matters only as far as it can still decide, or be the value::

    alpha_i = (total * alpha - sum of weight_j * high_j over all j but i) / weight_i
    beta_i  = (total * beta  - sum of weight_j * low_j  over all j but i) / weight_i

That is Star1. Star2 (``PROBES``) first *probes* every outcome behind which a player moves: it searches the first of his
moves alone, in a window that is open to his side. That bounds the value of the outcome from one side, at least for the
first player and at most for the second, and often decides the draw. Then the outcomes are searched as in Star1, which
goes on behind the moves that have been probed.

The invariant: a value lies between its bounds; of an outcome that has been searched without a cut-off they are equal.

As in :mod:`.minimax` the recursion is a path in an array. Between the children of a position nothing is kept of them
but their bounds; so a probed position is entered again when it is searched, and not counted again.
:mod:`zermelo.solvers.search.star1` and :mod:`zermelo.solvers.search.star2` say the same in Python.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
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
from zermelo.solvers.kernels.fractions import (
    Arithmetic,
    Fraction,
    add,
    divide,
    is_equal,
    is_less,
    is_whole,
    product,
    put,
    put_multiple,
    put_negative,
    put_whole,
)
from zermelo.solvers.kernels.horizon import goes_on, worth
from zermelo.solvers.kernels.offers import list_next, sum_of
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back

PROBES: int
LOW: int
HIGH: int

PROBING = 0
"""Outcomes of a draw are probed; or a player's first move alone is searched, for a probe."""

SEARCHING = 1
"""Everything is searched."""

DECIDED = 2
"""Nothing more need be searched."""

NO_MOVE = -1


class Interval:
    """What lies between two bounds."""

    low: Fraction
    high: Fraction


class Ply:
    """A position on the path: its moves, or the outcomes of a draw, and how many of them have been tried; what is being
    done; the window; and the value so far, as the first player sees it, with the move that it comes by.

    Where chance draws, also the weights of the outcomes with their ``total``; the bounds ``known`` of each, and their
    ``sums``, weighted; and the window ``asked`` of the outcome that is looked at."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    phase: int
    window: Interval
    value: Fraction
    best_move: int
    weights: ints[MOVES]
    total: int
    known: Array[Interval, MOVES]
    sums: Interval
    asked: Interval


class Search:
    """A search under way, which looks so many plies ahead of its root. Counts go on from one search to the next."""

    rules: Context
    path: list[Ply]
    watch: Watch
    arithmetic: Arithmetic
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
    search.nodes += 1
    root = search.path[0]
    put_whole(root.window.low, LOW)
    put_whole(root.window.high, HIGH)
    if not enter(search, root, search.plies):
        comes_back(search.watch, root.state, 0)


def go_on(search: Search, budget: int) -> int:
    """Make so many moves more; the depth that the search has come to, or one of the answers."""
    left: int = budget
    while left > 0:
        ply = search.path[search.depth]
        if has_more(ply):
            left -= 1
            ply.tried += 1
            there = search.path[search.depth + 1]
            if is_to_be_searched(search, ply, there):
                if look(search, ply, there):
                    take(search, ply, there)
                elif comes_back(search.watch, there.state, search.depth + 1):
                    return COMES_BACK
                else:
                    search.depth += 1
                    if search.depth + 2 >= len(search.path):
                        left = 0
        elif actor(ply.state) == CHANCE and ply.phase == PROBING:
            ply.phase, ply.tried = SEARCHING, 0
        else:
            finish(search, ply)
            if search.depth == 0:
                return DONE if search.arithmetic.overflows == 0 else BEYOND
            go_back(search.watch, search.depth)
            search.depth -= 1
            take(search, search.path[search.depth], ply)
        if search.arithmetic.overflows != 0:
            return BEYOND
        if search.rules[0] != 0:
            left = 0
    return search.depth


def is_empty(window: Interval) -> bool:
    """Whether no value matters."""
    return not is_less(window.low, window.high)


def has_more(ply: Ply) -> bool:
    """Whether anything is still to be tried in a position, as it is being searched."""
    if ply.phase == DECIDED or ply.tried == ply.count:
        return False
    if actor(ply.state) == CHANCE:
        return True
    return not (ply.phase == PROBING and ply.tried > 0) and not is_empty(ply.window)


def is_to_be_searched(search: Search, ply: Ply, there: Ply) -> bool:
    """Make the last move tried. Whether what it leads to is to be searched: not an outcome that is known already, and
    among those that are to be probed none behind which nobody moves."""
    is_draw: bool = actor(ply.state) == CHANCE
    if is_draw and PROBES != 0:
        known = ply.known[ply.tried - 1]
        if is_equal(known.low, known.high):
            return False
    copy(there.state, ply.state, STATE)
    apply(search.rules, there.state, ply.legal[ply.tried - 1])
    return not is_draw or ply.phase != PROBING or is_probed(search, ply, there)


def is_probed(search: Search, ply: Ply, there: Ply) -> bool:
    """Whether the position behind an outcome is probed before it is searched."""
    return PROBES != 0 and actor(ply.state) == CHANCE and search.plies - search.depth > 1 and actor(there.state) >= 0


def look(search: Search, ply: Ply, there: Ply) -> bool:
    """Come to the position behind what was tried last, with a window. Whether its value is known at once, which it is
    not where something is probed."""
    if actor(ply.state) == CHANCE:
        ask(search, ply)
        put_interval(there.window, ply.asked)
    else:
        put_interval(there.window, ply.window)
    is_known: bool = enter(search, there, search.plies - search.depth - 1)
    if not is_probed(search, ply, there):
        search.nodes += 1
    elif ply.phase == PROBING:
        search.nodes += 1
        probe(there)
    else:
        resume(search, ply, there)
    return is_known


def enter(search: Search, ply: Ply, plies: int) -> bool:
    """Come to a position with so many plies left. Whether its value is known at once."""
    ply.count, ply.tried, ply.total = 0, 0, 0
    ply.phase, ply.best_move = SEARCHING, NO_MOVE
    put_whole(ply.value, 0)
    if goes_on(search.rules, ply.state, plies):
        ply.count = list_next(search.rules, ply.state, ply.legal, ply.weights)
        if actor(ply.state) == CHANCE:
            begin_draw(search, ply)
            if PROBES != 0 and plies > 1:
                ply.phase = PROBING
        return False
    if actor(ply.state) == END:
        search.terminals += 1
    else:
        search.estimates += 1
    ply.phase = DECIDED
    put_whole(ply.value, worth(search.rules, ply.state, 0, search.arithmetic))
    return True


def begin_draw(search: Search, ply: Ply) -> None:
    """Nothing is known of any outcome but what holds of all values."""
    ply.total = sum_of(ply.weights, ply.count)
    for k in range(ply.count):
        put_whole(ply.known[k].low, LOW)
        put_whole(ply.known[k].high, HIGH)
    put_whole(ply.sums.low, product(ply.total, LOW, search.arithmetic))
    put_whole(ply.sums.high, product(ply.total, HIGH, search.arithmetic))


def probe(ply: Ply) -> None:
    """Search the first move of a player alone, in a window that is open to his side."""
    ply.phase = PROBING
    if actor(ply.state) == 0:
        put_whole(ply.window.low, LOW)
    else:
        put_whole(ply.window.high, HIGH)


def resume(search: Search, ply: Ply, there: Ply) -> None:
    """Go on with a position whose first move has been searched, by a probe; what it leads to is a bound by now."""
    known = ply.known[ply.tried - 1]
    if actor(there.state) == 0:
        put(there.value, known.low)
    else:
        put(there.value, known.high)
    there.tried, there.best_move = 1, 0
    narrow(there)


def finish(search: Search, ply: Ply) -> None:
    """All that matters of a position has been searched."""
    if actor(ply.state) == CHANCE:
        if ply.phase != DECIDED:
            put(ply.value, ply.sums.low)
            divide(ply.value, ply.total, search.arithmetic)
    elif ply.phase == SEARCHING and ply.tried < ply.count:
        search.cutoffs += 1


def take(search: Search, ply: Ply, there: Ply) -> None:
    """The last move tried, or outcome, leads to the value of the next position."""
    if actor(ply.state) == CHANCE:
        note(search, ply, there)
        if is_decided(search, ply):
            if ply.phase == PROBING or ply.tried < ply.count:
                search.cutoffs += 1
            ply.phase = DECIDED
    else:
        is_first: bool = actor(ply.state) == 0
        if ply.best_move == NO_MOVE or (
            is_less(ply.value, there.value) if is_first else is_less(there.value, ply.value)
        ):
            put(ply.value, there.value)
            ply.best_move = ply.tried - 1
        narrow(ply)


def narrow(ply: Ply) -> None:
    """The player who moves has been promised the value so far."""
    if actor(ply.state) == 0:
        if is_less(ply.window.low, ply.value):
            put(ply.window.low, ply.value)
    elif is_less(ply.value, ply.window.high):
        put(ply.window.high, ply.value)


# ------------------------------------------------------------------ draws


def ask(search: Search, ply: Ply) -> None:
    """Find out between what values the outcome tried last matters. An edge of the window that is one of all values
    leaves what is known of the outcome."""
    known = ply.known[ply.tried - 1]
    weight: int = ply.weights[ply.tried - 1]
    edge = Fraction()
    put_interval(ply.asked, known)
    if not is_whole(ply.window.low, LOW):
        put_negative(edge, ply.sums.high)
        add(edge, ply.total, ply.window.low, search.arithmetic)
        divide(edge, weight, search.arithmetic)
        add(edge, 1, known.high, search.arithmetic)
        if is_less(ply.asked.low, edge):
            put(ply.asked.low, edge)
    if not is_whole(ply.window.high, HIGH):
        put_negative(edge, ply.sums.low)
        add(edge, ply.total, ply.window.high, search.arithmetic)
        divide(edge, weight, search.arithmetic)
        add(edge, 1, known.low, search.arithmetic)
        if is_less(edge, ply.asked.high):
            put(ply.asked.high, edge)


def note(search: Search, ply: Ply, there: Ply) -> None:
    """What the next position is worth says of the outcome tried last: a bound, or both if it lies in the window that
    was asked about."""
    if ply.phase == PROBING:
        if actor(there.state) == 0:
            raise_low(search, ply, there.value)
        else:
            lower_high(search, ply, there.value)
    else:
        if is_less(there.value, ply.asked.high):
            lower_high(search, ply, there.value)
        if is_less(ply.asked.low, there.value):
            raise_low(search, ply, there.value)


def raise_low(search: Search, ply: Ply, bound: Fraction) -> None:
    """The outcome tried last is worth at least this."""
    put_bound(ply.sums.low, ply.known[ply.tried - 1].low, ply.weights[ply.tried - 1], bound, search.arithmetic)


def lower_high(search: Search, ply: Ply, bound: Fraction) -> None:
    """The outcome tried last is worth at most this."""
    put_bound(ply.sums.high, ply.known[ply.tried - 1].high, ply.weights[ply.tried - 1], bound, search.arithmetic)


def put_bound(sums: Fraction, known: Fraction, weight: int, bound: Fraction, arithmetic: Arithmetic) -> None:
    """Know a better bound of an outcome, and its share in the sum of all."""
    add(sums, weight, bound, arithmetic)
    add(sums, -weight, known, arithmetic)
    put(known, bound)


def is_decided(search: Search, ply: Ply) -> bool:
    """Whether a draw lies outside its window; its value is then a bound that shows it."""
    edge = Fraction()
    put_multiple(edge, ply.total, ply.window.low, search.arithmetic)
    if not is_less(edge, ply.sums.high):
        put(ply.value, ply.sums.high)
    else:
        put_multiple(edge, ply.total, ply.window.high, search.arithmetic)
        if is_less(ply.sums.low, edge):
            return False
        put(ply.value, ply.sums.low)
    divide(ply.value, ply.total, search.arithmetic)
    return True


def put_interval(target: Interval, source: Interval) -> None:
    """Make it what another one is."""
    put(target.low, source.low)
    put(target.high, source.high)
