"""Recording the history of a play: an entry for each phase with a decision that is entered."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, mix

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
MOST: int  # the most of them
HISTORY: int  # the slot of their number
OVERFLOW: int  # the fault site if there are more
GROUPS: int  # the number of groups of values with digests
BEGINS: tuple[int, ...]
ENDS: tuple[int, ...]  # the range of each group's values in an entry


def put_entry(context: Context, state: State, at: int) -> int: ...  # write the state's entry into the context


def remember(context: Context, state: State) -> int:
    """Append an entry, and the digests of its values."""
    count: int = state[HISTORY]
    if count >= MOST:
        if context[0] == 0:
            context[0] = OVERFLOW
        return 0
    at: int = FIRST + count * WORDS
    put_entry(context, state, at)
    for group in range(GROUPS):
        digest: int = 0
        for word in range(BEGINS[group], ENDS[group]):
            digest = mix(digest, context[at + word])
        context[FIRST + MOST * (WORDS + group) + count] = digest
    state[HISTORY] = count + 1
    return 0
