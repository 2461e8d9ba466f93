"""Columns of whole numbers: arrays, with eight bytes each, if the numbers fit, otherwise lists."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from sys import getsizeof
from typing import Final

OBJECT_BYTES: Final = 40
"""The bytes of a number in a list, about."""


def column(numbers: list[int]) -> Sequence[int]:
    """Numbers in an array, if they fit."""
    try:
        return array("q", numbers)
    except OverflowError:
        return numbers


def bytes_of(*columns: Sequence[int]) -> int:
    """The memory of columns."""
    return sum(
        8 * len(numbers) + (0 if isinstance(numbers, array) else sum(map(getsizeof, numbers))) for numbers in columns
    )
