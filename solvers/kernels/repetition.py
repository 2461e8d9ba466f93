"""Detection of cycles on the path of a search.

A search to the end of every play would not terminate if a play can return to a position. So it marks the positions of
its path in a hash table with chaining, whose buckets point to their latest mark. Only the last position is ever removed
from a path. It is the first of its chain, so removal is one step.

If the rules look at the history of the play, a position has come back only if the rest depends on the same history, too
(``is_same_past``).

Cost: one key and one probe for each position.

Most games do not need this, since all their plays are proved to end. ``WATCHES`` says whether this one does.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import KEY, Context, State, ints, is_same_past, moments, pack
from zermelo.solvers.kernels.states import is_same, slot_of

WATCHES: int

NONE = -1


class Mark:
    """A position of the path, how many entries the history has there, and the previous one in the same bucket."""

    key: ints[KEY]
    past: int
    bucket: int
    before: int


class Watch:
    """The positions of the path, and for each bucket the number of its latest one; which one has come back last."""

    marks: list[Mark]
    buckets: list[int]
    met: int


def forget(watch: Watch) -> None:
    """Begin with an empty path."""
    for k in range(len(watch.buckets)):
        watch.buckets[k] = NONE


def comes_back(rules: Context, watch: Watch, state: State, depth: int) -> bool:
    """Whether the position of a state is on the path (``watch.met`` says where); if not, it is appended."""
    if WATCHES == 0:
        return False
    mark = watch.marks[depth]
    pack(state, mark.key)
    mark.past = moments(state)
    mark.bucket = slot_of(mark.key, len(watch.buckets))
    mark.before = watch.buckets[mark.bucket]
    other: int = mark.before
    while other != NONE:
        if is_same(watch.marks[other].key, mark.key) and is_same_past(rules, watch.marks[other].past, mark.past) != 0:
            watch.met = other
            return True
        other = watch.marks[other].before
    watch.buckets[mark.bucket] = depth
    return False


def go_back(watch: Watch, depth: int) -> None:
    """Remove the last position from the path."""
    if WATCHES != 0:
        mark = watch.marks[depth]
        watch.buckets[mark.bucket] = mark.before
