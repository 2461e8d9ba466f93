"""How often the current values have occurred in the current phase."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, State, array, count, ints, mix

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the first words, those of the phase
BEGIN: int  # the offset of the values in an entry
DIGESTS: int  # the offset of their digests in the context
HISTORY: int  # the slot of the number of entries


class COUNT(metaclass=Length):
    """The number of the values' words."""


def put_values(state: State, values: ints[COUNT]) -> int: ...  # the current ones


def repetitions(context: Context, state: State) -> int:
    """The number of entries with the phase of the last one and the current values."""
    entries: int = state[HISTORY]
    values = array(COUNT)
    put_values(state, values)
    digest: int = 0
    for word in range(COUNT):
        digest = mix(digest, values[word])
    if count(context, DIGESTS, entries, digest) == 0:
        return 0
    found: int = 0
    for i in range(entries):
        same: int = 1
        for word in range(COUNT):
            if context[FIRST + i * WORDS + BEGIN + word] != values[word]:
                same = 0
                break
        if same != 0:
            for word in range(HEAD):
                if context[FIRST + i * WORDS + word] != context[FIRST + (entries - 1) * WORDS + word]:
                    same = 0
        found += same
    return found
