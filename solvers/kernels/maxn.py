"""Max^n.

What it computes: payoffs that every player can expect if all play best, in a finite game of perfect information for
any number of players, with any payoffs, with or without chance. Source: Luckhart and Irani, "An algorithmic solution
of N-person games", AAAI 1986. For one player it looks for their best payoff; for two players with constant sum it is
minimax; economists call it backward induction, and what it finds a subgame-perfect equilibrium (Selten 1965).

A state is worth a tuple, one share for each player: at the end the payoffs; where player i is to move, the tuple of the
successors that is greatest in place i; where chance draws, the mean of the successors' tuples.

Ties matter: a move that is as good as another for the player who makes it can make all the difference to the others.
So the search backs up two things. The *reported* tuple is that of the first best move in the order of the game. The
*reachable* tuples are all that arise if ties are broken in every possible way. For player i and successors with the
reachable sets V1, V2, ...: a tuple v of some Vk is reachable if and only if every other successor can lead to something
that is no better for them, so that

    V = { v in V1 + V2 + ... : v[i] >= m },    m = the greatest over k of (the least u[i] for u in Vk).

(For the state that attains m, all its tuples pass; so m is the least u[i] for u in V, and a set can take up the next
one without knowing more.) For chance, V holds the means of all choices of one tuple from each Vk. The reported tuple
is always a reachable one. A set of more than ``most`` tuples is given up, and with it those of all states before.

The sets of all frames of the call stack stand one behind the other in one list, each with its reported tuple first. A
call puts its set right behind that of its caller, which merges it in place. Where chance draws, tuples are sums until
all outcomes are known.

Searched to a depth, a state at the horizon is worth its estimates, one for each player; no bounds
are known that would make pruning worth while.

Cost: every state of the tree is visited once, O(b^m); memory O(b m) and, with ties, sets of tuples.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    PLAYERS,
    Array,
    Call,
    Context,
    GiveUp,
    State,
    Visit,
    actor,
    after,
    array,
)
from zermelo.solvers.kernels.answers import COMES_BACK, note_beyond
from zermelo.solvers.kernels.endgames import Endgames, is_known
from zermelo.solvers.kernels.ends import goes_beyond, known_worth
from zermelo.solvers.kernels.fractions import Fraction, add, divide, is_equal, is_less, put, put_whole
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import list_next, sum_of

GIVEN_UP = -1
"""The size of a set that has been given up: only its reported tuple is kept."""


class Tuple:
    """A share for each player, in parts of one unit."""

    shares: Array[Fraction, PLAYERS]


class Search:
    """A search in progress, and its depth in plies; the reported tuples of the first moves that have been ``tried``;
    the sets of the calls, and the size up to which one is kept. ``value`` is the size of the root's. Counts go on from
    one search to the next."""

    rules: Context
    calls: list[Call]
    watch: Watch
    endgames: Endgames
    values: Array[Tuple, MOVES]
    tried: int
    reachable: list[Tuple]
    most: int
    value: int
    plies: int
    depth: int
    nodes: int
    terminals: int
    lookups: int
    estimates: int


def maxn(search: Search, state: State, begin: int) -> Visit[int]:
    """How many tuples are reachable from a state. They are put into the list from ``begin`` on."""
    search.nodes += 1
    if not goes_beyond(search.rules, search.endgames, state, search.plies - search.depth, search.depth):
        if actor(state) == END:
            search.terminals += 1
        elif is_known(search.endgames, state):
            search.lookups += 1
        else:
            search.estimates += 1
        if has_room(search, begin):
            for player in range(PLAYERS):
                put_whole(
                    search.reachable[begin].shares[player], known_worth(search.rules, search.endgames, state, player)
                )
        return 1
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    legal = array(MOVES)
    weights = array(MOVES)
    count: int = list_next(search.rules, state, legal, weights)
    size: int = 0
    if actor(state) == CHANCE and has_room(search, begin):
        size = 1
        for player in range(PLAYERS):
            put_whole(search.reachable[begin].shares[player], 0)
    for k in range(count):
        found = yield maxn(search, after(search.rules, state, legal[k]), begin + room_of(size))
        if search.depth == 0:
            put_tuple(search.values[k], search.reachable[begin + room_of(size)])
            search.tried = k + 1
        if actor(state) == CHANCE:
            size = draw(search, begin, size, weights[k], found)
        else:
            size = choose(search, begin, size, actor(state), found)
    if actor(state) == CHANCE:
        total: int = sum_of(weights, count)
        for k in range(begin, begin + room_of(size)):
            divide_tuple(search.rules, search.reachable[k], total)
    go_back(search.watch, search.depth)
    return size if size <= search.most else GIVEN_UP


def start(search: Search) -> None:
    """Nothing has been searched."""
    forget(search.watch)
    search.depth, search.tried = 0, 0
    search.calls[0].begin = 0


# ------------------------------------------------------------------- sets


def room_of(size: int) -> int:
    """The places in the list that a set of this size takes."""
    return 1 if size == GIVEN_UP else size


def has_room(search: Search, place: int) -> bool:
    """Whether the list has this place; if not, the search is abandoned."""
    if place < len(search.reachable):
        return True
    note_beyond(search.rules)
    return False


def choose(search: Search, begin: int, size: int, player: int, found: int) -> int:
    """A player may choose the set ``found`` last, which stands behind the set so far: keep the tuples of both that
    bring them as much as they have secured by now. The size of the merged set."""
    there: int = begin + room_of(size)
    if size == 0:
        return found
    is_better: bool = is_less(search.reachable[begin].shares[player], search.reachable[there].shares[player])
    if size == GIVEN_UP or found == GIVEN_UP:
        if is_better:
            put_tuple(search.reachable[begin], search.reachable[there])
        return GIVEN_UP
    here: int = least(search, begin, begin + size, player)
    other: int = least(search, there, there + found, player)
    secured = Fraction()
    put(secured, search.reachable[here].shares[player])
    if is_less(secured, search.reachable[other].shares[player]):
        put(secured, search.reachable[other].shares[player])
    end: int = throw_out(search, begin, begin + size, player, secured)
    reported: int = place_of(search, begin, end, search.reachable[there]) if is_better else begin
    for k in range(there, there + found):
        added = search.reachable[k]
        if not is_less(added.shares[player], secured) and place_of(search, begin, end, added) == end:
            if end < k:
                put_tuple(search.reachable[end], added)
            end += 1
    if reported > begin:
        swap(search.reachable[begin], search.reachable[reported])
    return end - begin


def least(search: Search, begin: int, end: int, player: int) -> int:
    """The tuple that brings a player the least."""
    found: int = begin
    for k in range(begin + 1, end):
        if is_less(search.reachable[k].shares[player], search.reachable[found].shares[player]):
            found = k
    return found


def throw_out(search: Search, begin: int, end: int, player: int, secured: Fraction) -> int:
    """Keep the tuples that bring a player as much as they have secured; where these end."""
    kept: int = begin
    for k in range(begin, end):
        if not is_less(search.reachable[k].shares[player], secured):
            if kept < k:
                put_tuple(search.reachable[kept], search.reachable[k])
            kept += 1
    return kept


def draw(search: Search, begin: int, size: int, weight: int, found: int) -> int:
    """Chance may come to what has been ``found`` last, which stands behind a set: add so many times each of its tuples
    to each. The sums are put behind all others first, for some may be the same; a single tuple leaves those apart that
    are. The size of the set then."""
    there: int = begin + room_of(size)
    if found == 1 or found == GIVEN_UP or size == GIVEN_UP:
        for k in range(begin, there):
            add_tuple(search.rules, search.reachable[k], weight, search.reachable[there])
        return size if found == 1 else GIVEN_UP
    sums: int = there + found
    end: int = sums
    for k in range(begin, there):
        for i in range(there, sums):
            if end - sums <= search.most and has_room(search, end):
                put_tuple(search.reachable[end], search.reachable[k])
                add_tuple(search.rules, search.reachable[end], weight, search.reachable[i])
                if place_of(search, sums, end, search.reachable[end]) == end:
                    end += 1
    size = end - sums if end - sums <= search.most else GIVEN_UP
    for k in range(room_of(size)):
        put_tuple(search.reachable[begin + k], search.reachable[sums + k])
    return size


# ----------------------------------------------------------------- tuples


def place_of(search: Search, begin: int, end: int, wanted: Tuple) -> int:
    """Where a tuple stands among some, or their end."""
    for k in range(begin, end):
        if is_same_tuple(search.reachable[k], wanted):
            return k
    return end


def is_same_tuple(one: Tuple, other: Tuple) -> bool:
    """Whether two tuples are equal."""
    for player in range(PLAYERS):
        if not is_equal(one.shares[player], other.shares[player]):
            return False
    return True


def put_tuple(target: Tuple, source: Tuple) -> None:
    """Make it what another one is."""
    for player in range(PLAYERS):
        put(target.shares[player], source.shares[player])


def swap(one: Tuple, other: Tuple) -> None:
    """Make each what the other one is."""
    kept = Tuple()
    put_tuple(kept, one)
    put_tuple(one, other)
    put_tuple(other, kept)


def add_tuple(rules: Context, target: Tuple, weight: int, term: Tuple) -> None:
    """Add so many times a tuple."""
    for player in range(PLAYERS):
        add(rules, target.shares[player], weight, term.shares[player])


def divide_tuple(rules: Context, target: Tuple, number: int) -> None:
    """Divide by a number above 0."""
    for player in range(PLAYERS):
        divide(rules, target.shares[player], number)
