"""Star1 and Star2: alpha-beta where chance takes part.

What they compute: what :mod:`.expectiminimax` computes, and one first move that secures it, without visiting states
that cannot change it. Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial
Intelligence 21 (1983); Hauk, Buro and Schaeffer, "*-minimax performance in backgammon", Computers and Games 2004.

A mean has bounds before all its terms are known. Every value lies between ``LOW`` and ``HIGH``, the least and the
most that the game can pay the first player; and of each outcome of a draw it is known that its value lies between two
bounds, at first these. So the mean lies between the means of the bounds. Once one of them has reached its edge of the
window (alpha, beta), the draw is *decided*, and the other outcomes need not be searched. And an outcome matters only as
far as it can still decide, or be the value::

    alpha_i = (total * alpha - sum of weight_j * high_j over all j but i) / weight_i
    beta_i  = (total * beta  - sum of weight_j * low_j  over all j but i) / weight_i

That is Star1. The first outcomes have wide windows there: a cut-off needs that most of the weight has been seen. Star2
(``PROBES``) mends that. If a player moves after the draw, one move already gives a bound: the first player gets at
least what one of their moves brings them, and at most what one of the opponent's leaves them. So before any outcome is
searched, all are *probed*: the first move after each is searched alone, in a window that is open on the side where it
proves nothing. So nothing is searched twice: the search of the outcome goes on behind that move.

Invariant: a call returns bounds of the value of its state. They are equal if the value lies in the window; otherwise
the one that shows on which side of it the value lies is as good as can be told, and the other one says nothing. All
lie between ``LOW`` and ``HIGH``, so at the edges of that range a bound is the value. Means and windows are fractions,
and exact.

Cost: as expectiminimax at worst. The better the first moves are, the more Star2 cuts off, down to one move an outcome.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    STATE,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    after,
    apply,
    array,
    copy,
    records,
    scratch,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.endgames import Endgames, is_known
from zermelo.solvers.kernels.ends import goes_beyond, known_worth
from zermelo.solvers.kernels.fractions import (
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
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import list_next, sum_of

PROBES: int
LOW: int
HIGH: int

SEARCHING = 0
"""All moves are searched."""

PROBING = 1
"""A player's first move alone is searched."""

RESUMING = 2
"""A player's other moves are searched, and everything where no player moves."""

NO_MOVE = -1


class Interval:
    """A window, or the bounds of a value."""

    low: Fraction
    high: Fraction


class Search:
    """A search in progress, and its depth in plies; the best first move (``NO_MOVE`` if none has been made). Counts go
    on from one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    endgames: Endgames
    everything: Interval
    best_move: int
    value: Interval
    plies: int
    depth: int
    nodes: int
    terminals: int
    lookups: int
    cutoffs: int
    estimates: int


def star(search: Search, state: State, window: Interval, bounds: Interval, task: int) -> Visit[Interval]:
    """Bounds on the value of a state for a window; ``bounds`` are known already."""
    first: int = 1 if task == RESUMING and actor(state) >= 0 else 0
    search.nodes += 1 - first
    if not goes_beyond(search.rules, search.endgames, state, search.plies - search.depth, search.depth):
        if actor(state) == END:
            search.terminals += 1
        elif is_known(search.endgames, state):
            search.lookups += 1
        else:
            search.estimates += 1
        put_whole(bounds.low, known_worth(search.rules, search.endgames, state, 0))
        put(bounds.high, bounds.low)
        return bounds
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    legal = array(MOVES)
    weights = array(MOVES)
    count: int = list_next(search.rules, state, legal, weights)
    if actor(state) == CHANCE:
        known = records(Interval, MOVES)
        for i in range(count):
            put_interval(known[i], search.everything)
        total: int = sum_of(weights, count)
        put_whole(bounds.low, product(search.rules, total, LOW))
        put_whole(bounds.high, product(search.rules, total, HIGH))
        last: int = 2 * count if PROBES != 0 and search.plies - search.depth > 1 else count
        for turn in range(last):
            k: int = turn if turn < count else turn - count
            if PROBES != 0 and is_equal(known[k].low, known[k].high):
                continue
            if turn < last - count and not leads_to_player(search.rules, state, legal[k]):
                continue
            task = SEARCHING if last == count else PROBING if turn < count else RESUMING
            asked = Interval()
            put_interval(asked, known[k])
            ask(search.rules, asked, window, total, bounds, weights[k])
            found = yield star(search, after(search.rules, state, legal[k]), asked, known[k], task)
            learn(search.rules, bounds, weights[k], known[k], found)
            if is_decided(search.rules, bounds, total, window):
                if turn + 1 < last:
                    search.cutoffs += 1
                break
        average(search.rules, bounds, total)
    else:
        if task == PROBING:
            count = 1
            open_side(window, actor(state))
        narrow(window, bounds, actor(state))
        begin_choice(bounds, actor(state))
        for k in range(first, count):
            if k > 0 and is_empty(window):
                search.cutoffs += 1
                open_end(bounds, actor(state))
                break
            found = yield star(search, after(search.rules, state, legal[k]), window, search.everything, SEARCHING)
            is_better: bool = take_up(bounds, found, actor(state))
            if search.depth == 0 and (k == 0 or is_better):
                search.best_move = legal[k]
            narrow(window, bounds, actor(state))
        if task == PROBING:
            open_end(bounds, actor(state))
    go_back(search.watch, search.depth)
    return bounds


# ---------------------------------------------------------------- players


def narrow(window: Interval, bounds: Interval, player: int) -> None:
    """Narrow the window to what the player to move has secured by the moves so far."""
    if player == 0:
        if is_less(window.low, bounds.low):
            put(window.low, bounds.low)
    elif is_less(bounds.high, window.high):
        put(window.high, bounds.high)


def open_side(window: Interval, player: int) -> None:
    """Open a window on the side of the player to move."""
    if player == 0:
        put_whole(window.low, LOW)
    else:
        put_whole(window.high, HIGH)


def open_end(bounds: Interval, player: int) -> None:
    """The player to move may get more by other moves."""
    if player == 0:
        put_whole(bounds.high, HIGH)
    else:
        put_whole(bounds.low, LOW)


def begin_choice(bounds: Interval, player: int) -> None:
    """From here on, bounds are those of the moves so far for the player to move: at first, what is known."""
    if player == 0:
        put(bounds.high, bounds.low)
    else:
        put(bounds.low, bounds.high)


def take_up(bounds: Interval, found: Interval, player: int) -> bool:
    """Take up the bounds found for a move; whether the move is proved better than all before."""
    low: bool = is_less(bounds.low, found.low) if player == 0 else is_less(found.low, bounds.low)
    high: bool = is_less(bounds.high, found.high) if player == 0 else is_less(found.high, bounds.high)
    if low:
        put(bounds.low, found.low)
    if high:
        put(bounds.high, found.high)
    return low if player == 0 else high


def is_empty(window: Interval) -> bool:
    """Whether no value matters."""
    return not is_less(window.low, window.high)


# ------------------------------------------------------------------ draws


def ask(rules: Context, asked: Interval, window: Interval, total: int, sums: Interval, weight: int) -> None:
    """Narrow the bounds of an outcome, in ``asked``, to the values that matter. An edge of the window at the bound of
    all values changes nothing."""
    edge = Fraction()
    low = Fraction()
    put(low, asked.low)
    if not is_whole(window.low, LOW):
        put_negative(edge, sums.high)
        add(rules, edge, total, window.low)
        divide(rules, edge, weight)
        add(rules, edge, 1, asked.high)
        if is_less(asked.low, edge):
            put(asked.low, edge)
    if not is_whole(window.high, HIGH):
        put_negative(edge, sums.low)
        add(rules, edge, total, window.high)
        divide(rules, edge, weight)
        add(rules, edge, 1, low)
        if is_less(edge, asked.high):
            put(asked.high, edge)


def leads_to_player(rules: Context, state: State, move: int) -> bool:
    """Whether a player moves after an outcome, so that it can be probed."""
    there = scratch()
    copy(there, state, STATE)
    apply(rules, there, move)
    return actor(there) >= 0


def learn(rules: Context, sums: Interval, weight: int, known: Interval, found: Interval) -> None:
    """Improve the bounds of an outcome, and the sums."""
    if is_less(known.low, found.low):
        add(rules, sums.low, weight, found.low)
        add(rules, sums.low, -weight, known.low)
        put(known.low, found.low)
    if is_less(found.high, known.high):
        add(rules, sums.high, weight, found.high)
        add(rules, sums.high, -weight, known.high)
        put(known.high, found.high)


def is_decided(rules: Context, sums: Interval, total: int, window: Interval) -> bool:
    """Whether a draw lies outside its window."""
    edge = Fraction()
    put_multiple(rules, edge, total, window.low)
    if not is_less(edge, sums.high):
        return True
    put_multiple(rules, edge, total, window.high)
    return not is_less(sums.low, edge)


def average(rules: Context, sums: Interval, total: int) -> None:
    """Turn sums into means."""
    is_exact: bool = is_equal(sums.low, sums.high)
    divide(rules, sums.low, total)
    if is_exact:
        put(sums.high, sums.low)
    else:
        divide(rules, sums.high, total)


def put_interval(target: Interval, source: Interval) -> None:
    """Copy an interval."""
    put(target.low, source.low)
    put(target.high, source.high)


def start(search: Search) -> None:
    """Nothing has been searched; only the bounds of all values are known."""
    forget(search.watch)
    search.depth, search.best_move = 0, NO_MOVE
    put_whole(search.everything.low, LOW)
    put_whole(search.everything.high, HIGH)
    first = search.calls[0]
    put_interval(first.window, search.everything)
    put_interval(first.bounds, search.everything)
    first.task = SEARCHING
