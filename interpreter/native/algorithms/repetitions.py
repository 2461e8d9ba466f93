"""How often the present values have been there, in the present phase."""

from __future__ import annotations

FIRST: int  # where the entries of the history begin in the context
WORDS: int  # how many words each has
HEAD: int  # how many of them, at its beginning, are for the phase
BEGIN: int  # where the values stand in it
COUNT: int  # how many words they take
DIGESTS: int  # where their digests begin in the context
HISTORY: int  # where a state holds how many entries there are


def put_values(S: state, values: ints[COUNT]) -> int: ...  # the present ones


def repetitions(C: ints[CONTEXT], S: state) -> int:
    """How many entries have the phase of the last one and the values that S has."""
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
