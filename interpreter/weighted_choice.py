"""Exact weighted sampling: the same draws on every machine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from zermelo.interpreter.values import Value


def weighted_choice(weights: Sequence[Value], random: Random) -> int:
    """An index into ``weights``, drawn with a probability exactly proportional to its weight."""
    if len(weights) == 1:
        return 0
    scale = lcm(*(weight.denominator for weight in weights))
    scaled = [int(weight * scale) for weight in weights]
    drawn = random.randrange(sum(scaled))
    return bisect_right(list(accumulate(scaled)), drawn)
