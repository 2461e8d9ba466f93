"""Writing the history of a play: an entry whenever a phase with a decision is entered."""

from __future__ import annotations

FIRST: int  # where the entries begin in the context
WORDS: int  # how many words each has
MOST: int  # room for so many
HISTORY: int  # where a state holds how many there are
OVERFLOW: int  # the place in the rules to blame where there is no room for more
GROUPS: int  # so many groups of values have digests
BEGINS: tuple[int, ...]
ENDS: tuple[int, ...]  # between these stand the values of each group in an entry


def put_entry(C: ints[CONTEXT], S: state, at: int) -> int: ...  # put what an entry says of S into the context


def remember(C: ints[CONTEXT], S: state) -> int:
    """Write an entry behind the others, and the digests of its values."""
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
