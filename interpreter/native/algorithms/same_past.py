"""Whether the rest of a play depends on the same history at two moments of it.

What ``repeated`` looks at is which values the entries before the last one have, and which the last one has. Of two
moments of one play the later one has all entries of the earlier. So both have the same set of values if the entries in
between have no value that is new.

Cost: quadratic in the number of entries. Searches ask only where all else is the same.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context

FIRST: int  # the offset of the entries in the context
WORDS: int  # the words of an entry
GROUPS: int  # the number of groups of values that ``repeated`` looks at
BEGINS: tuple[int, ...]
ENDS: tuple[int, ...]  # the range of each group's values in an entry


def is_same_past(context: Context, before: int, now: int) -> int:
    """Whether it is the same after so many entries as ``before``."""
    for group in range(GROUPS):
        if are_equal(context, group, before - 1, now - 1) == 0:
            return 0
        for i in range(before - 1, now - 1):
            if is_among(context, group, i, before - 1) == 0:
                return 0
    return 1


def is_among(context: Context, group: int, entry: int, count: int) -> int:
    """Whether one of the first ``count`` entries has the values of this one."""
    for i in range(count):
        if are_equal(context, group, i, entry) != 0:
            return 1
    return 0


def are_equal(context: Context, group: int, one: int, other: int) -> int:
    """Whether two entries have the same values of a group."""
    for word in range(BEGINS[group], ENDS[group]):
        if context[FIRST + one * WORDS + word] != context[FIRST + other * WORDS + word]:
            return 0
    return 1
