"""Exits that wait for their turn in retrograde analysis (:mod:`zermelo.solvers.kernels.retrograde`), in a binary heap:
first those whose numbers are the farthest from the middle, and among these the nearest to the end.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half


class Exits:
    """The ``waiting`` exits: the place in the circle that each leaves, its number and its distance. The ``middle``,
    a list of one, is what a play is worth that stays for ever."""

    places: list[half]
    numbers: list[int]
    distances: list[half]
    waiting: int
    middle: list[int]


def push(exits: Exits, place: int, number: int, distance: int) -> None:
    """Let the exit of a place wait for its turn."""
    at: int = exits.waiting
    exits.waiting += 1
    while at > 0 and is_before(exits, number, distance, (at - 1) // 2):
        move_exit(exits, (at - 1) // 2, at)
        at = (at - 1) // 2
    exits.places[at], exits.numbers[at], exits.distances[at] = place, number, distance


def pop(exits: Exits) -> None:
    """Take the next exit off the heap."""
    exits.waiting -= 1
    last: int = exits.waiting
    number: int = exits.numbers[last]
    distance: int = exits.distances[last]
    at: int = 0
    below: int = 1
    while below < last:
        if below + 1 < last and is_before(exits, exits.numbers[below + 1], exits.distances[below + 1], below):
            below += 1
        if is_before(exits, exits.numbers[below], exits.distances[below], last):
            move_exit(exits, below, at)
            at = below
            below = 2 * at + 1
        else:
            below = last
    exits.places[at], exits.numbers[at], exits.distances[at] = exits.places[last], number, distance


def move_exit(exits: Exits, source: int, target: int) -> None:
    """Move what stands at one place of the heap to another."""
    exits.places[target] = exits.places[source]
    exits.numbers[target] = exits.numbers[source]
    exits.distances[target] = exits.distances[source]


def is_before(exits: Exits, number: int, distance: int, at: int) -> bool:
    """Whether an exit comes before the one that stands somewhere in the heap."""
    ahead: int = from_middle(exits, number) - from_middle(exits, exits.numbers[at])
    return ahead > 0 or (ahead == 0 and distance < exits.distances[at])


def from_middle(exits: Exits, number: int) -> int:
    """How far a number is from the middle."""
    return max(number - exits.middle[0], exits.middle[0] - number)
