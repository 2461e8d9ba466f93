"""Depth-first proof-number search: can the first player get ``need`` or more? (Nagai, Df-pn algorithm for searching
AND/OR trees and its applications, 2002; :mod:`zermelo.solvers.search.dfpn` says it in Python, with its refinements.)

The *proof number* of a state says how many states at the edge of what has been searched must turn out well for the
first player to prove that he can, the *disproof number* how many for the second to refute it. Who is to move needs one
of their moves to turn out well, and of the other's moves everybody needs all::

    first to move:   proof = min of proof,   disproof = sum of disproof   over the moves
    second to move:  proof = sum of proof,   disproof = min of disproof

Both together are 0 and ``NEVER``, or ``NEVER`` and 0, where the answer is known. From each state the search goes down
the move that needs least, and stays below it while neither number comes up to its threshold, which is where another
move, or a state further up, begins to look better::

    search(state, thresholds)
        look at what is known behind each move
        while proof < proof_limit and disproof < disproof_limit:
            search(state after the most promising move, its thresholds)
        remember the numbers

As in :mod:`.minimax` the recursion is a path in an array. What is known of a state also bounds its value, whatever was
asked when that was found: ``low <= value <= high``.

The table has groups of eight entries; in a full group the one that took least work gives way. Entries are found by the
position and what has been earned. Where the rules look at the history of a play (``IS_HISTORY``) states are told apart
by their plays: each has a number, and its name is the number of the state before and the move.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    STATE,
    Array,
    Context,
    State,
    actor,
    apply,
    copy,
    earned,
    ints,
    mix,
    moves,
    pack,
    payoff,
)
from zermelo.solvers.kernels.answers import COMES_BACK, DONE
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.slots import hash_of, is_same

IS_HISTORY: int

NEVER = 1 << 60
"""How many states a player needs who cannot reach their aim any more."""

MANY = 1 << 44
"""The greatest sum."""

GROUP = 8


class Known:
    """What is known of a state: its proof and disproof numbers, and the bounds of its value."""

    proof: int
    disproof: int
    low: int
    high: int


class Ply:
    """A position on the path, and what is known behind so many of its moves, which are all if ``is_whole``; the number
    of the move tried last, from 1; the thresholds of its own numbers, how many nodes there were when it was entered,
    and its number in histories."""

    state: State
    legal: ints[MOVES]
    children: Array[Known, MOVES]
    count: int
    is_whole: bool
    tried: int
    proof_limit: int
    disproof_limit: int
    began: int
    number: int


class Name:
    """What tells a state from others: the key of its position and what has been earned; in histories the number of the
    state before and the move."""

    key: ints[KEY]
    beside: int


class Entry:
    """What the table knows of a state. The proof numbers belong to a question, the bounds to all; ``work`` is how many
    nodes it took to find that, at least 1 (0: there is no entry)."""

    name: Name
    known: Known
    need: int
    number: int
    work: int


class Search:
    """A search under way: ``low`` and ``high`` are the bounds of the value of the root in the end, ``numbers`` how many
    states in histories have been numbered."""

    rules: Context
    path: list[Ply]
    watch: Watch
    table: list[Entry]
    need: int
    low: int
    high: int
    depth: int
    nodes: int
    terminals: int
    hits: int
    numbers: int


class Outlook:
    """What a ply comes to, by what is known behind its moves. The player to move needs least behind move ``best``, and
    ``second`` behind the next best; ``others`` is what the other player needs in all."""

    known: Known
    best: int
    second: int
    others: int


# ------------------------------------------------------------ the search


def start(search: Search) -> None:
    """Put the search at its root, the first state of the path, with the number that it has in histories, if any."""
    forget(search.watch)
    root = search.path[0]
    comes_back(search.watch, root.state, 0)
    search.depth = 0
    search.nodes += 1
    if root.number == 0:
        root.number = new_number(search)
    root.proof_limit, root.disproof_limit = NEVER, NEVER
    enter(search, root)


def go_on(search: Search, budget: int) -> int:
    """Search on for about so many nodes; the depth that the search has come to, or one of the answers."""
    outlook = Outlook()
    end: int = search.nodes + budget
    while search.nodes < end and search.depth + 2 < len(search.path) and search.rules[0] == 0:
        ply = search.path[search.depth]
        weigh(ply, outlook)
        known = outlook.known
        if known.proof >= ply.proof_limit or known.disproof >= ply.disproof_limit:
            if search.depth == 0:
                search.low, search.high = known.low, known.high
                return DONE
            finish(search, ply, known)
        elif not go_down(search, ply, outlook):
            return COMES_BACK
    return search.depth


def enter(search: Search, ply: Ply) -> None:
    """Begin to search the last position of the path: look behind its moves, up to one that decides."""
    is_first: bool = actor(ply.state) == 0
    ply.began, ply.count, ply.tried = search.nodes, 0, 0
    offered: int = moves(search.rules, ply.state, ply.legal)
    is_decided: bool = False
    while ply.count < offered and not is_decided:
        child = ply.children[ply.count]
        look_behind(search, ply, child)
        if search.rules[0] != 0:
            return
        is_decided = (child.proof if is_first else child.disproof) == 0
        ply.count += 1
    ply.is_whole = ply.count == offered


def weigh(ply: Ply, outlook: Outlook) -> None:
    """What a ply comes to: the least and the sum of what is needed behind its moves, and the bounds of the best."""
    is_first: bool = actor(ply.state) == 0
    least: int = NEVER
    second: int = NEVER
    others: int = 0
    best: int = -1
    low: int = -INFINITE if is_first else INFINITE
    high: int = low
    for k in range(ply.count):
        child = ply.children[k]
        own: int = child.proof if is_first else child.disproof
        other: int = child.disproof if is_first else child.proof
        if own < least or best < 0:
            second, least, best = least, own, k
        elif own < second:
            second = own
        others = NEVER if others >= NEVER or other >= NEVER else others + other
        low = max(low, child.low) if is_first else min(low, child.low)
        high = max(high, child.high) if is_first else min(high, child.high)
    total: int = NEVER if others >= NEVER else min(others, MANY)
    known = outlook.known
    known.proof = least if is_first else total
    known.disproof = total if is_first else least
    known.low = low if is_first or ply.is_whole else -INFINITE
    known.high = high if not is_first or ply.is_whole else INFINITE
    outlook.best, outlook.second, outlook.others = best, second, others


def go_down(search: Search, ply: Ply, outlook: Outlook) -> bool:
    """Go down the move that needs least, as far as a quarter more than the next best needs, or the other player more
    than the ply allows them; whether that leads to a new position of the path."""
    is_first: bool = actor(ply.state) == 0
    child = ply.children[outlook.best]
    against: int = child.disproof if is_first else child.proof
    own_limit: int = ply.proof_limit if is_first else ply.disproof_limit
    other_limit: int = ply.disproof_limit if is_first else ply.proof_limit
    limit: int = min(own_limit, outlook.second + (outlook.second >> 2) + 1)
    rest: int = max(other_limit - (outlook.others - against), against + 1)
    there = search.path[search.depth + 1]
    make(search, ply, outlook.best)
    if comes_back(search.watch, there.state, search.depth + 1):
        return False
    if IS_HISTORY != 0:
        there.number = number_of(search, ply, there)
    there.proof_limit = limit if is_first else rest
    there.disproof_limit = rest if is_first else limit
    search.depth += 1
    enter(search, there)
    return True


def finish(search: Search, ply: Ply, known: Known) -> None:
    """A number has come up to its threshold: remember what is known, and take the ply off the path."""
    above = search.path[search.depth - 1]
    put_down(search, above, ply, known)
    child = above.children[above.tried - 1]
    note(child, known)
    answer(child, search.need)
    go_back(search.watch, search.depth)
    search.depth -= 1


def make(search: Search, ply: Ply, move: int) -> None:
    """Make one of the moves of the last position of the path."""
    there = search.path[search.depth + 1]
    copy(there.state, ply.state, STATE)
    apply(search.rules, there.state, ply.legal[move])
    ply.tried = move + 1


# ------------------------------------------------- what is known of states


def look_behind(search: Search, ply: Ply, child: Known) -> None:
    """What is known behind the next move: by the rules if the play ends there, else by the table, or, if nothing is, by
    how many moves there are."""
    there = search.path[search.depth + 1]
    make(search, ply, ply.count)
    search.nodes += 1
    if search.rules[0] != 0:
        return
    child.proof, child.disproof, child.low, child.high = 0, 0, -INFINITE, INFINITE
    if actor(there.state) == END:
        search.terminals += 1
        child.low = payoff(there.state, 0)
        child.high = child.low
    else:
        look_up(search, ply, there, child)
    answer(child, search.need)
    if child.proof == 0 and child.disproof == 0:
        is_first: bool = actor(there.state) == 0
        choices: int = moves(search.rules, there.state, there.legal)
        child.proof = 1 if is_first else choices
        child.disproof = choices if is_first else 1


def answer(known: Known, need: int) -> None:
    """What bounds say of the question: they may answer it."""
    if known.low >= need:
        known.proof, known.disproof = 0, NEVER
    elif known.high < need:
        known.proof, known.disproof = NEVER, 0


def note(there: Known, known: Known) -> None:
    """Note somewhere what is known."""
    there.proof, there.disproof, there.low, there.high = known.proof, known.disproof, known.low, known.high


# --------------------------------------------------------------- the table


def look_up(search: Search, ply: Ply, there: Ply, child: Known) -> None:
    """What the table knows of the state after the move tried last: the numbers only if they belong to this question."""
    name = Name()
    write_name(ply, there, name)
    entry = search.table[place(search.table, name)]
    if is_of(entry, name):
        search.hits += 1
        child.low, child.high = entry.known.low, entry.known.high
        if entry.need == search.need:
            child.proof, child.disproof = entry.known.proof, entry.known.disproof


def put_down(search: Search, above: Ply, ply: Ply, known: Known) -> None:
    """Remember what is known of the last state of the path, to which bounds known before are added."""
    name = Name()
    write_name(above, ply, name)
    entry = search.table[place(search.table, name)]
    work: int = search.nodes - ply.began
    if is_of(entry, name):
        known.low = max(known.low, entry.known.low)
        known.high = min(known.high, entry.known.high)
        work += entry.work
    for k in range(KEY):
        entry.name.key[k] = name.key[k]
    entry.name.beside = name.beside
    note(entry.known, known)
    entry.need, entry.number, entry.work = search.need, ply.number, work


def write_name(above: Ply, ply: Ply, name: Name) -> None:
    """What tells the state apart that the move tried last from another one leads to."""
    if IS_HISTORY != 0:
        for k in range(KEY):
            name.key[k] = 0
        name.key[0], name.beside = above.number, above.legal[above.tried - 1]
    else:
        pack(ply.state, name.key)
        name.beside = earned(ply.state, 0)


def place(table: list[Entry], name: Name) -> int:
    """Where a state stands, or is to stand: in place of what took least work."""
    first: int = ((mix(hash_of(name.key), name.beside) >> 12) & (len(table) - 1)) & -GROUP
    cheapest: int = first
    for at in range(first, first + GROUP):
        if table[at].work == 0 or is_of(table[at], name):
            return at
        if table[at].work < table[cheapest].work:
            cheapest = at
    return cheapest


def is_of(known: Entry, name: Name) -> bool:
    """Whether an entry is that of a state."""
    return known.work != 0 and known.name.beside == name.beside and is_same(known.name.key, name.key)


def number_of(search: Search, above: Ply, ply: Ply) -> int:
    """The number in histories of the state that the move tried last leads to: that of its entry, or a new one."""
    name = Name()
    write_name(above, ply, name)
    entry = search.table[place(search.table, name)]
    return entry.number if is_of(entry, name) else new_number(search)


def new_number(search: Search) -> int:
    """A number for one more state in histories."""
    search.numbers += 1
    return search.numbers
