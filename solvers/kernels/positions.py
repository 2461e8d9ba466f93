"""All reachable positions, each visited once, by one thread or several. The search is depth first::

    visit(position)
        mark it as open
        for each move:
            unless the next position is closed: visit it
        mark it as closed, with the length of the longest play from it

and a move to a position on the path of the same thread closes a cycle. Threads share only the table; for the
correctness of this see :mod:`zermelo.solvers.search.positions`.

The table is a lock-free hash table (Laarman, van de Pol and Weber, Boosting multi-core reachability performance with
shared hash tables, 2010). A row is claimed first, then filled, then marked as open; other threads that probe it wait
for that. Its key never changes afterwards, and closed positions stay closed. The key of an end includes its payoffs and
never equals that of another position. A full table is moved to a larger one, where every thread resumes its path.

A thread with a ``number`` above 0 tries moves in an order of its own, so that it works in another part of the game.
"""

from __future__ import annotations

from typing import Literal

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    State,
    acquire,
    actor,
    apply,
    array,
    claim,
    copy,
    ended,
    ints,
    mix,
    pack,
    release,
)
from zermelo.solvers.kernels.answers import COMES_BACK, DONE
from zermelo.solvers.kernels.states import hash_of, is_same, list_next

EMPTY = 0
WRITING = 1
OPEN = 2
LEFT = 3
"""Marks. A closed position, which the search has left, has this plus the length of the longest play from it."""

FLAGS = 32
"""The number of flags in one number."""


class Row:
    """A position in the table: its key, the payoffs if it is an end, and its mark."""

    key: ints[KEY]
    paid: ints[PLAYERS]
    mark: ints[Literal[1]]


class Ply:
    """A position on the path: its moves, the number of tried ones, its row, and the length of the longest play found
    from it."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    row: int
    longest: int


class Search:
    """The search of one thread: its path, and a flag for every row on it; ``nodes`` is the number of positions that it
    has entered, ``terminals`` that of ends among them, and ``has_loop`` tells whether it has found a cycle."""

    rules: Context
    path: list[Ply]
    table: list[Row]
    on_path: list[int]
    weights: ints[MOVES]
    number: int
    depth: int
    nodes: int
    terminals: int
    has_loop: bool


# ------------------------------------------------------------ the search


def start(search: Search) -> None:
    """Start at the root, the first state of the path."""
    search.depth, search.nodes, search.terminals, search.has_loop = 0, 0, 0, False
    root = search.path[0]
    enter(search, root, row_of(search, root.state))


def go_on(search: Search, budget: int) -> int:
    """Make ``budget`` more steps, each of which enters at most one position; the depth reached, or one of the answers.
    Only the first cycle is reported, and the search can continue."""
    left: int = budget
    while left > 0:
        left -= 1
        ply = search.path[search.depth]
        if ply.tried < ply.count:
            there = search.path[search.depth + 1]
            make_next(search, ply, there)
            row: int = row_of(search, there.state)
            mark: int = acquire(search.table[row].mark, 0)
            if mark != OPEN:
                ply.longest = max(ply.longest, mark - LEFT + 1)
            elif not is_on_path(search, row):
                search.depth += 1
                enter(search, there, row)
                if search.depth + 2 >= len(search.path):
                    left = 0
            elif not search.has_loop:
                search.has_loop = True
                return COMES_BACK
            if search.rules[0] != 0:
                left = 0
        else:
            finish(search, ply)
            if search.depth == 0:
                return DONE
            search.depth -= 1
            above = search.path[search.depth]
            above.longest = max(above.longest, ply.longest + 1)
    return search.depth


def enter(search: Search, ply: Ply, row: int) -> None:
    """Append a position to the path."""
    ply.row, ply.tried, ply.longest = row, 0, 0
    ply.count = list_next(search.rules, ply.state, ply.legal, search.weights)
    change_flag(search, row)


def finish(search: Search, ply: Ply) -> None:
    """Close the last position of the path, all of whose moves have been tried."""
    release(search.table[ply.row].mark, 0, ply.longest + LEFT)
    change_flag(search, ply.row)


def make_next(search: Search, ply: Ply, there: Ply) -> None:
    """Make the next move."""
    if search.number != 0:
        choose_next(ply, mix(ply.row + ply.tried, search.number))
    copy(there.state, ply.state, STATE)
    apply(search.rules, there.state, ply.legal[ply.tried])
    ply.tried += 1


def choose_next(ply: Ply, hash: int) -> None:
    """Choose the next one among the untried moves."""
    other: int = ply.tried + (((hash >> 20) & 65535) * (ply.count - ply.tried) >> 16)
    ply.legal[ply.tried], ply.legal[other] = ply.legal[other], ply.legal[ply.tried]


def is_on_path(search: Search, row: int) -> bool:
    """Whether the position of a row is on the path."""
    return (search.on_path[row // FLAGS] >> (row % FLAGS)) & 1 != 0


def change_flag(search: Search, row: int) -> None:
    """Toggle whether the position of a row is on the path."""
    search.on_path[row // FLAGS] = search.on_path[row // FLAGS] ^ (1 << (row % FLAGS))


# --------------------------------------------------------------- the table


def row_of(search: Search, state: State) -> int:
    """The row of a position, which is inserted if it is new."""
    key = array(KEY)
    paid = array(PLAYERS)
    is_end: bool = actor(state) == END
    pack(state, key)
    for p in range(PLAYERS):
        paid[p] = ended(state, p) if is_end else 0
    size: int = len(search.table)
    at: int = first_row(key, paid, size)
    while not takes(search.table[at], key, paid):
        if holds(search.table[at], key, paid):
            return at
        at = row_behind(at, size)
    release(search.table[at].mark, 0, OPEN)
    search.nodes += 1
    search.terminals += is_end
    return at


def first_row(key: ints[KEY], paid: ints[PLAYERS], size: int) -> int:
    """The first row to probe for a position."""
    hash: int = hash_of(key)
    for p in range(PLAYERS):
        hash = mix(hash, paid[p])
    return (hash >> 32) * size >> 31


def row_behind(at: int, size: int) -> int:
    """The next row to probe."""
    return at + 1 if at + 1 < size else 0


def takes(row: Row, key: ints[KEY], paid: ints[PLAYERS]) -> bool:
    """Whether this thread claims a row, which was empty: then the position is stored there, and is to be marked."""
    if acquire(row.mark, 0) != EMPTY or claim(row.mark, 0) == 0:
        return False
    for k in range(KEY):
        row.key[k] = key[k]
    for p in range(PLAYERS):
        row.paid[p] = paid[p]
    return True


def holds(row: Row, key: ints[KEY], paid: ints[PLAYERS]) -> bool:
    """Whether a row that is not empty has this position."""
    while acquire(row.mark, 0) == WRITING:
        pass
    for p in range(PLAYERS):
        if row.paid[p] != paid[p]:
            return False
    return is_same(row.key, key)


# --------------------------------------------------------- a larger table


def move_rows(table: list[Row], larger: list[Row], first: int, end: int) -> None:
    """Move a range of rows to a larger table."""
    size: int = len(larger)
    for old in range(first, end):
        row = table[old]
        if row.mark[0] != EMPTY:
            at: int = first_row(row.key, row.paid, size)
            while not takes(larger[at], row.key, row.paid):
                at = row_behind(at, size)
            release(larger[at].mark, 0, row.mark[0])


def take_over(search: Search, before: Search) -> None:
    """Resume a search in a larger table."""
    search.number, search.depth, search.has_loop = before.number, before.depth, before.has_loop
    for depth in range(before.depth + 1):
        ply = search.path[depth]
        old = before.path[depth]
        copy(ply.state, old.state, STATE)
        ply.count, ply.tried, ply.longest = old.count, old.tried, old.longest
        for k in range(ply.count):
            ply.legal[k] = old.legal[k]
        ply.row = row_of(search, ply.state)
        change_flag(search, ply.row)
    search.nodes, search.terminals = before.nodes, before.terminals
