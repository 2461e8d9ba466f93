"""Alpha-beta over a window, to a depth: the search of the programs that play chess, for any game.

What it computes: for a position, a window (alpha, beta) and a number of plies the value to that depth if that lies in
the window, and otherwise a bound on it that lies outside (*fail-soft*, as in :mod:`.alphabeta`). Drivers choose windows
and depths: iterative deepening, aspiration windows, MTD(f). On top of alpha-beta it has, in this order:

- a horizon with *quiescence search*;
- a transposition table, and before it *end-game tables*, of positions whose values are known;
- *null-move pruning*: in most positions it is better to move than not to. So where a position looks good enough
  already, the player lets the other one move instead, and the position then is searched some plies less deep. If it is
  good enough even so, it will be with a move, and none is searched. Sources: Beal, "Experiments with the null move"
  (1989); Goetsch and Campbell, "Experiments with the null-move heuristic" (1990); Donninger, "Null move and deep
  search", ICCA Journal 16 (1993), who takes off R = 2 plies more than the pass itself; Heinz, "Adaptive null-move
  pruning", ICCA Journal 22 (1999), who takes off R = 3 where the search is still deep;
- *singular extensions*: a move that is better than all others by a margin is searched one ply deeper. There a player
  has no choice, the opponent's threats are long, and what lies behind the horizon is most likely to upset the value.
  Source: Anantharaman, Campbell and Hsu, "Singular extensions: adding selectivity to brute-force searching",
  Artificial Intelligence 43 (1990). They tested a move once it had turned out to be best, and searched it again; here,
  as programs do it today, a search of half the depth, mostly no more than a look into the table, says which move is
  best, and another one whether any other move comes within the margin;
- an order of moves, and *enhanced transposition cut-offs*;
- *late-move reductions*: where moves are well ordered a good one comes early, so late ones are first searched one ply
  less deep, and only to see whether they are better than what there is. Sources: Levy, Broughton and Taylor, "The SEX
  algorithm in computer chess" (1989); Romstad, "An introduction to late move reductions" (2006);
- *scouts* (principal variation search): of all moves but the first it need only be shown that they are no better. So
  they are searched with a window so narrow that all it can tell is better or not, and only a move that is better is
  searched again for its value. Sources: Pearl, "Asymptotic properties of minimax trees and game-searching procedures"
  (1980); Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982); Reinefeld, NegaScout (1983).

``search.scouts`` says whether there are any, with a window ``STEP`` wide: any width is right, and one below the
difference of any two values cuts off most. ``LATE`` says from which move on a search is reduced, ``PASSES`` and
``EXTENDS`` in searches of how many plies a pass is tried and moves are tested; 0 stands for never.

All values are the first player's, who maximizes; the second player minimizes.

A null move errs in a *zugzwang*, a position in which every move is worse than none; there are games that are full of
them (nim is nothing else). Nobody passes where the estimate does not look good enough, since a pass would hardly make
it so; where the position is unsettled, as in check; behind a pass, or both would do nothing until the horizon; where
the other player would have no ply left to answer in; and at the root, which asks for a move. The move noted where a
pass cuts off is that of an earlier search; where the rules look at the history of the play it may not be legal after
this one. So there the table does not answer for the root; nor does a known value, which has no move. A pass may lead to
a state that no play reaches. A rule that fails after one is no fault of the game: the pass is taken back.

Invariants. What is found for a window (alpha, beta) is the value if it lies inside, an upper bound on it at alpha or
below, a lower bound at beta or above. Neither the order of moves nor scouts change a value. Reductions, passes and
extensions do: it is then the value to no one depth. But what rests on no horizon (``is_whole``) has left nothing
out, since what has been seen behind a pass to the end of all plays cuts nothing off: then the value is exact, and a
bound holds to the end of all plays. One move is enough for a bound that cuts off (:func:`take`).
Moves are only tested while the path is no longer than the search is to be deep, so no line becomes twice as long.

Several threads may search one position over one table (``TEAM``). What one of them stores the others find, so that they
share the work as long as they do not do the same at the same time: whoever begins to search a position marks it, and a
move to a marked position is put off until the others at its node have been searched (Weill, "The ABDADA distributed
minimax search algorithm", ICCA Journal 19, 1996; marks in a list of their own, as here, are Kerrigan's "Simplified
ABDADA", 2017). Where a move is expected to cut off, none is put off, since what comes after it would most likely be
searched in vain: there the threads go the same way, and part further down. And whoever comes back from a move looks up
the position anew, which another thread may have decided meanwhile. Two marks may collide, and one may be lost; that
changes an order of moves and nothing else. All this is done in the upper half of the longest path so far: further down
searches are short, and threads would wait longer for each other's marks than they gain. An entry is read and written by
one thread at a time, so each holds what one search has found, which is true whoever reads it; a look without waiting
says before whether there may be one (:func:`may_have`), and misses at most one that is just being written. Hence a
search returns the same value as without the others. Its best move is the same as well where the root is searched
``is_in_order``: the first, in that of the game and its ranks, that brings the value, since the moves before it have
been shown to bring less, and a later one would have to bring more; that order changes with nothing found.

Cost: as for alpha-beta; ``nodes`` are the positions made by a move or a pass. A position costs what it would cost some
plies from its horizon where a pass cuts it off. The tests for singular moves take a small part of the nodes where few
are singular; where most are, the extensions make the search as large as one that goes several plies deeper.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    END,
    KEY,
    MOVES,
    PAST,
    PLAYERS,
    STATE,
    Array,
    Call,
    Context,
    GiveUp,
    Length,
    PlayError,
    State,
    Visit,
    acquire,
    actor,
    add_reads,
    apply,
    array,
    claim,
    copy,
    earned,
    highest,
    hole,
    ints,
    moves,
    payoff,
    prefetch,
    records,
    release,
    scratch,
    take_reads,
)
from zermelo.solvers.kernels.answers import COMES_BACK, note_unvalued
from zermelo.solvers.kernels.endgames import UNKNOWN, Endgames, is_known, outcome_of
from zermelo.solvers.kernels.past import Pasts, is_past_of, keep
from zermelo.solvers.kernels.ranges import INFINITE
from zermelo.solvers.kernels.repetition import Watch, comes_back, forget, go_back
from zermelo.solvers.kernels.states import is_same, slot_of

# The records of a window search.


TO_THE_END = 1 << 30
"""More plies than any play has: the depth of a search without a horizon."""

NO_MOVE = -1

ALWAYS = 1 << 62
"""More nodes than any search makes."""

PV = 1
CUT = 2
ALL = 3
"""The types of positions in a search by the best order of moves (Knuth and Moore, "An analysis of alpha-beta pruning",
1975): one with an open window; one where the first move is expected to cut off; and one where no move is."""


PASS = -2
"""What is barred where another pass is."""


class HISTORY(metaclass=Length):
    """How many pairs of a player and a move have a history of their own, a power of 2."""


class TEAM(metaclass=Length):
    """1 if several threads may search over one table, else 0."""


class Node:
    """A position whose moves are searched: it is a ``player``'s turn, there are so many plies ``left`` to the horizon,
    ``ply`` moves and passes lead here from the root, ``depth`` calls are above its own, and so many nodes had been
    counted ``before``.

    ``alpha`` and ``beta`` are the present window: what the first player can secure elsewhere, and what the second can
    hold them to. ``best`` is the best value so far, ``best_move`` the move that it comes by, and ``is_whole`` says
    whether it rests on no horizon. The ``first`` move is searched before all others, the one that is
    ``extended`` a ply deeper than the others, and the ``barred`` one not at all; each may be none. ``kind`` is the type
    of the position, in a team. ``outer`` is what the rules had looked for in the history before, below the positions
    further up."""

    player: int
    left: int
    ply: int
    depth: int
    before: int
    alpha: int
    beta: int
    best: int
    best_move: int
    is_whole: bool
    first: int
    extended: int
    barred: int
    kind: int
    key: ints[KEY]
    outer: ints[PAST]


class Offer:
    """A move to be searched, what it promises, and which of the children is the position behind it."""

    move: int
    promise: int
    child: int


class Child:
    """The position after a move, and the key under which the table has it."""

    state: State
    key: ints[KEY]


class Killers:
    """The last two moves that have cut off a position of a ply, if there are two."""

    count: int
    latest: int
    earlier: int


class Entry:
    """A position in the table: bounds on its value from there on, and in one word the ``rest``:
    the best move, the depth and the work. That word is 0 where there is no entry. It counts
    for states that have its ``past`` (:mod:`.past`). In a team whoever uses an entry or the one after it ``holds``
    it."""

    key: ints[KEY]
    low: int
    high: int
    rest: int
    past: ints[PAST]
    holds: ints[TEAM]


class Search:
    """A search in progress, and what it keeps from one window and depth to the next: the table, the killers of every
    ply, and the history of moves, how often they have cut off.

    It ``learns`` how to order moves up to so many nodes, and then keeps to that, or ``ALWAYS``; it has ``scouts`` or
    not. A team has ``marks`` of what others search now. ``low`` and ``high`` bound all values that it can find. It is
    to be so many ``plies`` deep. ``barred`` and ``kind`` are for the next call. ``best_move`` and ``is_whole`` belong
    to the value that a call has returned last. In a team, ``longest`` is the number of moves and passes on the longest
    path so far. ``trying`` is a move being looked behind, and ``is_beyond`` says that a payoff was too large."""

    rules: Context
    calls: list[Call]
    watch: Watch
    table: list[Entry]
    pasts: Pasts
    endgames: Endgames
    killers: list[Killers]
    history: ints[HISTORY]
    marks: list[int]
    learns: int
    scouts: bool
    is_in_order: bool
    low: int
    high: int
    plies: int
    barred: int
    kind: int
    value: int
    best_move: int
    is_whole: bool
    longest: int
    trying: int
    depth: int
    nodes: int
    terminals: int
    cutoffs: int
    hits: int
    lookups: int
    estimates: int
    is_beyond: bool


def begin_with(node: Node, player: int) -> None:
    """It is a player's turn, and no move has been searched."""
    node.player = player
    node.best = -INFINITE if player == 0 else INFINITE
    node.best_move, node.extended, node.is_whole = NO_MOVE, NO_MOVE, True


def is_move(barred: int) -> bool:
    """Whether what is barred is a move. Then what is found is true of no position."""
    return barred != NO_MOVE and barred != PASS


def improves(node: Node, value: int) -> bool:
    """Whether a value is better for the player to move than what they have elsewhere."""
    return value > node.alpha if node.player == 0 else value < node.beta


def cuts_off(node: Node, value: int) -> bool:
    """Whether a value is so good for the player to move that the opponent avoids this position (it *fails high*)."""
    return value >= node.beta if node.player == 0 else value <= node.alpha


def left_behind(node: Node, move: int) -> int:
    """The plies that are left behind a move."""
    return node.left if node.left >= TO_THE_END or move == node.extended else node.left - 1


def take(node: Node, move: int, value: int, is_whole: bool) -> None:
    """A move leads to this value: if it is the best so far, keep it, and narrow the window.

    What is found is whole if all that has been found behind the moves is, or if a move cuts off behind which it is. For
    then it is a bound on one side alone, that the player to move gets at least so much, and this one move shows it,
    whatever the others would have brought. It is the move by which the bound comes: one before it that was as good
    would have cut off."""
    if cuts_off(node, value):
        node.is_whole = is_whole
    elif not is_whole:
        node.is_whole = False
    if node.player == 0:
        if value > node.best:
            node.best, node.best_move = value, move
            node.alpha = max(node.alpha, value)
    elif value < node.best:
        node.best, node.best_move = value, move
        node.beta = min(node.beta, value)


# The horizon of a window search, and its numbers.
#
# Values are whole parts of a unit in which payoffs, estimates and the middle between two payoffs are whole. A payoff
# that is too large for that is detected, and so is a position at the horizon that has no value, where ``ESTIMATES`` is
# 0.


ESTIMATES: int
ESTIMATED: int
OVERTIME: int
SCALE: int
LARGEST: int


@hole
def worth(rules: Context, state: State) -> int:
    """What a position seems to be worth."""


@hole
def is_unsettled(rules: Context, state: State) -> int:
    """Whether the file says that much is about to change."""


def is_at_horizon(search: Search, state: State, left: int) -> bool:
    """Whether a search with so many plies left stops here: at a quiet position, and in any case
    ``OVERTIME`` plies beyond its depth (*quiescence search*)."""
    if left > 0 or actor(state) == END or is_known(search.endgames, state):
        return False
    return left <= -OVERTIME or is_unsettled(search.rules, state) == 0


def worth_at_horizon(search: Search, state: State) -> int:
    """The value of a position at the horizon."""
    if ESTIMATES == 0:
        note_unvalued(search.rules)
    outcome: int = outcome_of(search.endgames, state)
    return worth(search.rules, state) if outcome == UNKNOWN else known_value(search, state, outcome)


def known_value(search: Search, state: State, outcome: int) -> int:
    """The value of a position that is known without what has been earned before."""
    return search.endgames.values[outcome * PLAYERS] + scaled(search, earned(state, 0))


def scaled(search: Search, amount: int) -> int:
    """A payoff as a value: ``SCALE`` times as many parts, if it is at most ``LARGEST``."""
    if amount > LARGEST or amount < -LARGEST:
        search.is_beyond = True
        return 0
    return amount * SCALE


# Move ordering of a window search.
#
# A move comes first if it was best when the position was searched before; then the file's rank of the position after it
# counts; then whether it is a *killer*, one of the two moves that have cut off other positions of this ply last; then
# its *history*, how often it has cut off for its player; and then the order of the game. That is one number, its
# *promise*: one bit, 31 bits, two bits and 28 bits.
#
# In a search to the end of all plays where the file ranks moves, the history breaks ties of ranks. It is learned from
# the first nodes alone, so that all of a team keep to one, and there are no killers.


MOVE_BITS: int

BEST_BEFORE = 1 << 61
RANK = 30
MOST_RANK = (1 << 29) - 1
KILLER = 28
MOST_HISTORY = (1 << 28) - 1


def promise_of(search: Search, node: Node, move: int) -> int:
    """The promise of a move before it is made; its rank is 0 so far."""
    killers = search.killers[node.ply]
    killer: int = 0
    if killers.count > 0 and move == killers.latest:
        killer = 2
    elif killers.count > 1 and move == killers.earlier:
        killer = 1
    return promised(move == node.first, killer, search.history[slot_of_history(node, move)])


def promised(is_first: bool, killer: int, history: int) -> int:
    """A promise as one number."""
    best_before: int = BEST_BEFORE if is_first else 0
    return best_before | MOST_RANK + 1 << RANK | killer << KILLER | min(history, MOST_HISTORY)


def with_rank(promise: int, rank: int) -> int:
    """A promise with a rank, clipped to its range."""
    return promise + (max(-MOST_RANK, min(rank, MOST_RANK)) << RANK)


def sort_in(offers: Array[Offer, MOVES], count: int, move: int, promise: int, child: int) -> None:
    """Insert a move and its child among so many, behind those that promise as much."""
    at: int = count
    while at > 0 and offers[at - 1].promise < promise:
        before = offers[at - 1]
        offer = offers[at]
        offer.move, offer.promise, offer.child = before.move, before.promise, before.child
        at -= 1
    offer = offers[at]
    offer.move, offer.promise, offer.child = move, promise, child


def learn(search: Search, node: Node) -> None:
    """The best move of a position has cut it off: its history counts the square of the depth below it, or 1 in a search
    without depth, and it is the first killer of its ply, unless those would soon be out of date."""
    if search.nodes >= search.learns:
        return
    at: int = slot_of_history(node, node.best_move)
    search.history[at] += 1 if node.left >= TO_THE_END else node.left * node.left
    if search.learns < ALWAYS:
        return
    killers = search.killers[node.ply]
    if killers.count == 0 or killers.latest != node.best_move:
        killers.earlier, killers.latest = killers.latest, node.best_move
        killers.count += 1


def slot_of_history(node: Node, move: int) -> int:
    """The slot of a move's history, for the player to move; some moves may share one."""
    return (node.player << MOVE_BITS | move) & HISTORY - 1


# The transposition table of a window search.
#
# Different orders of the same moves lead to the same position, which need not be searched again. For a position the
# table holds an interval in which its value lies, the depth to which that has been searched, and the best move. What
# has been earned on the way belongs to the play and not to the position, so the interval is one for what is still to
# come. An entry holds the whole key, so that no two positions are ever confused. Where the rules look at the history of
# the play a position has an entry for each past that counts (:mod:`.past`); from those of other pasts only a move is
# taken, to be searched first.
#
# Entries stand in pairs, and the key says in which (Breuker, Uiterwijk and van den Herik, "Replacement schemes for
# transposition tables", 1994: two-tier). The first of a pair is kept for the work it saves, the second is the latest.
#
# The word ``rest`` of an entry holds, from the highest bit on: 7 bits of ``work``, the binary logarithm of the nodes
# that it cost; 17 bits of *reach*, the depth plus ``OVERTIME`` plus 1, which is above 0, or ``ANY_DEPTH`` where no
# horizon was met; 40 bits for the best move plus 1. A table without entries means no table.


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


@hole
def alike(state: State, key: ints[KEY]) -> int:
    """Write the key under which the table has a position: its own, or the least of those of its images by symmetries
    of the rules that leave the players as they are. All these have one value, as each play from one of them has an
    image from each other one in which all get the same. Where such keys are, no best move of an entry is taken for an
    answer: it may be one of an image, and says no more than what to try first."""


def look_up(search: Search, state: State, key: ints[KEY], left: int, barred: int, known: Known) -> None:
    """The bounds on a position to be searched ``left`` plies deep, by its payoff at the end, or else by its known value
    or the table, which has it under a key; none if a move is barred, since these do not hold then."""
    known.low, known.high, known.move, known.is_whole = -INFINITE, INFINITE, NO_MOVE, False
    for k in range(PAST):
        known.past[k] = 0
    outcome: int = UNKNOWN
    if actor(state) != END and not is_move(barred) and ESTIMATED == 0:
        outcome = outcome_of(search.endgames, state)
    if actor(state) == END:
        known.low = scaled(search, payoff(state, 0))
        known.high, known.is_whole = known.low, True
    elif outcome != UNKNOWN:
        search.lookups += 1
        known.low = known_value(search, state, outcome)
        known.high, known.is_whole = known.low, True
    elif len(search.table) > 0 and not is_move(barred) and may_have(search.table, key):
        hold(search.table, key)
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
        let_go(search.table, key)


def may_have(table: list[Entry], key: ints[KEY]) -> bool:
    """Whether a table may have an entry with a key. In a team one that is just being written may be missed: to wait for
    each pair in which there is nothing takes longer, and brings its memory from one thread to the other."""
    if TEAM > 0:
        at: int = pair_of(table, key)
        return acquire(table[at].key, 0) == key[0] or acquire(table[at + 1].key, 0) == key[0]
    return True


def hold(table: list[Entry], key: ints[KEY]) -> None:
    """Wait until no other thread uses the pair of a key, and keep it for this one, which will let it go soon."""
    if TEAM > 0:
        at: int = pair_of(table, key)
        while claim(table[at].holds, 0) == 0:
            pass


def let_go(table: list[Entry], key: ints[KEY]) -> None:
    """Others may use the pair of a key."""
    if TEAM > 0:
        release(table[pair_of(table, key)].holds, 0, 0)


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


def fetch(search: Search, key: ints[KEY]) -> None:
    """Prefetch the entries of a key that will be looked up soon."""
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
    for k in range(KEY):
        new.key[k] = node.key[k]
    new.low = low - gone if low > -INFINITE else low
    new.high = high - gone if high < INFINITE else high
    new.rest = rest_of(highest(search.nodes - node.before + 1), reach, node.best_move)
    hold(search.table, new.key)
    at: int = place_of(search, state, new.key)
    if at != NOWHERE:
        write(search.table[at], new)
    else:
        put_in_pair(search.table, new)
    let_go(search.table, new.key)


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
        if TEAM > 0 and k == 0:
            release(target.key, 0, source.key[0])
        else:
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


# Move generation of a window search: moves are listed, looked behind, sorted, and made.
#
# *Enhanced transposition cut-offs* (Plaat, Schaeffer, Pijls and de Bruin, "Exploiting graph properties of game trees",
# 1996): before any move is searched, all successors are made and looked up. One at which the play ends, or with a
# sufficient table entry, may cut the position off at once, or at least narrows its window and need not be searched.
# Since it costs a look at every successor, it is left out in the last ply.


REMAKES: int


@hole
def rank(rules: Context, state: State) -> int:
    """The file's rank of the position after a move."""


def is_fixed(search: Search, node: Node) -> bool:
    """Whether the order of moves may depend on the position alone: first those that end the play, then by rank."""
    return search.is_in_order and node.ply == 0


def list_moves(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES]
) -> int:
    """List the moves that have to be searched, the most promising first; how many they are."""
    legal = array(MOVES)
    count: int = 0
    for k in range(moves(search.rules, state, legal)):
        move: int = legal[k]
        if move != node.barred:
            sort_in(
                offers,
                count,
                move,
                promised(False, 0, 0) if is_fixed(search, node) else promise_of(search, node, move),
                0,
            )
            count += 1
    if node.left > 1:
        count = make_children(search, state, node, offers, children, count)
        count = probe_children(search, state, node, offers, children, count)
    return count


def make_children(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES], count: int
) -> int:
    """Make so many moves, and look for those that end the play, which costs least; how many others there are."""
    going_on: int = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers[k].move
        child = children[k].state
        search.trying = move
        search.nodes += 1
        copy(child, state, STATE)
        apply(search.rules, child, move)
        if search.rules[0] != 0:
            return 0
        if actor(child) == END:
            search.terminals += 1
            take(node, move, scaled(search, payoff(child, 0)), True)
        else:
            if len(search.table) > 0:
                alike(child, children[k].key)
                fetch(search, children[k].key)
            offer = offers[going_on]
            offer.move, offer.promise, offer.child = move, offers[k].promise, k
            going_on += 1
        k += 1
    search.trying = NO_MOVE
    return going_on


def probe_children(
    search: Search, state: State, node: Node, offers: Array[Offer, MOVES], children: Array[Child, MOVES], count: int
) -> int:
    """Look up the successors, and sort the moves that still have to be searched; how many they are. If the rules look
    at the history of the play, each is made again before, since there is only one history."""
    known = Known()
    left: int = 0
    k: int = 0
    while k < count and node.alpha < node.beta:
        move: int = offers[k].move
        at: int = offers[k].child
        child = children[at].state
        if REMAKES > 0:
            copy(child, state, STATE)
            apply(search.rules, child, move)
        look_up(search, child, children[at].key, left_behind(node, move), NO_MOVE, known)
        if decides(known, node.alpha, node.beta) and not is_fixed(search, node):
            search.hits += 1
            take(node, move, decided(search, known, node.beta), known.is_whole)
        else:
            sort_in(offers, left, move, with_rank(offers[k].promise, rank(search.rules, child)), at)
            left += 1
        k += 1
    return left


def make(search: Search, state: State, node: Node, child: State, move: int) -> None:
    """Make a move, unless it has been made to be looked behind. If the rules look at the history of the play, it is
    made again, since there is only one history."""
    if node.left <= 1:
        search.nodes += 1
    if node.left <= 1 or REMAKES > 0:
        copy(child, state, STATE)
        apply(search.rules, child, move)


LATE: int
PASSES: int
EXTENDS: int
ADAPTIVE: int
MARGIN: int
STEP: int


@hole
def lets_pass(rules: Context, state: State) -> int:
    """Let the other player move instead, in place; whether that is possible."""


def window(search: Search, state: State, alpha: int, beta: int, left: int, ply: int) -> Visit[int]:
    """The value of a position if it lies between alpha and beta, else a bound on the same side. There are so many
    plies ``left`` to the horizon, ``ply`` moves and passes lead here from the root, and ``search.barred`` may be a move
    or a pass that is not to be made here."""
    barred: int = search.barred
    search.barred = NO_MOVE
    if is_at_horizon(search, state, left):
        search.estimates += 1
        return found(search, worth_at_horizon(search, state), NO_MOVE, False)
    node = Node()
    known = Known()
    if len(search.table) > 0 and actor(state) != END:
        alike(state, node.key)
    look_up(search, state, node.key, left, barred, known)
    has_move: bool = REMAKES == 0 and known.move != NO_MOVE and not search.is_in_order
    if decides(known, alpha, beta) and (ply > 0 or has_move or actor(state) == END):
        if actor(state) == END:
            search.terminals += 1
        else:
            search.hits += 1
        return found(search, decided(search, known, beta), known.move, known.is_whole)
    if comes_back(search.rules, search.watch, state, search.depth):
        raise GiveUp(COMES_BACK)
    node.alpha, node.beta, node.left, node.ply = alpha, beta, left, ply
    node.first, node.barred, node.depth, node.before = known.move, barred, search.depth, search.nodes
    take_reads(search.rules, node.outer)
    begin_with(node, actor(state))
    if TEAM > 0:
        node.kind = search.kind
        search.longest = max(search.longest, ply)
    move: int = NO_MOVE
    value: int = 0

    if PASSES > 0 and left >= PASSES and ply > 0 and barred != PASS and is_worth_a_pass(search, state, node):
        there = scratch()
        copy(there, state, STATE)
        if lets_pass(search.rules, there) != 0:
            search.nodes += 1
            low = beta - STEP if node.player == 0 else alpha
            behind = left - (4 if left >= ADAPTIVE else 3)
            search.barred = PASS
            try:
                value = yield window(search, there, low, low + STEP, behind, ply + 1)
                if cuts_off(node, value) and not search.is_whole:
                    node.best, node.best_move, node.is_whole = value, node.first, False
                    search.cutoffs += 1
                    return finish(search, state, node, alpha, beta)
            except PlayError:
                search.trying, search.barred = NO_MOVE, NO_MOVE
                read_everything(search)

    if EXTENDS > 0 and left >= EXTENDS and ply > 0 and ply <= search.plies and barred == NO_MOVE:
        value = yield window(search, state, alpha, beta, left >> 1, ply)
        if search.best_move != NO_MOVE:
            node.first = search.best_move
            if improves(node, value):
                bound: int = value - MARGIN if node.player == 0 else value + MARGIN - STEP
                search.barred = node.first
                value = yield window(search, state, bound, bound + STEP, left >> 1, ply)
                if value <= bound if node.player == 0 else value > bound:
                    node.extended = node.first

    offers = records(Offer, MOVES)
    children = records(Child, MOVES)
    count: int = list_moves(search, state, node, offers, children)
    if search.rules[0] != 0:
        return 0
    later: int = 0
    for n in range(2 * count):
        if node.alpha >= node.beta or n >= count + later:
            break
        k: int = n if n < count else n - count
        move = offers[k].move
        mark: int = NOWHERE
        if TEAM > 0 and len(search.marks) > 0 and 2 * ply < search.longest:
            if n > 0 and ply > 0:
                look_up(search, state, node.key, left, barred, known)
                if decides(known, alpha, beta):
                    search.hits += 1
                    return go_up(search, node, decided(search, known, beta), known.move, known.is_whole)
            mark = slot_of(children[offers[k].child].key, len(search.marks))
            if claim(search.marks, mark) == 0:
                mark = NOWHERE
                if n > 0 and n < count and ply > 0 and node.kind != CUT:
                    put_off(offers, k, later)
                    later += 1
                    continue
        make(search, state, node, children[offers[k].child].state, move)
        deep: int = left_behind(node, move)
        is_good: bool = True
        if LATE > 0 and k >= LATE and left > 2:
            low = scout_from(node)
            value = yield window(search, children[offers[k].child].state, low, low + STEP, deep - 1, ply + 1)
            is_good = improves(node, value)
        if search.scouts and k > 0 and is_good:
            low = scout_from(node)
            value = yield window(search, children[offers[k].child].state, low, low + STEP, deep, ply + 1)
            is_good = value > node.alpha and value < node.beta
        if TEAM > 0:
            search.kind = PV if node.kind == PV and n == 0 else ALL if node.kind == CUT else CUT
        if is_good:
            value = yield window(search, children[offers[k].child].state, node.alpha, node.beta, deep, ply + 1)
        take(node, move, value, search.is_whole)
        if TEAM > 0 and mark != NOWHERE:
            release(search.marks, mark, 0)

    if node.alpha >= node.beta:
        search.cutoffs += 1
        learn(search, node)
    return finish(search, state, node, alpha, beta)


def put_off(offers: Array[Offer, MOVES], k: int, later: int) -> None:
    """Put a move off until the others have been searched: it becomes number ``later`` of the second round, in a place
    that the first round has left behind."""
    offer = offers[k]
    there = offers[later]
    there.move, there.promise, there.child = offer.move, offer.promise, offer.child


def is_worth_a_pass(search: Search, state: State, node: Node) -> bool:
    """Whether a position looks good enough already, and quiet enough to pass."""
    return cuts_off(node, worth(search.rules, state)) and is_unsettled(search.rules, state) == 0


def read_everything(search: Search) -> None:
    """Nobody knows what the rules have looked for below a pass that went wrong: perhaps for anything."""
    anything = array(PAST)
    for k in range(PAST):
        anything[k] = -1
    add_reads(search.rules, anything)


def scout_from(node: Node) -> int:
    """The lower edge of a scout's null window, which only tells whether a move is better than the best so far."""
    return node.alpha if node.player == 0 else node.beta - STEP


def finish(search: Search, state: State, node: Node, alpha: int, beta: int) -> int:
    """A position has been searched, with this window at first: store and return what was found."""
    if not is_move(node.barred):
        store(search, state, node, alpha, beta)
    return go_up(search, node, node.best, node.best_move, node.is_whole)


def go_up(search: Search, node: Node, value: int, move: int, is_whole: bool) -> int:
    """Go back from a position with what was found."""
    add_reads(search.rules, node.outer)
    go_back(search.watch, node.depth)
    return found(search, value, move, is_whole)


def found(search: Search, value: int, move: int, is_whole: bool) -> int:
    """Return a value, and leave its move, and whether no horizon has been met, in the search."""
    search.best_move, search.is_whole = move, is_whole
    return value


def start(search: Search) -> None:
    """Nothing has been searched for this window; the first call has the root, which counts as a node."""
    forget(search.watch)
    search.depth, search.nodes, search.kind = 0, search.nodes + 1, PV
