"""Strongly connected components: Tarjan (Depth-first search and linear graph algorithms, 1972), as Pearce writes it
with little memory (A space-efficient algorithm for finding strongly connected components, 2016), without recursion.

A depth-first search numbers the positions in the order in which it meets them, and takes for each the least number that
it finds reachable from there among positions that belong to no component yet: its ``low``. Where that is still the
position's own number when the search leaves it, it is the first one of a component. The others are those that the
search has left since and that belong to none. A component is found after all that its edges lead to.

**One list for all marks.** ``lows[p]`` is 0 for a position not met yet, then its low, and in the end ``size`` minus the
number of its component: components are numbered from 0 in the order in which they are found. A low is at most the
number of positions met that belong to no component; so it is at most ``size`` minus the number of components, and below
the mark of every position that belongs to one. One comparison serves for both.

**One list for both stacks.** ``stack`` has the path of the search from the left, and from the right the positions that
it has left and that belong to no component; no position is on both. A position of the path whose low is not its own
number is written as -1 minus it. ``following[d]`` is the edge at which the search stands in the position at depth d.

**The order of members.** A component is written down as soon as it is found, from the right end of ``following``,
where no path can come any more: its first position, and then the others from the last one that the search has left.
This is *reverse postorder*: a position stands before those to which it leads, unless that closes a circle. When the
search is over, the lists that the stacks have left take the result.

Cost: one step for each edge and for each position; 12 bytes for each position, the result included.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half, prefetch
from zermelo.solvers.kernels.answers import DONE


class Search:
    """A graph of ``size`` positions, the edges of ``p`` being those from ``firsts[p]`` to ``firsts[p + 1]``, and a
    search of it with a path of ``depth`` positions. The other stack begins at ``left``, and the components written down
    at ``free``; ``met`` is the number of positions met that belong to no component, ``begun`` that of positions at
    which the search has begun, or need not, ``count`` that of components found, and ``steps`` that of edges and
    positions looked at. ``following`` is one longer than the other lists of positions."""

    firsts: list[half]
    targets: list[half]
    lows: list[half]
    stack: list[half]
    following: list[half]
    size: int
    depth: int
    left: int
    free: int
    met: int
    begun: int
    count: int
    steps: int


def start(search: Search, size: int) -> None:
    """Before the first step."""
    search.size, search.left, search.free = size, size, size
    search.depth, search.met, search.begun, search.count, search.steps = 0, 0, 0, 0, 0


def go_on(search: Search, budget: int) -> int:
    """So many steps, more or less; ``DONE`` when all components are found."""
    last: int = search.steps + budget
    while search.steps < last:
        if search.depth > 0:
            look_further(search)
        elif search.begun == search.size:
            return DONE
        else:
            search.steps += 1
            if search.lows[search.begun] == 0:
                meet(search, search.begun)
            search.begun += 1
    return search.depth


def meet(search: Search, position: int) -> None:
    """Append a position to the path."""
    search.met += 1
    search.lows[position] = search.met
    search.stack[search.depth] = position
    search.following[search.depth] = search.firsts[position]
    search.depth += 1
    for edge in range(search.firsts[position], search.firsts[position + 1]):
        prefetch(search.lows[search.targets[edge]])


def look_further(search: Search) -> None:
    """Look at the edges of the last position of the path, up to one that leads to a position not met yet."""
    place: int = search.depth - 1
    mark: int = search.stack[place]
    position: int = mark if mark >= 0 else -1 - mark
    low: int = search.lows[position]
    edge: int = search.following[place]
    end: int = search.firsts[position + 1]
    while edge < end:
        search.steps += 1
        target: int = search.targets[edge]
        found: int = search.lows[target]
        if found == 0:
            search.lows[position] = low
            search.stack[place] = mark
            search.following[place] = edge  # to be looked at once more, when the search comes back
            meet(search, target)
            return
        if found < low:
            low = found
            mark = -1 - position
        edge += 1
    search.steps += 1
    search.lows[position] = low
    search.depth -= 1
    if mark < 0:
        search.left -= 1
        search.stack[search.left] = position
    else:
        complete(search, position, low)


def complete(search: Search, first: int, low: int) -> None:
    """The position that the search leaves is the first one of a component, and those left since belong to it."""
    mark: int = search.size - search.count
    search.free -= 1
    search.following[search.free] = first
    while search.left < search.size and search.lows[search.stack[search.left]] >= low:
        search.lows[search.stack[search.left]] = mark
        search.free -= 1
        search.following[search.free] = search.stack[search.left]
        search.left += 1
        search.met -= 1
    search.lows[first] = mark
    search.met -= 1
    search.count += 1


# ------------------------------------------------------------------ result


def write_members(search: Search, first: int, end: int) -> None:
    """Write these entries of the result into ``stack``, and turn the marks of the positions there into the numbers of
    their components."""
    for i in range(first, end):
        position: int = search.following[search.size - 1 - i]
        search.stack[i] = position
        search.lows[position] = search.size - search.lows[position]


def write_starts(search: Search, first: int, end: int) -> None:
    """Write into ``following`` which components begin in a range of the result. All members have been written."""
    for i in range(first, end):
        component: int = search.lows[search.stack[i]]
        if i == 0 or search.lows[search.stack[i - 1]] != component:
            search.following[component] = i


def write_end(search: Search) -> None:
    """Write where the last component ends."""
    search.following[search.count] = search.size
