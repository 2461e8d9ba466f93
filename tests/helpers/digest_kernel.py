"""A kernel that visits all histories and tells them apart by the digests of what players perceive."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOVES,
    STATE,
    Context,
    State,
    actor,
    apply,
    array,
    begin,
    copy,
    ints,
    mix,
    moves,
    outcomes,
    perceive,
    perceived,
    set_up,
)


class Frame:
    """A history on the path. ``made`` is its latest move, and ``last`` the place of the latest decision of a player."""

    state: State
    legal: ints[MOVES]
    count: int
    tried: int
    last: int
    made: int


class Known:
    """A history with its actor, or an information set with its player and 1: the digest of what they perceived."""

    who: int
    low: int
    high: int


class Search:
    """``table`` is a hash table of the information sets, and ``found`` has the first histories."""

    rules: Context
    path: list[Frame]
    weights: ints[MOVES]
    table: list[Known]
    found: list[Known]
    depth: int
    histories: int
    sets: int


def visit(search: Search) -> None:
    """Visit all histories, depth first."""
    set_up(search.rules, search.path[0].state)
    copy(search.path[1].state, search.path[0].state, STATE)
    begin(search.rules, search.path[1].state)
    search.path[0].made, search.path[1].last = -1, 0
    search.depth = 1
    enter(search, search.path[1])
    while search.depth > 0:
        here = search.path[search.depth]
        if here.tried == here.count:
            search.depth -= 1
        else:
            here.made = here.legal[here.tried]
            here.tried += 1
            there = search.path[search.depth + 1]
            there.last = here.last if actor(here.state) == CHANCE else search.depth
            copy(there.state, here.state, STATE)
            apply(search.rules, there.state, here.made)
            search.depth += 1
            enter(search, there)


def enter(search: Search, here: Frame) -> None:
    """Come to a history."""
    who: int = actor(here.state)
    digest = array(2)
    here.count, here.tried = 0, 0
    if who == CHANCE:
        here.count = outcomes(search.rules, here.state, here.legal, search.weights)
    else:
        before = search.path[here.last]
        perceive(search.rules, before.state, here.state, before.made)
    if who != CHANCE and who != END:
        here.count = moves(search.rules, here.state, here.legal)
        perceived(here.state, who, digest)
        note(search, who + 1, digest[0], digest[1])
    if search.histories < len(search.found):
        kept = search.found[search.histories]
        kept.who = who
        if who != CHANCE and who != END:
            kept.low, kept.high = digest[0], digest[1]
    search.histories += 1


def note(search: Search, who: int, low: int, high: int) -> None:
    """Enter an information set into the table, if it is new."""
    place: int = mix(mix(mix(0, who), low), high) % len(search.table)
    while search.table[place].who != 0:
        known = search.table[place]
        if known.who == who and known.low == low and known.high == high:
            return
        place = (place + 1) % len(search.table)
    new = search.table[place]
    new.who, new.low, new.high = who, low, high
    search.sets += 1
