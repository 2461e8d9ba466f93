"""The transposition table of a window search.

Different orders of the same moves lead to the same position, which need not be searched again. For a position the table
holds an interval in which its value lies, the depth to which that has been searched, and the best move. What has been
earned on the way belongs to the play and not to the position, so the interval is one for what is still to come. An
entry holds the whole key, so that no two positions are ever confused. Where the rules look at the history of the play a
position has an entry for each past that counts (:mod:`.past`); from those of other pasts only a move is taken, to be
searched first.

Entries stand in pairs, and the key says in which (Breuker, Uiterwijk and van den Herik, "Replacement schemes for
transposition tables", 1994: two-tier). The first of a pair is kept for the work it saves, the second is the latest.

The word ``rest`` of an entry holds, from the highest bit on: 7 bits of ``work``, the binary logarithm of the nodes that
it cost; 17 bits of *reach*, the depth plus ``OVERTIME`` plus 1, which is above 0, or ``ANY_DEPTH`` where no horizon was
met; 40 bits for the best move plus 1. A table without entries means no table.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    PAST,
    State,
    actor,
    add_reads,
    array,
    earned,
    highest,
    ints,
    pack,
    payoff,
    prefetch,
    take_reads,
)
from zermelo.solvers.kernels.past import is_past_of, keep
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.slots import is_same, slot_of
from zermelo.solvers.kernels.window_horizon import scaled
from zermelo.solvers.kernels.window_records import NO_MOVE, TO_THE_END, Entry, Node, Search, is_move

OVERTIME: int

WORK = 57
REACH = 40
ANY_DEPTH = (1 << 17) - 1

NOWHERE = -1


class Known:
    """What is known of a position before it is searched: bounds on its value, whether they hold to the end of all
    plays, and the best ``move`` of an earlier search; and on which ``past`` that rests."""

    low: int
    high: int
    move: int
    is_whole: bool
    past: ints[PAST]


def look_up(search: Search, state: State, left: int, barred: int, known: Known) -> None:
    """The bounds on a position to be searched ``left`` plies deep, by its payoff at the end, or else by the table; none
    if a move is barred, since the table's do not hold then."""
    known.low, known.high, known.move, known.is_whole = -INFINITE, INFINITE, NO_MOVE, False
    for k in range(PAST):
        known.past[k] = 0
    if actor(state) == END:
        known.low = scaled(search, payoff(state, 0))
        known.high, known.is_whole = known.low, True
    elif len(search.table) > 0 and not is_move(barred):
        key = array(KEY)
        pack(state, key)
        at: int = place_of(search, state, key)
        if at == NOWHERE:
            known.move = move_of(search.table, key)
        else:
            entry = search.table[at]
            known.move = move_in(entry.rest)
            for k in range(PAST):
                known.past[k] = entry.past[k]
            reach: int = reach_in(entry.rest)
            if reach > left + OVERTIME or reach == ANY_DEPTH:
                gone: int = scaled(search, earned(state, 0))
                if entry.low > -INFINITE:
                    known.low = entry.low + gone
                if entry.high < INFINITE:
                    known.high = entry.high + gone
                known.is_whole = reach == ANY_DEPTH


def rest_of(work: int, reach: int, move: int) -> int:
    """The rest of an entry, in one word."""
    return work << WORK | reach << REACH | move + 1


def work_in(rest: int) -> int:
    """The work that an entry took; 0 where there is none."""
    return rest >> WORK


def reach_in(rest: int) -> int:
    """The reach of an entry."""
    return rest >> REACH & ANY_DEPTH


def move_in(rest: int) -> int:
    """The best move of an entry."""
    return (rest & (1 << REACH) - 1) - 1


def decides(known: Known, alpha: int, beta: int) -> bool:
    """Whether the bounds are enough for a window."""
    return known.low >= beta or known.low == known.high or known.high <= alpha


def decided(search: Search, known: Known, beta: int) -> int:
    """The value or the bound that is enough; it is used."""
    add_reads(search.rules, known.past)
    return known.low if known.low >= beta or known.low == known.high else known.high


def fetch(search: Search, state: State) -> None:
    """Prefetch the entries of a position that will be looked up soon."""
    if len(search.table) > 0:
        key = array(KEY)
        pack(state, key)
        prefetch(search.table[pair_of(search.table, key)])


def store(search: Search, state: State, node: Node, alpha: int, beta: int) -> None:
    """All moves of a position that matter have been searched, with this window at first."""
    if len(search.table) == 0:
        return
    new = Entry()
    take_reads(search.rules, new.past)
    add_reads(search.rules, new.past)
    if PAST > 0 and not keep(search.pasts, search.rules, state, new.past):
        return
    gone: int = scaled(search, earned(state, 0))
    low: int = node.best if node.best > alpha else search.low
    high: int = node.best if node.best < beta else search.high
    reach: int = ANY_DEPTH
    if not node.is_whole and node.left < TO_THE_END:
        reach = min(node.left + OVERTIME + 1, ANY_DEPTH - 1)
    pack(state, new.key)
    new.low = low - gone if low > -INFINITE else low
    new.high = high - gone if high < INFINITE else high
    new.rest = rest_of(highest(search.nodes - node.before + 1), reach, node.best_move)
    at: int = place_of(search, state, new.key)
    if at != NOWHERE:
        write(search.table[at], new)
    else:
        put_in_pair(search.table, new)


def put_in_pair(table: list[Entry], new: Entry) -> None:
    """A new entry becomes the first of its pair if it cost at least as much as that one, else the second."""
    at: int = pair_of(table, new.key)
    one = table[at]
    two = table[at + 1]
    if work_in(one.rest) > work_in(new.rest):
        write(two, new)
    else:
        if one.rest != 0:
            write(two, one)
        write(one, new)


def write(target: Entry, source: Entry) -> None:
    """Write an entry over another one."""
    for k in range(KEY):
        target.key[k] = source.key[k]
    for k in range(PAST):
        target.past[k] = source.past[k]
    target.low, target.high, target.rest = source.low, source.high, source.rest


def pair_of(table: list[Entry], key: ints[KEY]) -> int:
    """The first of the two places in which a key may stand."""
    return slot_of(key, len(table)) & -2


def place_of(search: Search, state: State, key: ints[KEY]) -> int:
    """Where a state stands, which has this key."""
    at: int = pair_of(search.table, key)
    for place in range(at, at + 2):
        entry = search.table[place]
        is_here: bool = entry.rest != 0 and is_same(entry.key, key)
        if is_here and is_past_of(search.pasts, search.rules, state, entry.past):
            return place
    return NOWHERE


def move_of(table: list[Entry], key: ints[KEY]) -> int:
    """The best move of a position after some other play, if there is one."""
    at: int = pair_of(table, key)
    for place in range(at, at + 2):
        if PAST > 0 and table[place].rest != 0 and is_same(table[place].key, key):
            return move_in(table[place].rest)
    return NO_MOVE


def spread(search: Search, first: int, end: int) -> None:
    """Rehash some entries, of whole pairs: the table has grown, and they stand where they stood in the smaller one.
    Those of a pair stay together or come into pairs of their own, so nothing is lost."""
    one = Entry()
    two = Entry()
    for pair in range(first // 2, end // 2):
        move_out(search.table[2 * pair], one)
        move_out(search.table[2 * pair + 1], two)
        if one.rest != 0:
            put_in_pair(search.table, one)
        if two.rest != 0:
            put_in_pair(search.table, two)


def move_out(place: Entry, taken: Entry) -> None:
    """Take an entry out of its place."""
    write(taken, place)
    place.rest = 0
