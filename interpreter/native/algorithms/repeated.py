"""Whether the current values have occurred before."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, State, array, count, ints, mix

FIRST: int  # the offset of the history's entries in the context
WORDS: int  # the words of an entry
BEGIN: int  # the offset of the values in an entry
DIGESTS: int  # the offset of their digests in the context


class COUNT(metaclass=Length):
    """The number of their words."""


def put_values(state: State, values: ints[COUNT]) -> int: ...  # the current ones


def repeated(context: Context, state: State, entries: int) -> int:
    """Whether one of the first ``entries`` entries has the current values."""
    values = array(COUNT)
    put_values(state, values)
    digest: int = 0
    for word in range(COUNT):
        digest = mix(digest, values[word])
    if count(context, DIGESTS, entries, digest) == 0:
        return 0
    for i in range(entries):
        same: int = 1
        for word in range(COUNT):
            if context[FIRST + i * WORDS + BEGIN + word] != values[word]:
                same = 0
                break
        if same != 0:
            return 1
    return 0
