"""Alpha-beta.

What it computes: the value that minimax computes, and one first move that secures it, without visiting states that
cannot change them. Source: Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975);
this is the fail-soft form of Fishburn (1983), with the moves in the order of the game.

``alpha`` is what the first player can already secure elsewhere, ``beta`` what the opponent can already hold them to.
As soon as alpha >= beta, one of the two has something at least as good elsewhere and will avoid this state: the
remaining moves are cut off.

Invariant (fail-soft): a call with the window (alpha, beta) returns the value v of its state if alpha < v < beta, an
upper bound of the value if it returns a number <= alpha, and a lower bound if it returns one >= beta. Hence a first
move that merely equals the best one before it may in truth be worse: only the first best move is certain.

Cost: O(b^m) at worst like minimax, and b^ceil(m/2) + b^floor(m/2) - 1 leaves when the best move always comes first;
memory O(b m).

Searched to a depth, a state at the horizon is worth its estimate. A table is for searches to the end alone: what an
entry knows would hold for its own depth only, which :mod:`.window` takes into account.

A transposition table stores positions that have been searched, since different orders of the same moves lead to the
same position. Source: Greenblatt, Eastlake and Crocker, "The Greenblatt chess program" (1967); Breuker, "Memory versus
search in games" (1998), whose form of the bounds this is. An entry holds the whole key, so that no two positions are
ever confused; a value, with whether it is exact, a lower or an upper bound; and the best move, which is tried first
when the position comes up again. Earnings on the way belong to the play and not to the position, so the value excludes
them. Where the rules look at the history of the play an entry counts for the plays that have its past
(:mod:`.past`). A new entry replaces the one in its slot. A table without entries means no table.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    PAST,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    add_reads,
    after,
    array,
    earned,
    ints,
    moves,
    pack,
    take_reads,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.endgames import Endgames, is_known
from zermelo.solvers.kernels.ends import goes_beyond, known_worth
from zermelo.solvers.kernels.past import Pasts, is_past_of, keep
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import is_same, slot_of

EXACT = 1
LOWER = 2
UPPER = 3

NOWHERE = -1


class Entry:
    """A position in the table: the value from there on, and the kind of ``bound`` that it is; 0 marks an empty slot."""

    key: ints[KEY]
    value: int
    bound: int
    move: int
    past: ints[PAST]


class Search:
    """A search in progress, the values of the first moves that have been ``tried``, and its depth in plies. Counts go
    on from one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    endgames: Endgames
    table: list[Entry]
    pasts: Pasts
    values: ints[MOVES]
    tried: int
    value: int
    plies: int
    depth: int
    nodes: int
    terminals: int
    lookups: int
    estimates: int
    cutoffs: int
    hits: int


def alphabeta(search: Search, state: State, alpha: int, beta: int) -> Visit[int]:
    """The value of a state if it lies between alpha and beta, else a bound on the same side."""
    search.nodes += 1
    if not goes_beyond(search.rules, search.endgames, state, search.plies - search.depth, search.depth):
        if actor(state) == END:
            search.terminals += 1
        elif is_known(search.endgames, state):
            search.lookups += 1
        else:
            search.estimates += 1
        return known_worth(search.rules, search.endgames, state, 0)
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    known = NOWHERE if search.depth == 0 else look_up(search, state)  # the moves of the root are wanted
    if known != NOWHERE and settles(search.table[known], alpha - earned(state, 0), beta - earned(state, 0)):
        search.hits += 1
        add_reads(search.rules, search.table[known].past)
        go_back(search.watch, search.depth)
        return search.table[known].value + earned(state, 0)
    outer = array(PAST)
    take_reads(search.rules, outer)
    legal = array(MOVES)
    count: int = moves(search.rules, state, legal)
    if known != NOWHERE:
        put_first(legal, count, search.table[known].move)
    least: int = alpha
    most: int = beta
    best: int = -INFINITE if actor(state) == 0 else INFINITE
    best_move: int = 0
    for k in range(count):
        value = yield alphabeta(search, after(search.rules, state, legal[k]), alpha, beta)
        if search.depth == 0:
            search.values[k], search.tried = value, k + 1
        if actor(state) == 0 and value > best:
            best, best_move = value, legal[k]
            alpha = max(alpha, best)
        elif actor(state) != 0 and value < best:
            best, best_move = value, legal[k]
            beta = min(beta, best)
        if alpha >= beta:
            if k + 1 < count:
                search.cutoffs += 1
            break
    note(search, state, best, UPPER if best <= least else LOWER if best >= most else EXACT, best_move)
    add_reads(search.rules, outer)
    go_back(search.watch, search.depth)
    return best


def look_up(search: Search, state: State) -> int:
    """The slot of a position in the table, or ``NOWHERE``."""
    if len(search.table) == 0:
        return NOWHERE
    key = array(KEY)
    pack(state, key)
    place: int = slot_of(key, len(search.table))
    entry = search.table[place]
    is_here: bool = entry.bound != 0 and is_same(entry.key, key)
    return place if is_here and is_past_of(search.pasts, search.rules, state, entry.past) else NOWHERE


def settles(known: Entry, alpha: int, beta: int) -> bool:
    """Whether an entry settles a position for a window on the value from there on."""
    return (
        known.bound == EXACT
        or (known.bound == LOWER and known.value >= beta)
        or (known.bound == UPPER and known.value <= alpha)
    )


def put_first(legal: ints[MOVES], count: int, move: int) -> None:
    """Put a move before all others, if it is among them."""
    at: int = 0
    while at < count and legal[at] != move:
        at += 1
    if at < count:
        for k in range(at):
            legal[at - k] = legal[at - k - 1]
        legal[0] = move


def note(search: Search, state: State, value: int, bound: int, move: int) -> None:
    """Store what has been found for a position."""
    if len(search.table) > 0:
        key = array(KEY)
        pack(state, key)
        entry = search.table[slot_of(key, len(search.table))]
        take_reads(search.rules, entry.past)
        add_reads(search.rules, entry.past)
        if PAST > 0 and not keep(search.pasts, search.rules, state, entry.past):
            entry.bound = 0
            return
        for k in range(KEY):
            entry.key[k] = key[k]
        entry.value, entry.bound, entry.move = value - earned(state, 0), bound, move


def spread(search: Search, first: int, end: int) -> None:
    """Rehash some entries: the table has grown, and they stand where they stood in the smaller one. Both sizes are
    powers of 2, so none goes where another one stood, and nothing is lost."""
    for place in range(first, end):
        entry = search.table[place]
        if entry.bound != 0:
            new = search.table[slot_of(entry.key, len(search.table))]
            bound: int = entry.bound
            entry.bound = 0
            for k in range(KEY):
                new.key[k] = entry.key[k]
            for k in range(PAST):
                new.past[k] = entry.past[k]
            new.value, new.bound, new.move = entry.value, bound, entry.move


def start(search: Search) -> None:
    """Nothing has been searched."""
    forget(search.watch)
    search.depth, search.tried = 0, 0
