"""Whether the current values have occurred before."""

from __future__ import annotations

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
BEGIN: int  # the offset of the values in an entry
COUNT: int  # the number of their words
DIGESTS: int  # the offset of their digests in the context


def put_values(S: state, values: ints[COUNT]) -> int: ...  # the current ones


def repeated(C: ints[CONTEXT], S: state, n: int) -> int:
    """Whether one of the first n entries has the values of S."""
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
