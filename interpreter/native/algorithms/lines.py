"""Straight lines as masks: their cells come in ascending order of numbers (``way`` is 1), or in descending order."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, highest, lowest

FULL: bits  # all bits of a word


def until(whole: bits, way: int, ends: bits) -> bits:
    """The part of a line up to and including the first cell of ``ends``."""
    met: bits = whole & ends
    if met == 0:
        return whole
    if way != 0:
        return whole & (met ^ (met - 1))
    return whole & (below_highest(met) ^ FULL)


def while_outside(whole: bits, way: int, ends: bits) -> bits:
    """The part of a line before the first cell of ``ends``."""
    met: bits = whole & ends
    if met == 0:
        return whole
    if way != 0:
        return whole & (met - 1) & (met ^ FULL)
    here: bits = below_highest(met)
    return whole & ((here << 1 | 1) ^ FULL)


def below_highest(cells: bits) -> bits:
    """All cells with lower numbers than the last of some cells."""
    here: bits = 1
    here = here << highest(cells)
    return here - 1


def nearest(cells: bits, way: int, none: int, low: int) -> int:
    """The code of the first of some cells on a line, ``low`` being that of cell 0; ``none`` if there are none."""
    return first(cells, way) + low if cells != 0 else none


def farthest(cells: bits, way: int, none: int, low: int) -> int:
    """The same for the last one."""
    return first(cells, 1 - way) + low if cells != 0 else none


def first(cells: bits, way: int) -> int:
    """The first of some cells on a line."""
    return lowest(cells) if way != 0 else highest(cells)
