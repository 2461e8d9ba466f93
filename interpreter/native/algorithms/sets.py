"""Sets as masks of their members: which cells are reached and connected, subsets, arrays of sets, lines, and numbers of
sets with few members."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, Length, bits, highest, lowest, masks, popcount

FULL: bits  # all bits of a word
ROWS: tuple[bits, ...]  # the image of each member
LEAST: int  # the least number of members
MOST: int  # the greatest number of members
FIRSTS: tuple[int, ...]  # the first rank of each number of members
BINOMIALS: tuple[int, ...]  # C(n, k) at k * (SIZE + 1) + n


class SIZE(metaclass=Length):
    """The length of an array of sets; for numbers of sets, how many members there may be."""


def step(mask: bits) -> bits: ...


def look(mask: bits) -> bits: ...


# Reachability by fixed point: the whole frontier takes each step at once.


def closure(start: bits, allowed: bits) -> bits:
    """The members of ``start`` and those reachable from them within ``allowed``."""
    found: bits = start
    todo: bits = start
    while todo != 0:
        todo = step(todo) & allowed & (found ^ FULL)
        found = found | todo
    return found


# Reachability of a target: stops at the first round that reaches it.


def meets(start: bits, allowed: bits, wanted: bits) -> int:
    """Whether ``look`` leads to a member of ``wanted`` from a member of ``start``, or from one that is reachable from
    there within ``allowed``."""
    found: bits = start
    todo: bits = start
    while todo != 0:
        if look(todo) & wanted != 0:
            return 1
        todo = step(todo) & allowed & (found ^ FULL)
        found = found | todo
    return 0


# Whether a set of cells is connected.


def connected(within: bits) -> int:
    """Whether all cells of a set are reachable from one of them within the set."""
    todo: bits = within ^ (within & (within - 1)) if within != 0 else within
    found: bits = todo
    while todo != 0:
        todo = spread(todo) & within & (found ^ FULL)
        found = found | todo
    return found == within


# Whether a set of cells connects two sides.


def connected_to(within: bits, here: bits, there: bits) -> int:
    """Whether a cell of ``there`` is reachable from one of ``here`` within a set."""
    todo: bits = within & here
    found: bits = todo
    while todo != 0:
        if todo & there != 0:
            return 1
        todo = spread(todo) & within & (found ^ FULL)
        found = found | todo
    return 0


# The image of a set under a relation given by rows.


def spread(mask: bits) -> bits:
    """The union of the members' images."""
    rest: bits = mask
    found: bits = 0
    while rest != 0:
        found = found | ROWS[lowest(rest)]
        rest = rest & (rest - 1)
    return found


# The subsets of a mask of one size, in lexicographic order.


def first_subset(mask: bits, k: int) -> bits:
    """The k lowest one bits of a mask."""
    rest: bits = mask
    for _ in range(k):
        rest = rest & (rest - 1)
    return mask ^ rest


def next_subset(mask: bits, chosen: bits) -> bits:
    """The subset of ``mask`` after ``chosen``, 0 after the last one: members at its very end cannot advance, so
    the last member before them does, and they follow it closely."""
    free: bits = mask ^ chosen
    if free == 0:
        return 0
    end: int = highest(free)
    one: bits = 1
    kept: bits = chosen & ((one << end) - 1)
    if kept == 0:
        return 0
    last: int = highest(kept)
    behind: bits = mask ^ (one << last) ^ (mask & ((one << last) - 1))
    return (kept ^ (one << last)) | first_subset(behind, popcount(chosen >> end) + 1)


# An array of distinct masks.


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


# Sorting sets in the order of the language: by size, those of one size by their ascending members.


def sort(sets: masks[SIZE], count: int) -> int:
    """Sort the first ``count`` sets of an array by insertion."""
    for i in range(count):
        mask: bits = sets[i]
        at: int = i
        while at > 0 and comes_before(mask, sets[at - 1]):
            sets[at] = sets[at - 1]
            at -= 1
        sets[at] = mask
    return 0


def comes_before(a: bits, b: bits) -> int:
    """Whether one set comes before another."""
    if popcount(a) != popcount(b):
        return popcount(a) < popcount(b)
    return a != b and (a >> lowest(a ^ b)) & 1 != 0  # below this place, they have the same members


# Straight lines as masks: their cells come in ascending order of numbers (``way`` is 1), or in descending order.


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


# Ranking and unranking of sets of few members: the combinatorial number system
# (:mod:`zermelo.interpreter.native.state_encoding.encoding`).


def rank(mask: bits) -> int:
    """The rank of a set."""
    rest: bits = mask
    x: int = FIRSTS[popcount(mask) - LEAST]
    k: int = 0
    while rest != 0:
        k += 1
        x += BINOMIALS[k * (SIZE + 1) + lowest(rest)]
        rest = rest & (rest - 1)
    return x


def ranked(number: int) -> bits:
    """The set with this rank, found from its greatest place down."""
    k: int = LEAST
    while k < MOST and number >= FIRSTS[k + 1 - LEAST]:
        k += 1
    x: int = number - FIRSTS[k - LEAST]
    mask: bits = 0
    one: bits = 1
    place: int = SIZE - 1
    while k > 0:
        while BINOMIALS[k * (SIZE + 1) + place] > x:
            place -= 1
        x -= BINOMIALS[k * (SIZE + 1) + place]
        mask = mask | (one << place)
        k -= 1
    return mask
