"""The path of a search, watched for a position that comes back on it.

A search to the end of every play would go round for ever where a play can come back to where it was. So it marks the
positions of its path: their keys stand in a hash table with chains, of which each bucket holds the mark that was made
last. A path only ever loses its last position, which is always the first of its chain; to take it off is one step.

Cost: one key and one look into a bucket for each position. (The reference: ``Search.enter`` of
:mod:`zermelo.solvers.search.search`.)

Most games do not need that, since all their plays are proved to end. ``WATCHES`` says whether this one does.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, State, ints, pack
from zermelo.solvers.kernels.slots import is_same, slot_of

WATCHES: int

NONE = -1


class Mark:
    """A position of the path, and which one was put into the same bucket before it."""

    key: ints[KEY]
    bucket: int
    before: int


class Watch:
    """The positions of the path, and for each bucket the number of the last one in it."""

    marks: list[Mark]
    buckets: list[int]


def forget(watch: Watch) -> None:
    """Begin with an empty path."""
    for k in range(len(watch.buckets)):
        watch.buckets[k] = NONE


def comes_back(watch: Watch, state: State, depth: int) -> bool:
    """Whether the position of a state stands on the path; if not, it is put there, at its end."""
    if WATCHES == 0:
        return False
    mark = watch.marks[depth]
    pack(state, mark.key)
    mark.bucket = slot_of(mark.key, len(watch.buckets))
    mark.before = watch.buckets[mark.bucket]
    other: int = mark.before
    while other != NONE:
        if is_same(watch.marks[other].key, mark.key):
            return True
        other = watch.marks[other].before
    watch.buckets[mark.bucket] = depth
    return False


def go_back(watch: Watch, depth: int) -> None:
    """Take the last position off the path."""
    if WATCHES != 0:
        mark = watch.marks[depth]
        watch.buckets[mark.bucket] = mark.before
