"""Finding the kept positions of a game, with all that the turns between them can lead to
(:class:`zermelo.solvers.positions.folding.folded_graph.FoldedGraph`).

*Kept* are the root, the positions in which chance draws, the ends, and those in which a player decides right after
another one. A *turn* is what lies between: decisions of one player. A kept position has a *list* for each outcome of
chance: the kept positions to which the player whose turn it is then can bring the play, each once; if chance leads to
a kept position at once, that alone. (If a player decides in the kept position itself, it has one list.)

The lists are one stream. Its entries are the numbers of positions; that which begins a list is -1 minus twice the
number, minus 1 if the second player decides. After the last list there is one more such entry.

**Turns** are walked through depth first. Positions met in a turn are numbered from 0 in a table of their own, in which
they are forgotten when the list is written: so nothing is kept of them, and no list has an entry twice. If a turn comes
back to a position on the path, its player can stay in the turn for ever, and what that is worth no list can say:
``CANNOT_FOLD``. So every play passes kept positions again and again, and each list has a position.

A position may be kept and also be met within a turn of the same player, from which the turn goes on: it is worth the
same both ways.

Kept positions are numbered when they are met, breadth first, and found again by their keys, as in
:mod:`zermelo.solvers.kernels.position_graph`. All ends that pay the same are one position; they are numbered with the
others, by the amount.

Cost: one step for each move, times the turns in which it can be made; for each kept position its key, an entry of the
table and some numbers, for each entry of a list 32 bits.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    KEY,
    MOVES,
    PLAYERS,
    STATE,
    Context,
    State,
    actor,
    afresh,
    apply,
    copy,
    half,
    ints,
    is_within_round,
    pack,
    payoff,
    unpack,
)
from zermelo.solvers.kernels.answers import BEYOND, DONE
from zermelo.solvers.kernels.exploration import DRAWS, LACKS_ROOM, MOST_WEIGHT, PAYS
from zermelo.solvers.kernels.numbering import (
    Numbering,
    enter_again,
    expect_entry,
    expect_row,
    forget_last,
    hash_row,
    number_of,
)
from zermelo.solvers.kernels.offers import list_next

LACKS_TURN = -5
"""The answer when there is no room for a turn. Nothing is left of it, and it is walked through again."""

CANNOT_FOLD = -6
"""The answer if a turn comes back to a position, or players decide at once."""

OPEN = 1
CLOSED = 2
KEPT = 3
"""Marks of positions in a turn: on the path, left, and kept, with which the turn ends."""


class Ply:
    """A position on the path through a turn: its moves, the number of tried ones, and its own in the turn."""

    state: State
    legal: ints[MOVES]
    offered: int
    tried: int
    number: int


class Folding:
    """The kept positions so far. Position p has the entries of ``targets`` from ``firsts[p]`` up to ``firsts[p + 1]``;
    ``weights[draws[p]]`` is how many outcomes it has, whose weights follow. ``ends[k]`` is 1 more than the number of
    the end that pays the amount k, 0 if there is none yet.

    ``state`` is that of ``position``, of whose ``offered`` outcomes the lists of ``tried`` are written. In the turn at
    hand, ``met`` are the positions, with ``marks``, ``actors`` and ``hashes``; ``player`` decides in it; ``paid`` are
    the amounts of the ends met in it, ``ended`` many. ``edges`` entries, ``lists`` and ``weighed`` weights have been
    written, and ``made`` counts the moves. ``patterns`` says where the last of the ``different`` weights are."""

    rules: Context
    positions: Numbering
    amounts: Numbering
    kinds: list[half]
    firsts: list[int]
    draws: list[half]
    weights: list[half]
    targets: list[half]
    ends: list[half]
    met: Numbering
    marks: list[half]
    actors: list[half]
    hashes: list[int]
    path: list[Ply]
    paid: list[half]
    words: list[int]
    patterns: list[half]
    state: State
    key: ints[KEY]
    legal: ints[MOVES]
    drawn: ints[MOVES]
    position: int
    offered: int
    tried: int
    player: int
    ended: int
    edges: int
    lists: int
    weighed: int
    different: int
    made: int


# -------------------------------------------------------------- the search


def start(search: Folding) -> None:
    """Begin with the root, whose state is in the first place of the path."""
    for p in range(PLAYERS):
        search.words[p] = 0
    number_amount(search)
    root = search.path[0]
    afresh(root.state)
    search.position = -1
    hash: int = hash_state(search, root.state)
    search.kinds[number_of(search.positions, search.words, 0, hash)] = kind_of(root.state)


def go_on(search: Folding, budget: int) -> int:
    """Make ``budget`` more moves, about; ``DONE`` when all kept positions have had their turn, or another answer."""
    last: int = search.made + budget
    while search.made < last:
        if not has_room(search):
            return LACKS_ROOM
        if search.tried < search.offered:
            answer: int = add_list(search)
            if answer != 0:
                return answer
        elif search.position + 1 < search.positions.count:
            if not open_next(search):
                return BEYOND
        else:
            search.firsts[search.positions.count] = search.edges
            search.targets[search.edges] = -1
            return DONE
        if search.rules[0] != 0:
            return 0
    return 0


def has_room(search: Folding) -> bool:
    """Whether there is room for the list of a turn, and for the weights of a position."""
    turn: int = len(search.marks) + len(search.paid)
    positions: int = search.positions.count + turn
    return (
        positions < len(search.kinds)
        and 4 * positions <= 3 * len(search.positions.table)
        and search.edges + turn < len(search.targets)
        and search.weighed + MOVES < len(search.weights)
        and search.amounts.count + len(search.paid) <= len(search.ends)
        and 4 * (search.amounts.count + len(search.paid)) <= 3 * len(search.amounts.table)
    )


def open_next(search: Folding) -> bool:
    """List what may happen in the next kept position; False if a weight is too large."""
    search.position += 1
    search.made += 1
    search.firsts[search.position] = search.edges
    search.tried, search.offered = 0, 0
    kind: int = search.kinds[search.position]
    if kind <= PAYS:
        return True
    for k in range(KEY):
        search.key[k] = search.positions.rows[search.position * KEY + k]
    unpack(search.rules, search.state, search.key, kind if kind >= 0 else CHANCE)
    if kind >= 0:
        search.offered, search.drawn[0] = 1, 1
    else:
        search.offered = list_next(search.rules, search.state, search.legal, search.drawn)
        if search.rules[0] != 0:
            return True
        if not reduce_drawn(search):
            return False
    search.draws[search.position] = pattern_of(search)
    return True


def reduce_drawn(search: Folding) -> bool:
    """Divide the weights of all outcomes by their greatest common divisor; False if one is too large then."""
    divisor: int = 0
    for k in range(search.offered):
        rest: int = search.drawn[k]
        while rest != 0:
            divisor, rest = rest, divisor % rest
    for k in range(search.offered):
        search.drawn[k] = search.drawn[k] // divisor
        if search.drawn[k] > MOST_WEIGHT:
            return False
    return True


def pattern_of(search: Folding) -> int:
    """Where the weights of the position begin, which are written down unless they have been lately."""
    for k in range(min(search.different, len(search.patterns))):
        if is_pattern(search, search.patterns[k]):
            return search.patterns[k]
    first: int = search.weighed
    search.patterns[search.different % len(search.patterns)] = first
    search.different += 1
    search.weights[first] = search.offered
    for k in range(search.offered):
        search.weights[first + 1 + k] = search.drawn[k]
    search.weighed += 1 + search.offered
    return first


def is_pattern(search: Folding, first: int) -> bool:
    """Whether the weights of the position are those written at ``first``."""
    if search.weights[first] != search.offered:
        return False
    for k in range(search.offered):
        if search.weights[first + 1 + k] != search.drawn[k]:
            return False
    return True


# ---------------------------------------------------------------- the turn


def add_list(search: Folding) -> int:
    """Write the list of the next outcome; 0, or why it cannot be written."""
    ply = search.path[0]
    copy(ply.state, search.state, STATE)
    who: int = search.kinds[search.position]
    if who == DRAWS:
        apply(search.rules, ply.state, search.legal[search.tried])
        who = actor(ply.state)
    search.ended = 0
    search.player = who if who >= 0 else 0
    answer: int = 0
    if search.rules[0] == 0:
        answer = walk(search) if who >= 0 and who != CHANCE and who != END else meet(search, ply.state)
    if answer == 0 and search.rules[0] == 0:
        write_list(search)
        search.tried += 1
        search.lists += 1
    while search.met.count > 0:
        forget_last(search.met, search.hashes[search.met.count - 1])
    return answer


def walk(search: Folding) -> int:
    """Walk through the turn that begins with the first state of the path; 0, or why that cannot be done."""
    depth: int = 0
    answer: int = enter(search, depth)
    while answer == 0 and depth >= 0 and search.rules[0] == 0:
        ply = search.path[depth]
        if ply.tried == ply.offered:
            search.marks[ply.number] = CLOSED
            depth -= 1
        elif depth + 1 == len(search.path):
            return LACKS_TURN
        else:
            there = search.path[depth + 1]
            copy(there.state, ply.state, STATE)
            apply(search.rules, there.state, ply.legal[ply.tried])
            ply.tried += 1
            search.made += 1
            if search.rules[0] != 0:
                return 0
            if actor(there.state) != search.player:
                answer = meet(search, there.state)
            else:
                answer = enter(search, depth + 1)
                depth += answer == 0
                answer = 0 if answer == CLOSED else answer
    return answer


def enter(search: Folding, depth: int) -> int:
    """Put a state on the path; ``CLOSED`` if the turn has been there, or why it cannot be done."""
    if search.met.count == len(search.marks):
        return LACKS_TURN
    ply = search.path[depth]
    if is_within_round(ply.state) != 0:
        return CANNOT_FOLD
    hash: int = hash_state(search, ply.state)
    known: int = search.met.count
    ply.number = number_of(search.met, search.words, 0, hash)
    if ply.number < known:
        return CLOSED if search.marks[ply.number] == CLOSED else CANNOT_FOLD
    search.hashes[known], search.marks[known] = hash, OPEN
    ply.tried, ply.offered = 0, list_next(search.rules, ply.state, ply.legal, search.drawn)
    return 0


def meet(search: Folding, state: State) -> int:
    """Note the kept position of a state, with which a turn ends; 0, or why that cannot be done."""
    if actor(state) == END:
        if search.ended == len(search.paid):
            return LACKS_TURN
        for p in range(PLAYERS):
            search.words[p] = payoff(state, p)
        amount: int = number_amount(search)
        for k in range(search.ended):
            if search.paid[k] == amount:
                return 0
        search.paid[search.ended] = amount
        search.ended += 1
        return 0
    if search.met.count == len(search.marks):
        return LACKS_TURN
    if is_within_round(state) != 0:
        return CANNOT_FOLD
    hash: int = hash_state(search, state)
    known: int = search.met.count
    if number_of(search.met, search.words, 0, hash) == known:
        search.hashes[known], search.marks[known] = hash, KEPT
        search.actors[known] = kind_of(state)
        expect_entry(search.positions, hash)
    return 0


def kind_of(state: State) -> int:
    """The kind of a position that is no end."""
    return DRAWS if actor(state) == CHANCE else actor(state)


def hash_state(search: Folding, state: State) -> int:
    """The hash of a state's key, which is written into ``words``."""
    pack(state, search.key)
    for k in range(KEY):
        search.words[k] = search.key[k]
    return hash_row(search.words, 0, search.positions.width)


def number_amount(search: Folding) -> int:
    """The number of the amount in ``words``."""
    return number_of(search.amounts, search.words, 0, hash_row(search.words, 0, search.amounts.width))


def write_list(search: Folding) -> None:
    """Write the list of the turn that has been walked through."""
    first: int = search.edges
    for k in range(search.met.count):
        if search.marks[k] == KEPT:
            expect_row(search.positions, search.hashes[k])
    for k in range(search.met.count):
        if search.marks[k] == KEPT:
            known: int = search.positions.count
            number: int = number_of(search.positions, search.met.rows, k * KEY, search.hashes[k])
            if number == known:
                search.kinds[number] = search.actors[k]
            search.targets[search.edges] = number
            search.edges += 1
    for k in range(search.ended):
        if search.ends[search.paid[k]] == 0:
            add_end(search, search.paid[k])
        search.targets[search.edges] = search.ends[search.paid[k]] - 1
        search.edges += 1
    search.targets[first] = -1 - 2 * search.targets[first] - search.player


def add_end(search: Folding, amount: int) -> None:
    """Give an end a number; its row says nothing, and no key leads to it."""
    search.kinds[search.positions.count] = PAYS - amount
    search.positions.count += 1
    search.ends[amount] = search.positions.count


# ---------------------------------------------------------------- the host


def enter_positions(search: Folding, first: int, end: int) -> None:
    """Enter the positions of a range into a new table, all but ends."""
    for number in range(first, end):
        if search.kinds[number] > PAYS:
            enter_again(search.positions, number)
