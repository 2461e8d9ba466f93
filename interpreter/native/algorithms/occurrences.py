"""Whether, and how often, the current values have occurred before."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, State, array, count, ints, mix

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the first words, those of the phase
BEGIN: int  # the offset of the values in an entry
DIGESTS: int  # the offset of their digests in the context
READS: int  # the offset of what has been looked for in the context
HISTORY: int  # the slot of the number of entries


class COUNT(metaclass=Length):
    """The number of the values' words."""


def put_values(state: State, values: ints[COUNT]) -> int: ...  # the current ones


def note(context: Context, values: ints[COUNT]) -> int:
    """Note that some values have been looked for: the bits that are 1 in them, and those that are 0."""
    for word in range(COUNT):
        at: int = READS + BEGIN + word
        context[at] = context[at] | values[word]
        context[at + WORDS] = context[at + WORDS] | values[word] ^ -1
    return 0


def may_occur(context: Context, values: ints[COUNT], entries: int) -> int:
    """Whether one of the first ``entries`` entries has the digest of some values."""
    digest: int = 0
    for word in range(COUNT):
        digest = mix(digest, values[word])
    return count(context, DIGESTS, entries, digest)


def has(context: Context, values: ints[COUNT], entry: int) -> int:
    """Whether an entry has these values."""
    for word in range(COUNT):
        if context[FIRST + entry * WORDS + BEGIN + word] != values[word]:
            return 0
    return 1


def is_same_phase(context: Context, entry: int, other: int) -> int:
    """Whether two entries have the same phase with the same arguments."""
    for word in range(HEAD):
        if context[FIRST + entry * WORDS + word] != context[FIRST + other * WORDS + word]:
            return 0
    return 1


def repeated(context: Context, state: State, entries: int) -> int:
    """Whether one of the first ``entries`` entries has the current values."""
    values = array(COUNT)
    put_values(state, values)
    note(context, values)
    if may_occur(context, values, entries) == 0:
        return 0
    for i in range(entries):
        if has(context, values, i) != 0:
            return 1
    return 0


def repetitions(context: Context, state: State) -> int:
    """The number of entries with the phase of the last one and the current values."""
    entries: int = state[HISTORY]
    values = array(COUNT)
    put_values(state, values)
    note(context, values)
    if may_occur(context, values, entries) == 0:
        return 0
    found: int = 0
    for i in range(entries):
        if has(context, values, i) != 0 and is_same_phase(context, i, entries - 1) != 0:
            found += 1
    return found
