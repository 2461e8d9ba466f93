"""Recording the history of a play: an entry for each phase with a decision that is entered."""

from __future__ import annotations

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
MOST: int  # the most of them
HISTORY: int  # the slot of their number
OVERFLOW: int  # the fault site if there are more
GROUPS: int  # the number of groups of values with digests
BEGINS: tuple[int, ...]
ENDS: tuple[int, ...]  # the range of each group's values in an entry


def put_entry(C: ints[CONTEXT], S: state, at: int) -> int: ...  # write the entry of S into the context


def remember(C: ints[CONTEXT], S: state) -> int:
    """Append an entry, and the digests of its values."""
    n: int = S[HISTORY]
    if n >= MOST:
        if C[0] == 0:
            C[0] = OVERFLOW
        return 0
    at: int = FIRST + n * WORDS
    put_entry(C, S, at)
    for group in range(GROUPS):
        digest: int = 0
        for w in range(BEGINS[group], ENDS[group]):
            digest = mix(digest, C[at + w])
        C[FIRST + MOST * (WORDS + group) + n] = digest
    S[HISTORY] = n + 1
    return 0
