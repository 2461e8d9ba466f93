"""A memory of positions with scores, for programs that learn by rote (:mod:`.rote`): a table by open addressing, whose
rows stand in the order in which positions were first met.

Cost: a few comparisons of keys for each look-up; forgetting goes through all rows, once for each age that is forgotten.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, State, array, half, hole, ints
from zermelo.solvers.kernels.states import slot_of

KEEPS: int
ROOM: int

NOWHERE = -1
GONE = -1


@hole
def name(state: State, key: ints[KEY]) -> int:
    """Write the key under which a position is kept, that of one of those that are alike."""


class Memory:
    """So many positions, ``count``. Row r has the words of its key from ``keys[KEY * r]`` on, the score of the first
    player without what has been earned before, the depth behind it, and by ``used`` its age: how long ago, in plays
    before ``now``, it would have been used last. ``table`` has rows plus 1, by keys. What has been done is counted:
    ``hits`` at horizons, scores ``refreshed``, and positions ``forgotten``."""

    keys: list[int]
    scores: list[float]
    depths: list[int]
    used: list[int]
    table: list[half]
    count: int
    now: int
    hits: int
    refreshed: int
    forgotten: int


def recall(memory: Memory, state: State) -> int:
    """The row of a position, which is used, or ``NOWHERE``."""
    if KEEPS == 0:
        return NOWHERE
    key = array(KEY)
    name(state, key)
    row: int = memory.table[place_of(memory, key)] - 1
    if row != NOWHERE:
        memory.hits += 1
        use(memory, row)
    return row


def use(memory: Memory, row: int) -> None:
    """A row is used: its age is halved."""
    memory.used[row] = memory.now - ((memory.now - memory.used[row]) >> 1)


def keep(memory: Memory, state: State, score: float, depth: int) -> None:
    """Keep a score of a position, unless one is known that comes from deeper."""
    key = array(KEY)
    name(state, key)
    place: int = place_of(memory, key)
    row: int = memory.table[place] - 1
    if row != NOWHERE:
        use(memory, row)
        if depth < memory.depths[row]:
            return
        memory.refreshed += 1
    else:
        row = memory.count
        memory.count += 1
        memory.table[place] = memory.count
        memory.used[row] = memory.now
        for k in range(KEY):
            memory.keys[KEY * row + k] = key[k]
    memory.scores[row], memory.depths[row] = score, depth


def place_of(memory: Memory, key: ints[KEY]) -> int:
    """The place of a key in the table, or a free one."""
    place: int = slot_of(key, len(memory.table))
    while memory.table[place] != 0 and not has_key(memory, memory.table[place] - 1, key):
        place = (place + 1) & (len(memory.table) - 1)
    return place


def has_key(memory: Memory, row: int, key: ints[KEY]) -> bool:
    """Whether a row has a key."""
    for k in range(KEY):
        if memory.keys[KEY * row + k] != key[k]:
            return False
    return True


def enter_all(memory: Memory) -> None:
    """Enter all rows into the table."""
    for place in range(len(memory.table)):
        memory.table[place] = 0
    key = array(KEY)
    for row in range(memory.count):
        for k in range(KEY):
            key[k] = memory.keys[KEY * row + k]
        memory.table[place_of(memory, key)] = row + 1


def forget_oldest(memory: Memory) -> None:
    """Forget the oldest rows, if there are more than have room."""
    excess: int = memory.count - ROOM
    if excess <= 0:
        return
    memory.forgotten += excess
    while excess > 0:
        oldest: int = memory.now
        for row in range(memory.count):
            if memory.used[row] != GONE and memory.used[row] < oldest:
                oldest = memory.used[row]
        for row in range(memory.count):
            if excess > 0 and memory.used[row] == oldest:
                memory.used[row] = GONE
                excess -= 1
    close_up(memory)
    enter_all(memory)


def close_up(memory: Memory) -> None:
    """Move the rows that are left together."""
    count: int = 0
    for row in range(memory.count):
        if memory.used[row] != GONE:
            for k in range(KEY):
                memory.keys[KEY * count + k] = memory.keys[KEY * row + k]
            memory.scores[count], memory.depths[count] = memory.scores[row], memory.depths[row]
            memory.used[count] = memory.used[row]
            count += 1
    memory.count = count
