"""Many plays at once: the same step in each of them, for programs that learn.

In every state a player is to move. A step makes the move that was chosen, by its number in the game's own list; lets
chance draw until a player is to move again; pays what the step has brought; begins anew where the play is over; and
writes who is to move then, which moves are legal and what the player sees.

Each play has a random generator of its own, so that nothing depends on threads or on other plays.

**Numbers.** Moves are numbered by :mod:`zermelo.interpreter.numbering.moves`, in lowered rules by phase, rule and
stored arguments. ``codes`` leads from the first to the second, a hash table back.

**Bytes.** Masks and flags have a byte for each truth value, eight to a word. Eight states are a *block*, whose masks
fill as many words as there are moves: threads share no word as long as they take whole blocks.

**Observations** are 32-bit floats, written by their bits. What stands at a place of a state is, by
:mod:`zermelo.interpreter.native.numbered`, the row of a table, or a number. Messages, and values that a player sees for
a while, last longer than the state that shows them: where there are such, an observation of each player is kept beside
the state, and what they perceive is written into it.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    END,
    MOMENT,
    MOVES,
    PLAYERS,
    STATE,
    WORDS,
    Context,
    Random,
    State,
    actor,
    apply,
    begin,
    copy,
    earned,
    half,
    highest,
    hole,
    ints,
    mix,
    moments,
    moves,
    payoff,
    sample,
    set_up,
)
from zermelo.interpreter.native.state_encoding.observations import KINDS, SEEN, TOLD
from zermelo.interpreter.native.state_encoding.state_layout import FIRST, MOST_ENTRIES, PHASE

NUMBERED: int  # how many moves are numbered
UNITS: int  # the numbers of an observation
KEPT: int  # the same if observations of all players are kept, else 0
GROUPS: int  # the groups of values in the history of a play that are looked for
ROOM: int  # the words of a history


@hole
def words_seen(rules: Context, last: State, state: State, move: int, player: int, seen: ints[WORDS]) -> int:
    """Write what a player perceives on coming to a state by a move from the last decision, if that is kept; the number
    of words."""


BLOCK = 8
MOST_DRAWS = 1 << 16
"""The most draws of chance between two decisions, and the most plays in a row that end before one."""

UNDECIDED = 1
ENDLESS = 2
UNNUMBERED = 3
"""Why a step fails: plays end before anybody decides; chance draws for ever; a move has no number."""

TABLE = 0
IS = 1
OVER = 2
NUMBER = 3
"""What a piece says of what is stored: a row of the table, whether it is ``base``, whether it is more, or how many
``step`` it is beyond it if it is not less than ``least``."""

FLOAT_ONE = 127 << 23
"""The bits of 1.0."""


class Piece:
    """A piece of an observation: ``length`` numbers at ``offset``, which the players of the mask ``watchers`` see while
    the play is in ``phase``, or in any if that is below 0. They say something of what is stored in ``slot``, or in
    ``planes`` of them from there on, a bit in each; rows of the table begin at ``table``. There are ``count`` of the
    kind, each so many ``slots``, ``bits_each`` and ``numbers_each`` further on."""

    kind: int
    slot: int
    planes: int
    shift: int
    mask: int
    base: int
    least: int
    step: int
    table: int
    length: int
    offset: int
    phase: int
    watchers: int
    count: int
    slots: int
    bits_each: int
    numbers_each: int


class Entry:
    """An entry of a variable that a player may come to see: the words of its value, and its pieces, if observations
    keep it."""

    size: int
    first: int
    count: int


class Batch:
    """States, with a ``stream`` of random numbers each, what has been ``paid`` in their plays, what is ``known`` to the
    players, and the histories ``past``. ``chosen`` are the moves to be made; then the results, of which the ``masks``
    and ``done`` are bytes. ``failed`` is the state in which a step has failed.

    ``pieces`` are read from each state; ``shown`` are those of ``entries`` that a player perceives, ``told`` those of
    messages; with observations ``at_first``, one of each player."""

    rules: Context
    states: list[State]
    last: State
    legal: ints[MOVES]
    weights: ints[MOVES]
    seen: ints[WORDS]
    random: Random
    streams: list[int]
    codes: list[int]
    keys: list[int]
    numbers: list[int]
    pieces: list[Piece]
    told: list[Piece]
    shown: list[Piece]
    entries: list[Entry]
    at_first: list[half]
    tables: list[half]
    unit: float
    paid: list[int]
    known: list[half]
    past: list[int]
    chosen: list[int]
    actors: list[int]
    rewards: list[float]
    done: list[int]
    masks: list[int]
    observations: list[half]
    failed: int


def go_on_all(batch: Batch, first: int, end: int, is_start: bool) -> int:
    """Begin a play, or make the chosen move, in the states from ``first`` up to ``end``, whole blocks or the last ones;
    0, or why it fails."""
    answer: int = 0
    for i in range(first, end):
        if answer == 0 and batch.rules[0] == 0:
            if i % BLOCK == 0:
                clear(batch, i // BLOCK)
            batch.failed = i
            answer = start(batch, i) if is_start else step(batch, i)
    return answer


def clear(batch: Batch, block: int) -> None:
    """Wipe out the masks and flags of a block."""
    batch.done[block] = 0
    for k in range(block * NUMBERED, (block + 1) * NUMBERED):
        batch.masks[k] = 0


def seed_all(batch: Batch, seed: int, end: int) -> int:
    """Seed the streams of random numbers."""
    for i in range(end):
        batch.streams[i] = mix(mix(mix(seed, 40503), i), 668265263) & ((1 << 53) - 1)
    return 0


def start(batch: Batch, i: int) -> int:
    """Begin a play."""
    for p in range(PLAYERS):
        batch.rewards[i * PLAYERS + p] = 0.0
    answer: int = begin_play(batch, i)
    return answer if answer != 0 else show(batch, i)


def step(batch: Batch, i: int) -> int:
    """Make the chosen move in a state."""
    state = batch.states[i]
    move: int = batch.codes[state[PHASE] * NUMBERED + batch.chosen[i]]
    recall(batch, i)
    if KEPT != 0:
        copy(batch.last, state, STATE)
    apply(batch.rules, state, move)
    answer: int = draw(batch, i)
    if answer != 0 or batch.rules[0] != 0:
        return answer
    pay(batch, i)
    if actor(state) == END:
        batch.done[i // BLOCK] = batch.done[i // BLOCK] | 1 << i % BLOCK * 8
        answer = begin_play(batch, i)
    elif KEPT != 0:
        perceive_step(batch, i, move)
    return answer if answer != 0 else show(batch, i)


def begin_play(batch: Batch, i: int) -> int:
    """Begin plays until one has a decision."""
    state = batch.states[i]
    answer: int = 0
    tries: int = 0
    while batch.rules[0] == 0 and answer == 0 and (tries == 0 or actor(state) == END):
        begin(batch.rules, state)
        answer = draw(batch, i)
        tries += 1
        if tries == MOST_DRAWS:
            answer = UNDECIDED
    for p in range(PLAYERS):
        batch.paid[i * PLAYERS + p] = 0
    if KEPT != 0:
        for k in range(PLAYERS * KEPT):
            batch.known[i * PLAYERS * KEPT + k] = batch.at_first[k]
        set_up(batch.rules, batch.last)
        perceive_step(batch, i, -1)
    return answer


def draw(batch: Batch, i: int) -> int:
    """Let chance draw until a player is to move, or the play is over."""
    state = batch.states[i]
    draws: int = 0
    batch.random[0] = batch.streams[i]
    while actor(state) == CHANCE and batch.rules[0] == 0:
        if draws == MOST_DRAWS:
            return ENDLESS
        drawn_move: int = sample(batch.rules, state, batch.legal, batch.weights, batch.random)
        if batch.rules[0] == 0:
            apply(batch.rules, state, drawn_move)
        draws += 1
    batch.streams[i] = batch.random[0]
    return 0


def pay(batch: Batch, i: int) -> None:
    """Pay what the step has brought: at the end the payoff, before it what has been earned, less what is paid."""
    state = batch.states[i]
    for p in range(PLAYERS):
        now: int = payoff(state, p) if actor(state) == END else earned(state, p)
        batch.rewards[i * PLAYERS + p] = float(now - batch.paid[i * PLAYERS + p]) / batch.unit
        batch.paid[i * PLAYERS + p] = now


def show(batch: Batch, i: int) -> int:
    """Write who is to move, which moves are legal, and what there is to see."""
    state = batch.states[i]
    if batch.rules[0] != 0:
        return 0
    batch.actors[i] = actor(state)
    count: int = moves(batch.rules, state, batch.legal)
    for k in range(count):
        number: int = number_of(batch, batch.legal[k])
        if number < 0:
            return UNNUMBERED
        at: int = i % BLOCK * NUMBERED + number
        word: int = i // BLOCK * NUMBERED + at // 8
        batch.masks[word] = batch.masks[word] | 1 << at % 8 * 8
    look(batch, i)
    keep(batch, i)
    return 0


def number_of(batch: Batch, move: int) -> int:
    """The number of a move of lowered rules; -1 if it has none."""
    last: int = len(batch.keys) - 1
    at: int = mix(move, 0) & last
    while batch.keys[at] != move:
        if batch.keys[at] < 0:
            return -1
        at = (at + 1) & last
    return batch.numbers[at]


# Observations.


def look(batch: Batch, i: int) -> None:
    """Write what the player to move sees."""
    state = batch.states[i]
    player: int = actor(state)
    at: int = i * UNITS
    if KEPT != 0:
        for k in range(UNITS):
            batch.observations[at + k] = batch.known[(i * PLAYERS + player) * UNITS + k]
    for k in range(len(batch.pieces)):
        piece = batch.pieces[k]
        there: int = at + piece.offset
        is_seen: bool = (piece.watchers >> player) & 1 != 0 and (piece.phase < 0 or state[PHASE] == piece.phase)
        for each in range(piece.count):
            if is_seen:
                tell(batch, piece, stored(state, piece, each), batch.observations, there)
            else:
                for j in range(piece.length):
                    batch.observations[there + j] = 0
            there += piece.numbers_each


def stored(state: State, piece: Piece, each: int) -> int:
    """What is stored where a piece looks, in one of its entries."""
    slot: int = piece.slot + each * piece.slots
    shift: int = piece.shift + each * piece.bits_each
    if piece.planes == 0:
        return (state[slot] >> shift) & piece.mask
    found: int = 0
    for plane in range(piece.planes):
        found |= ((state[slot + plane] >> shift) & 1) << plane
    return found


def perceive_step(batch: Batch, i: int, move: int) -> None:
    """Write what each player perceives on coming to a state by a move from the last one, or from none by -1."""
    for p in range(PLAYERS):
        row: int = (i * PLAYERS + p) * UNITS
        count: int = words_seen(batch.rules, batch.last, batch.states[i], move, p, batch.seen)
        at: int = 0
        while at < count:
            kind: int = batch.seen[at + 1] % KINDS
            if kind == TOLD:
                hear(batch, at + 1, row)
            elif kind == SEEN:
                see(batch, i, at + 1, at + 1 + batch.seen[at], row)
            at += batch.seen[at] + 1


def hear(batch: Batch, head: int, row: int) -> None:
    """Write the message whose head and values are words that a player has perceived."""
    for k in range(len(batch.told)):
        piece = batch.told[k]
        if piece.phase == batch.seen[head] // KINDS:
            value: int = (batch.seen[head + piece.slot] >> piece.shift) & piece.mask
            tell(batch, piece, value, batch.known, row + piece.offset)


def see(batch: Batch, i: int, first: int, end: int, row: int) -> None:
    """Write the entries that a player comes to see, which are words up to ``end``: they are as the state has them."""
    at: int = first
    while at < end:
        entry = batch.entries[batch.seen[at] // KINDS]
        for k in range(entry.first, entry.first + entry.count):
            piece = batch.shown[k]
            tell(batch, piece, stored(batch.states[i], piece, 0), batch.known, row + piece.offset)
        at += 1 + entry.size


def tell(batch: Batch, piece: Piece, value: int, there: list[half], at: int) -> None:
    """Write what a piece says of what is stored."""
    if piece.kind == TABLE:
        row: int = piece.table + value * piece.length
        for j in range(piece.length):
            there[at + j] = batch.tables[row + j]
    elif piece.kind == IS:
        there[at] = FLOAT_ONE if value == piece.base else 0
    elif piece.kind == OVER:
        there[at] = FLOAT_ONE if value > piece.base else 0
    else:
        there[at] = float_bits((value - piece.base) // piece.step) if value >= piece.least else 0


def float_bits(number: int) -> int:
    """The bits of a 32-bit float, the nearest to a whole number, the even one of two (IEEE 754)."""
    if number == 0:
        return 0
    size: int = number if number > 0 else -number
    exponent: int = highest(size)
    digits: int = size << max(0, 23 - exponent) >> max(0, exponent - 23)
    beyond: int = max(0, exponent - 23)
    left: int = 2 * (size - (digits << beyond)) if beyond > 0 else 0
    one: int = 1
    if left > one << beyond or (left == one << beyond and digits % 2 == 1 and beyond > 0):
        digits += 1
    found: int = ((exponent + 126) << 23) + digits
    return found if number > 0 else found - (one << 31)


# The histories of plays, for rules that ask for them: the context has room for one.


def recall(batch: Batch, i: int) -> None:
    """Put the history of a state into the context."""
    if MOMENT > 0:
        count: int = moments(batch.states[i])
        at: int = i * ROOM
        for k in range(count * MOMENT):
            batch.rules[FIRST + k] = batch.past[at + k]
        for group in range(GROUPS):
            first: int = MOST_ENTRIES * (MOMENT + group)
            for k in range(first, first + count):
                batch.rules[FIRST + k] = batch.past[at + k]


def keep(batch: Batch, i: int) -> None:
    """Keep the history of a state."""
    if MOMENT > 0:
        count: int = moments(batch.states[i])
        at: int = i * ROOM
        for k in range(count * MOMENT):
            batch.past[at + k] = batch.rules[FIRST + k]
        for group in range(GROUPS):
            first: int = MOST_ENTRIES * (MOMENT + group)
            for k in range(first, first + count):
                batch.past[at + k] = batch.rules[FIRST + k]
