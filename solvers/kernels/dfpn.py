"""Depth-first proof-number search (df-pn).

What it computes: whether the first player can get ``need`` or more, for a finite game of two players, constant sum and
perfect information without chance; and by several such questions (:mod:`zermelo.solvers.search.dfpn`) the value.
Source: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002), which is the best-first search
of Allis, van der Meulen and van den Herik (1994) made depth-first; Kishimoto, Winands, Müller and Saito, "Game-tree
search using proof numbers: the first twenty years", ICGA Journal 35 (2012).

The *proof number* of a state says how many states at the edge of what has been searched must turn out well for the
first player to prove that they can, the *disproof number* how many for the second to refute it. Who is to move needs
one of their moves to turn out well, and of the other's moves everybody needs all::

    first to move:   proof = min of proof,   disproof = sum of disproof   over the moves
    second to move:  proof = sum of proof,   disproof = min of disproof

If the answer is known, they are 0 and ``NEVER``, or ``NEVER`` and 0. A state that has not been searched has the numbers
that these rules give if all its successors have 1 and 1, so replies that leave little choice are tried first
(*mobility*, Allis 1994). The search goes down the move that needs least, and stays below it while neither number comes
up to its threshold, which is where another move, or a state further up, begins to look better. A threshold is a quarter
higher than it need be, lest the search goes to and fro between two moves that are alike (the 1 + epsilon trick of
Pawlewicz and Lew, 2007). Sums are capped at ``MANY``, since a state that is reached in several ways counts several
times in them.

The table has groups of eight entries; in a full group the one that took least work is replaced (after the *small-tree
collection* of Nagai 2002). It may lose entries: a call keeps what it knows of its successors. On the exact backend
every position has a group of its own until memory is full.

Why its answers are proofs:

* An answer follows from bounds, and these hold whatever was asked when they were found: ``low <= value <= high``, by
  payoffs (:func:`look_behind`) and by the best of the bounds behind all moves (:func:`weigh`). Proof numbers say where
  to search next, and count for the question alone that they belong to (:func:`look_up`).
* Where a move decides, the others are left out, and what they may bring has no bound (:func:`expand`).
* Positions that are reached in several ways share an entry, found by the whole key and what has been earned
  (:class:`Name`), never by a hash alone. Where the rules look at the history of a play (``IS_HISTORY``)
  states are told apart by their plays: each has a number, and so have those behind its moves, one after another
  (:func:`first_behind`).
* No bound rests on a position that comes back: where that is not excluded the path is watched, and of a position that
  is on it already nothing is known behind the move (:func:`come_round`).

Plays that go round. A player who can force the play to an end that pays enough has a proof, a finite tree, in which no
endless play matters: the bound holds whatever those are worth. So where plays can go round, each question is asked from
either side: does the first player force ``need`` or more (``striver`` 0), does the second force less (``striver`` 1)?
For the one who strives a position of the path is one where they have not got what they want, since a player who can
force an end can do so without coming back. That is a *failure*, and no refutation: the numbers say that it is hopeless
to go on there, the bounds say nothing, and if both players fail the host says that nothing is proved.

A failure may hold on one path alone, and must not be used on another (the *graph-history interaction* problem:
Breuker, van den Herik, Uiterwijk and Allis, "A solution to the GHI problem for best-first search", 1998; Kishimoto and
Müller, "A general solution to the graph history interaction problem", 2004). So each carries the depth of the first
position of the path that it ``rests`` on. If that is not above the state itself, the same search from there, without
the path, would have failed too: the striver cannot force anything from there on any path, which the table keeps.
Otherwise only the call that tried the move believes it, as long as it lasts, on the same path; the table keeps numbers
that advise against the state and decide nothing (:func:`remembered`). Bounds never follow from numbers, so
proofs need none of this: it is what lets a search that fails at the root say that it has tried all that there is.
(What has been earned does not tell positions of the path apart. Who would have to go round to earn enough fails here,
and nothing is claimed.)

The search comes to its end: every call raises the number of a move to a threshold above it, numbers are at most
``MANY`` or ``NEVER``, and no path is longer than there are positions.

Cost: no bound but that of the tree; where players have few moves in the lines that matter (mates, threats) it is far
below alpha-beta. Memory: one entry for each position searched, and in each frame what is known of the successors.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    STATE,
    Array,
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
    earned,
    ints,
    mix,
    moves,
    pack,
    payoff,
    records,
    scratch,
)
from zermelo.solvers.kernels.answers import COMES_BACK
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import hash_of, is_same

# The records of df-pn.


NEVER = 1 << 60
"""How many states a player needs who cannot reach their aim any more."""

MANY = 1 << 44
"""The greatest sum."""

NO_MOVE = -1


class Known:
    """What is known of a state: its proof and disproof numbers, and the bounds of its value."""

    proof: int
    disproof: int
    low: int
    high: int


class Outlook:
    """What a state comes to, by what is known behind its moves. The player to move needs least behind move number
    ``best``, and ``second`` behind the next best; ``others`` is what the other player needs in all. A failure ``rests``
    on the position of the path at this depth and those further down; ``NEVER`` if on none."""

    known: Known
    best: int
    second: int
    others: int
    rests: int


class Name:
    """What tells a state from others: the key of its position and what has been earned; in histories its number."""

    key: ints[KEY]
    beside: int


class Entry:
    """What the table knows of a state. The proof numbers belong to a question, the bounds to all; ``work`` is how many
    nodes it took to find that, at least 1 (0: there is no entry). In histories, ``first`` is the number of the state
    behind the first move."""

    name: Name
    known: Known
    question: int
    first: int
    work: int


class Search:
    """A search in progress: what the last state comes to (in the end the root), the move behind which that is looked,
    if it is, and how many states in histories have a number. The ``question`` is the number of what is asked: does the
    first player get ``need``, as far as the ``striver`` can prove? A play that ``goes_round`` ends the search if it is
    not to go on then."""

    rules: Context
    calls: list[Call]
    watch: Watch
    table: list[Entry]
    outlook: Outlook
    question: int
    need: int
    striver: int
    goes_round: bool
    value: Known
    depth: int
    nodes: int
    terminals: int
    hits: int
    seen: int
    numbers: int


# The table of df-pn, and what it may say.


IS_HISTORY: int

GROUP = 8


def answer(known: Known, need: int) -> None:
    """What bounds say of the question: they may answer it."""
    if known.low >= need:
        known.proof, known.disproof = 0, NEVER
    elif known.high < need:
        known.proof, known.disproof = NEVER, 0


def note(there: Known, known: Known) -> None:
    """Copy what is known."""
    there.proof, there.disproof, there.low, there.high = known.proof, known.disproof, known.low, known.high


def look_up(search: Search, state: State, number: int, known: Known) -> None:
    """What the table knows of a state: the numbers only if they belong to this question."""
    name = Name()
    write_name(state, number, name)
    entry = search.table[place(search.table, name)]
    if is_of(entry, name):
        search.hits += 1
        known.low, known.high = entry.known.low, entry.known.high
        if entry.question == search.question:
            known.proof, known.disproof = entry.known.proof, entry.known.disproof


def put_down(search: Search, state: State, number: int, first: int, work: int, depth: int) -> None:
    """Store what a state at this depth comes to, with the bounds known before."""
    name = Name()
    write_name(state, number, name)
    entry = search.table[place(search.table, name)]
    known = search.outlook.known
    if is_of(entry, name):
        known.low = max(known.low, entry.known.low)
        known.high = min(known.high, entry.known.high)
        work += entry.work
    answer(known, search.need)
    for k in range(KEY):
        entry.name.key[k] = name.key[k]
    entry.name.beside = name.beside
    note(entry.known, known)
    entry.question, entry.first, entry.work = search.question, first, work
    if search.goes_round:
        remembered(search, entry.known, depth)


def remembered(search: Search, known: Known, depth: int) -> None:
    """Settle what the table remembers, and the callers believe, of a state that the striver may have failed at. Where
    bounds answer the question, or nothing further up on the path matters, that is all there is to say. Any other
    failure is of this path, and on others the state is merely the last to be tried."""
    outlook = search.outlook
    is_answered: bool = known.low >= search.need or known.high < search.need
    if is_answered or outlook.rests >= depth:
        outlook.rests = NEVER
    elif known.proof == NEVER:
        known.proof, known.disproof = MANY, 1
    elif known.disproof == NEVER:
        known.proof, known.disproof = 1, MANY


def write_name(state: State, number: int, name: Name) -> None:
    """What tells a state apart, which in histories has a number."""
    if IS_HISTORY != 0:
        name.beside = number
    else:
        pack(state, name.key)
        name.beside = earned(state, 0)


def place(table: list[Entry], name: Name) -> int:
    """The slot of a state: its own, an empty one, or that of the entry that took least work."""
    group: int = group_of(name.key, name.beside, len(table))
    cheapest: int = group
    for at in range(group, group + GROUP):
        if table[at].work == 0 or is_of(table[at], name):
            return at
        if table[at].work < table[cheapest].work:
            cheapest = at
    return cheapest


def group_of(key: ints[KEY], beside: int, size: int) -> int:
    """The first slot of a state's group."""
    return ((mix(hash_of(key), beside) >> 12) & (size - 1)) & -GROUP


def is_of(known: Entry, name: Name) -> bool:
    """Whether an entry is that of a state."""
    return known.work != 0 and known.name.beside == name.beside and is_same(known.name.key, name.key)


def first_behind(search: Search, state: State, number: int, count: int) -> int:
    """In histories, the number of the state behind the first of so many moves: that of the entry, or new ones."""
    if IS_HISTORY == 0:
        return 0
    name = Name()
    write_name(state, number, name)
    entry = search.table[place(search.table, name)]
    if is_of(entry, name):
        return entry.first
    search.numbers += count
    return search.numbers - count


def dfpn(search: Search, state: State, number: int, proof_limit: int, disproof_limit: int) -> Visit[Known]:
    """Search below a state until one of its two numbers comes up to its threshold; what is known of it then."""
    if comes_back(search.rules, search.watch, state, search.depth):
        if not search.goes_round:
            raise GiveUp(COMES_BACK)
        come_round(search)
        return search.outlook.known
    began: int = search.nodes
    legal = array(MOVES)
    offered: int = moves(search.rules, state, legal)
    first: int = first_behind(search, state, number, offered)
    children = records(Known, MOVES)
    rests = array(MOVES)
    count: int = expand(search, state, first, legal, offered, children)
    if search.rules[0] != 0:
        return search.outlook.known
    for j in range(count):
        rests[j] = NEVER
    while True:
        outlook = search.outlook
        weigh(state, children, count, outlook)
        outlook.rests = NEVER
        if search.goes_round:
            outlook.rests = first_of_all(rests, count) if actor(state) == search.striver else rests[outlook.best]
        if outlook.known.proof >= proof_limit or outlook.known.disproof >= disproof_limit:
            break
        k: int = outlook.best
        if actor(state) == 0:
            proof: int = own_threshold(proof_limit, outlook)
            disproof: int = other_threshold(disproof_limit, outlook, children[k].disproof)
        else:
            proof = other_threshold(proof_limit, outlook, children[k].proof)
            disproof = own_threshold(disproof_limit, outlook)
        found = yield dfpn(search, after(search.rules, state, legal[k]), first + k, proof, disproof)
        note(children[k], found)
        rests[k] = search.outlook.rests
    put_down(search, state, number, first, search.nodes - began, search.depth)
    go_back(search.watch, search.depth)
    return search.outlook.known


def come_round(search: Search) -> None:
    """The striver fails where a position of the path comes back, and nothing is known of its value."""
    known = search.outlook.known
    known.low, known.high = -INFINITE, INFINITE
    known.proof = NEVER if search.striver == 0 else 0
    known.disproof = 0 if search.striver == 0 else NEVER
    search.outlook.rests = search.watch.met


def first_of_all(rests: ints[MOVES], count: int) -> int:
    """What the failure behind all of so many moves rests on."""
    first: int = NEVER
    for k in range(count):
        first = min(first, rests[k])
    return first


def own_threshold(limit: int, outlook: Outlook) -> int:
    """What the player to move may need behind the best move: a quarter more than behind the next best."""
    return min(limit, outlook.second + (outlook.second >> 2) + 1)


def other_threshold(limit: int, outlook: Outlook, needed: int) -> int:
    """What the other player may need behind the best move, where so much is ``needed`` now: as much as the others
    leave."""
    return max(limit - (outlook.others - needed), needed + 1)


def weigh(state: State, children: Array[Known, MOVES], count: int, outlook: Outlook) -> None:
    """What a state comes to: the least and the sum of what is needed behind its moves, and the bounds of the best."""
    is_first: bool = actor(state) == 0
    least: int = NEVER
    second: int = NEVER
    others: int = 0
    best: int = -1
    low: int = -INFINITE if is_first else INFINITE
    high: int = low
    for k in range(count):
        child = children[k]
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
    known.low, known.high = low, high
    outlook.best, outlook.second, outlook.others = best, second, others


def expand(
    search: Search, state: State, first: int, legal: ints[MOVES], count: int, children: Array[Known, MOVES]
) -> int:
    """Look behind the moves of a state, up to one that decides; how many these are. Those left out may bring
    anything."""
    is_first: bool = actor(state) == 0
    looked: int = 0
    is_decided: bool = False
    while looked < count and not is_decided:
        child = children[looked]
        search.seen = legal[looked]
        look_behind(search, state, legal[looked], first + looked, child)
        if search.rules[0] != 0:
            return looked
        is_decided = (child.proof if is_first else child.disproof) == 0
        looked += 1
    search.seen = NO_MOVE
    if looked < count:
        last = children[looked - 1]
        last.low = last.low if is_first else -INFINITE
        last.high = INFINITE if is_first else last.high
    return looked


def look_behind(search: Search, state: State, move: int, number: int, child: Known) -> None:
    """What is known behind a move: by the rules if the play ends there, else by the table, or, if nothing is, by how
    many moves there are."""
    there = scratch()
    copy(there, state, STATE)
    apply(search.rules, there, move)
    search.nodes += 1
    if search.rules[0] != 0:
        return
    child.proof, child.disproof, child.low, child.high = 0, 0, -INFINITE, INFINITE
    if actor(there) == END:
        search.terminals += 1
        child.low = payoff(there, 0)
        child.high = child.low
    else:
        look_up(search, there, number, child)
    answer(child, search.need)
    if child.proof == 0 and child.disproof == 0:
        is_first: bool = actor(there) == 0
        legal = array(MOVES)
        choices: int = moves(search.rules, there, legal)
        child.proof = 1 if is_first else choices
        child.disproof = choices if is_first else 1


def start(search: Search) -> None:
    """Nothing has been searched for this question."""
    forget(search.watch)
    search.depth = 0
    search.nodes += 1
    search.seen = NO_MOVE
