"""Whether the present values have been there before."""

from __future__ import annotations

FIRST: int  # where the entries of the history begin in the context
WORDS: int  # how many words each has
BEGIN: int  # where the values stand in an entry
COUNT: int  # how many words they take
DIGESTS: int  # where their digests begin in the context


def put_values(S: state, values: ints[COUNT]) -> int: ...  # the present ones


def repeated(C: ints[CONTEXT], S: state, n: int) -> int:
    """Whether one of the first n entries has the values that S has."""
    values = array(COUNT)
    put_values(S, values)
    digest: int = 0
    for w in range(COUNT):
        digest = mix(digest, values[w])
    if count(C, DIGESTS, n, digest) == 0:
        return 0
    for i in range(n):
        same: int = 1
        for w in range(COUNT):
            if C[FIRST + i * WORDS + BEGIN + w] != values[w]:
                same = 0
                break
        if same != 0:
            return 1
    return 0
