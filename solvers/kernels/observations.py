"""Information states as numbers, equal exactly if the information states are.

An *information state* consists of its predecessor, another information state, and the words of one observation. It does
not depend on steps: the same observations make the same information state, in however many steps. The empty one of
player p has number p. So information states form a forest. Each is stored once, in a hash table keyed by the number of
its predecessor and its own words.

With perfect information nothing needs to be compared: every decision is an information state of its own.

Cost: one probe of the table for each observation, which reads its words.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    MOVES,
    PLAYERS,
    WORDS,
    Context,
    State,
    array,
    hole,
    ints,
    mix,
    observed,
)

STEP_WORDS: int
STEP_STATES: int

UNKNOWN = -1
"""In place of an information state that has no number."""

NOTHING = 0
LACKS_WORDS = 1
LACKS_STATES = 2


@hole
def learn(knowledge: Knowledge, last: State, state: State, move: int, before: ints[PLAYERS], now: ints[PLAYERS]) -> int:
    """Set ``now`` to the players' information states at a state, reached by a move from the last decision."""


class Knowledge:
    """The information states so far, ``count`` of them. ``previous[i]`` is the predecessor of number i, and
    ``starts[i]`` to ``starts[i + 1]`` (exclusive) are its ``words``, ``used`` of which have been written. ``slots`` is
    the hash table, its length a power of 2: the number of an information state plus 1, or 0."""

    rules: Context
    previous: list[int]
    starts: list[int]
    words: list[int]
    slots: list[int]
    count: int
    used: int


def know_nothing(knowledge: Knowledge, now: ints[PLAYERS]) -> None:
    """Set ``now`` to the empty information states."""
    knowledge.count, knowledge.used = 0, 0
    for p in range(PLAYERS):
        now[p] = p
        knowledge.count += 1


def lacking(knowledge: Knowledge) -> int:
    """The lists without room for the most that a step can add: ``STEP_WORDS`` words and ``STEP_STATES`` information
    states."""
    if knowledge.used + STEP_WORDS >= len(knowledge.words):
        return LACKS_WORDS
    if knowledge.count + STEP_STATES >= len(knowledge.previous):
        return LACKS_STATES
    return NOTHING


def note_step(
    knowledge: Knowledge, last: State, state: State, move: int, before: ints[PLAYERS], now: ints[PLAYERS]
) -> int:
    """Set ``now`` to the players' information states at a state, given those ``before``, at the last decision."""
    seen = array(WORDS)
    for p in range(PLAYERS):
        count: int = observed(knowledge.rules, last, state, move, p, seen)
        now[p] = before[p]
        begin: int = 0
        while begin < count:
            end: int = begin + 1 + seen[begin]
            now[p] = add_observation(knowledge, now[p], seen, begin + 1, end)
            begin = end
    return 0


def recall_step(
    knowledge: Knowledge, last: State, state: State, move: int, before: ints[PLAYERS], now: ints[PLAYERS]
) -> int:
    """As :func:`note_step`, but nothing is added: ``UNKNOWN`` in place of an information state that has no number, or
    whose predecessor has none."""
    seen = array(WORDS)
    for p in range(PLAYERS):
        count: int = observed(knowledge.rules, last, state, move, p, seen)
        now[p] = before[p]
        begin: int = 0
        while begin < count and now[p] != UNKNOWN:
            end: int = begin + 1 + seen[begin]
            now[p] = knowledge.slots[find_slot(knowledge, now[p], seen, begin + 1, end)] - 1
            begin = end
    return 0


def note_decision(knowledge: Knowledge, now: ints[PLAYERS]) -> int:
    """Likewise with perfect information."""
    for p in range(PLAYERS):
        now[p] = knowledge.count
    knowledge.count += 1
    return 0


def add_observation(knowledge: Knowledge, before: int, seen: ints[WORDS], begin: int, end: int) -> int:
    """The information state after ``before`` with the observation of the words from ``begin`` to ``end``."""
    slot: int = find_slot(knowledge, before, seen, begin, end)
    if knowledge.slots[slot] != 0:
        return knowledge.slots[slot] - 1
    new: int = knowledge.count
    knowledge.slots[slot] = new + 1
    knowledge.previous[new] = before
    for i in range(begin, end):
        knowledge.words[knowledge.used + i - begin] = seen[i]
    knowledge.count += 1
    knowledge.used += end - begin
    knowledge.starts[new + 1] = knowledge.used
    return new


def find_slot(knowledge: Knowledge, before: int, seen: ints[WORDS], begin: int, end: int) -> int:
    """The slot of that information state, or the empty one in which it belongs."""
    hash: int = before
    for i in range(begin, end):
        hash = mix(hash, seen[i])
    slot: int = (hash >> 12) & (len(knowledge.slots) - 1)
    while knowledge.slots[slot] != 0:
        found: int = knowledge.slots[slot] - 1
        if knowledge.previous[found] == before and is_made_of(knowledge, found, seen, begin, end):
            return slot
        slot = (slot + 1) & (len(knowledge.slots) - 1)
    return slot


def rehash(knowledge: Knowledge, first: int) -> None:
    """Enter the information states from number ``first`` on in slots that are new and empty."""
    for number in range(first, knowledge.count):
        hash: int = knowledge.previous[number]
        for i in range(knowledge.starts[number], knowledge.starts[number + 1]):
            hash = mix(hash, knowledge.words[i])
        slot: int = (hash >> 12) & (len(knowledge.slots) - 1)
        while knowledge.slots[slot] != 0:
            slot = (slot + 1) & (len(knowledge.slots) - 1)
        knowledge.slots[slot] = number + 1


def is_made_of(knowledge: Knowledge, number: int, seen: ints[WORDS], begin: int, end: int) -> bool:
    """Whether an information state has these words."""
    first: int = knowledge.starts[number]
    if knowledge.starts[number + 1] - first != end - begin:
        return False
    for i in range(begin, end):
        if knowledge.words[first + i - begin] != seen[i]:
            return False
    return True


def put_in_order(legal: ints[MOVES], count: int, offered: list[int], first: int) -> bool:
    """Bring the moves of a decision into the order of those that an information set has offered before, from place
    ``first`` on. Whether they are the same moves."""
    for k in range(count):
        at: int = k
        while at < count and legal[at] != offered[first + k]:
            at += 1
        if at == count:
            return False
        legal[at] = legal[k]
        legal[k] = offered[first + k]
    return True
