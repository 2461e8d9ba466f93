"""Which entries of the history are equal, as far as a place in the rules looks at them."""

from __future__ import annotations

FIRST: int  # where the entries begin in the context
WORDS: int  # how many words each has
HEAD: int  # how many of them count at its beginning
BEGIN: int
END: int  # between these are the others that count


def times(C: ints[CONTEXT], i: int, low: int, high: int) -> int:
    """How many of the entries from ``low`` to ``high`` are as the entry i is."""
    found: int = 0
    one: int = FIRST + i * WORDS
    for k in range(low, high):
        found += equal(C, one, FIRST + k * WORDS)
    return found


def equal(C: ints[CONTEXT], one: int, other: int) -> int:
    """Whether two entries are equal, which begin at these places."""
    for w in range(HEAD):
        if C[one + w] != C[other + w]:
            return 0
    for w in range(BEGIN, END):
        if C[one + w] != C[other + w]:
            return 0
    return 1
