"""The table of df-pn, and what it may say (:mod:`.dfpn`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, State, earned, ints, mix, pack
from zermelo.solvers.kernels.dfpn_records import MANY, NEVER, Entry, Known, Name, Search
from zermelo.solvers.kernels.slots import hash_of, is_same

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


def put_down(search: Search, state: State, number: int, first: int, work: int) -> None:
    """Store what a state comes to, with the bounds known before."""
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
        remembered(search, entry.known)


def remembered(search: Search, known: Known) -> None:
    """Settle what the table remembers, and the callers believe, of a state that the striver may have failed at. Where
    bounds answer the question, or nothing further up on the path matters, that is all there is to say. Any other
    failure is of this path, and on others the state is merely the last to be tried."""
    outlook = search.outlook
    is_answered: bool = known.low >= search.need or known.high < search.need
    if is_answered or outlook.rests >= search.depth:
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
