"""Walks: count the plays of a given length (perft), outcomes of chance among the moves.

Plays that end earlier do not count. At the last step moves are counted without being made. A table remembers how many
plays go on from a position, and of what length; a new entry replaces the one in its place, and a table without entries
is none.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    KEY,
    MOVES,
    STATE,
    Context,
    State,
    apply,
    array,
    copy,
    ints,
    pack,
    poll,
)
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.states import is_same, list_next, slot_of

MANY = 2305843009213693951


class Ply:
    """A position on the path: what may happen next, how much of it has been tried, and how many plays had been counted
    before."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    before: int


class Entry:
    """How many plays of a length go on from a position; there is no entry for a length of 0."""

    key: ints[KEY]
    length: int
    plays: int


class Search:
    """A walk under way. ``length`` is how long plays are, at least 1; ``nodes`` are the moves made."""

    rules: Context
    path: list[Ply]
    table: list[Entry]
    weights: ints[MOVES]
    length: int
    depth: int
    nodes: int
    plays: int


def start(search: Search) -> None:
    """Put the walk at its root, the first state of the path."""
    search.depth, search.nodes, search.plays = 0, 0, 0
    enter(search, search.path[0])


def go_on(search: Search, budget: int) -> int:
    """Make so many moves more; the depth that the walk has come to, or one of the answers."""
    left: int = budget
    while left > 0:
        ply = search.path[search.depth]
        if search.depth + 1 == search.length:
            search.plays += ply.count
            ply.tried = ply.count
        if ply.tried < ply.count:
            left -= 1
            there = search.path[search.depth + 1]
            copy(there.state, ply.state, STATE)
            apply(search.rules, there.state, ply.legal[ply.tried])
            ply.tried += 1
            search.nodes += 1
            if not is_known(search, there):
                enter(search, there)
                search.depth += 1
                if search.depth + 2 >= len(search.path):
                    left = 0
        else:
            note(search, ply)
            if search.depth == 0:
                return DONE
            search.depth -= 1
        if search.plays > MANY:
            return BEYOND
        if search.rules[0] != 0 or poll() != 0:
            left = 0
    return search.depth


def enter(search: Search, ply: Ply) -> None:
    """A new position, from which nothing has been tried."""
    ply.tried, ply.before = 0, search.plays
    ply.count = list_next(search.rules, ply.state, ply.legal, search.weights)


def is_known(search: Search, ply: Ply) -> bool:
    """Whether the table knows how many plays go on from the next position of the path; if so, they count."""
    if len(search.table) == 0 or search.depth + 2 >= search.length:
        return False
    key = array(KEY)
    pack(ply.state, key)
    entry = search.table[slot_of(key, len(search.table))]
    if entry.length != search.length - search.depth - 1 or not is_same(entry.key, key):
        return False
    search.plays += entry.plays
    return True


def note(search: Search, ply: Ply) -> None:
    """Note in the table how many plays go on from the last position of the path."""
    if len(search.table) > 0 and search.depth + 1 < search.length:
        key = array(KEY)
        pack(ply.state, key)
        entry = search.table[slot_of(key, len(search.table))]
        for k in range(KEY):
            entry.key[k] = key[k]
        entry.length, entry.plays = search.length - search.depth, search.plays - ply.before
