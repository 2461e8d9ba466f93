"""How often the current values have occurred in the current phase."""

from __future__ import annotations

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
HEAD: int  # the first words, those of the phase
BEGIN: int  # the offset of the values in an entry
COUNT: int  # the number of their words
DIGESTS: int  # the offset of their digests in the context
HISTORY: int  # the slot of the number of entries


def put_values(S: state, values: ints[COUNT]) -> int: ...  # the current ones


def repetitions(C: ints[CONTEXT], S: state) -> int:
    """The number of entries with the phase of the last one and the values of S."""
    n: int = S[HISTORY]
    values = array(COUNT)
    put_values(S, values)
    digest: int = 0
    for w in range(COUNT):
        digest = mix(digest, values[w])
    if count(C, DIGESTS, n, digest) == 0:
        return 0
    found: int = 0
    for i in range(n):
        same: int = 1
        for w in range(COUNT):
            if C[FIRST + i * WORDS + BEGIN + w] != values[w]:
                same = 0
                break
        if same != 0:
            for w in range(HEAD):
                if C[FIRST + i * WORDS + w] != C[FIRST + (n - 1) * WORDS + w]:
                    same = 0
        found += same
    return found
