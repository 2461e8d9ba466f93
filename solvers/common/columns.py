"""Columns of whole numbers: in an array where they fit in, eight bytes each, and otherwise in a list."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from sys import getsizeof
from typing import Final

OBJECT_BYTES: Final = 40
"""Of a number that stands in a list, about."""


def column(numbers: list[int]) -> Sequence[int]:
    """Numbers in an array, if they fit in."""
    try:
        return array("q", numbers)
    except OverflowError:
        return numbers


def bytes_of(*columns: Sequence[int]) -> int:
    """What columns take."""
    return sum(
        8 * len(numbers) + (0 if isinstance(numbers, array) else sum(map(getsizeof, numbers))) for numbers in columns
    )
