"""Straight lines as masks: their cells come in ascending order of numbers (``way`` is 1), or in descending order."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits, highest, lowest

FULL: bits  # all bits of a word


def until(whole: bits, way: int, ends: bits) -> bits:
    """The part of a line up to and including the first cell of ``ends``."""
    if whole & ends == 0:
        return whole
    return whole & cut(way, first(whole & ends, way), 1)


def while_outside(whole: bits, way: int, ends: bits) -> bits:
    """The part of a line before the first cell of ``ends``."""
    if whole & ends == 0:
        return whole
    return whole & cut(way, first(whole & ends, way), 0)


def cut(way: int, at: int, keeps: int) -> bits:
    """The part of a line before a place, and with ``keeps`` the place itself."""
    here: bits = 1
    here = here << at
    below: bits = here - 1
    if (way != 0) == (keeps != 0):
        below = below | here
    return below if way != 0 else below ^ FULL


def nearest(cells: bits, way: int, none: int, low: int) -> int:
    """The code of the first of some cells on a line, ``low`` being that of cell 0; ``none`` if there are none."""
    return first(cells, way) + low if cells != 0 else none


def farthest(cells: bits, way: int, none: int, low: int) -> int:
    """The same for the last one."""
    return first(cells, 1 - way) + low if cells != 0 else none


def first(cells: bits, way: int) -> int:
    """The first of some cells on a line."""
    return lowest(cells) if way != 0 else highest(cells)
