"""Ludo for two, on a small ring."""

from __future__ import annotations

import pytest
from second_program import Node, agree, bounds, choice, end, uniform

Side = tuple[int, frozenset[int]]
"""How many men wait, and the squares of the others, counted from 1 as their player counts."""


def program(half: int, faces: int):
    """A position is the player to throw or to run, the number thrown or 0, and both sides, that of Red first."""
    length = 2 * half

    def node(position: tuple[str, int, Side, Side]) -> Node:
        player, die, *sides = position
        mine, theirs = sides if player == "Red" else reversed(sides)
        if theirs == (0, frozenset()):
            return end(-1 if player == "Red" else 1)
        if not die:
            return uniform({f"thrown({n})": (player, n, *sides) for n in range(1, faces + 1)})
        moves = {}
        for origin in sorted(mine[1]) + [0] * (mine[0] > 0):
            if origin + die not in mine[1]:
                after = run(mine, theirs, origin, origin + die)
                other = "Blue" if player == "Red" else "Red"
                moves[f"run({origin})"] = (other, 0, *(after if player == "Red" else reversed(after)))
        return choice(player, moves)

    def run(mine: Side, theirs: Side, origin: int, to: int) -> tuple[Side, Side]:
        waiting, on = mine[0] - (origin == 0), mine[1] - {origin}
        if to > length:
            return (waiting, on), theirs
        met = to + half if to <= half else to - half
        return (waiting, on | {to}), (theirs[0] + (met in theirs[1]), theirs[1] - {met})

    return node


def beginning(men: int):
    return ("Red", 0, (men, frozenset()), (men, frozenset()))


@pytest.mark.parametrize(
    ("half", "men", "faces", "positions"), [(1, 1, 2, 27), (2, 2, 2, 831), (3, 1, 3, 292), (2, 3, 2, 2445)]
)
def test_the_rules_are_those_of_the_second_program(start, half, men, faces, positions):
    play = start("ludo", half=half, men=men, faces=faces)
    assert agree(play, program(half, faces), beginning(men)) == positions


@pytest.mark.parametrize(("half", "men", "faces"), [(1, 1, 2), (2, 1, 4), (2, 2, 2), (2, 2, 3)])
def test_the_value_lies_within_bounds(solution, half, men, faces):
    low, high = bounds(program(half, faces), beginning(men), "Red", (-1, 1))
    assert high - low < 1e-9
    found = solution("ludo", half=half, men=men, faces=faces)
    assert low - 1e-12 < found.value[0] < high + 1e-12
