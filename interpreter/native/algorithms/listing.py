"""An array of distinct masks."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, bits, masks


class SIZE(metaclass=Length):
    """The length of the array."""


def listed(context: Context, sets: masks[SIZE], count: int, mask: bits, site: int) -> int:
    """Append a mask to the first ``count``, unless it is one of them; how many there are then. A fault at ``site`` if
    the array is full."""
    if is_listed(sets, count, mask) != 0:
        return count
    if count >= SIZE:
        if context[0] == 0:
            context[0] = site
        return count
    sets[count] = mask
    return count + 1


def is_listed(sets: masks[SIZE], count: int, mask: bits) -> int:
    """Whether a mask is one of the first ``count``."""
    for j in range(count):
        if sets[j] == mask:
            return 1
    return 0
