"""King and rook against king, solved a second time by retrograde analysis."""

from __future__ import annotations

from itertools import product

import pytest
from attrs import evolve
from second_program import Edge, Node, agree, choice, end, outcomes

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]

Square = tuple[int, int]
BEGINNING = ("White", (1, 1), (2, 2), (3, 3))
"""Who is to move, White's king, the rook, and Black's king."""


def name(square: Square) -> str:
    return f"{'abcdefgh'[square[0] - 1]}{square[1]}"


def are_near(one: Square, two: Square) -> bool:
    return abs(one[0] - two[0]) <= 1 and abs(one[1] - two[1]) <= 1


def program(size: int):
    squares = set(product(range(1, size + 1), repeat=2))

    def steps(square: Square) -> list[Square]:
        return [to for i, j in AROUND if (to := (square[0] + i, square[1] + j)) in squares]

    def line(rook: Square, king: Square, other: Square | None) -> list[Square]:
        """The squares that the rook attacks; the white king stops it, and so does ``other``, which it attacks, too."""
        found = []
        for i, j in STRAIGHT:
            x, y = rook[0] + i, rook[1] + j
            while (x, y) in squares and (x, y) != king:
                found.append((x, y))
                if (x, y) == other:
                    break
                x, y = x + i, y + j
        return found

    def node(position: tuple[str, Square, Square, Square]) -> Node:
        player, king, rook, lone = position
        if player == "White":
            if rook == lone:
                return end(0)
            kings = {
                f"move_king({name(to)})": ("Black", to, rook, lone)
                for to in steps(king)
                if to != rook and not are_near(to, lone)
            }
            rooks = {f"move_rook({name(to)})": ("Black", king, to, lone) for to in line(rook, king, lone) if to != lone}
            return choice("White", kings | rooks)
        moves = {
            f"move_king({name(to)})": ("White", king, rook, to)
            for to in steps(lone)
            if not are_near(to, king) and (to == rook or to not in line(rook, king, None))
        }
        if moves:
            return choice("Black", moves)
        return end(1 if lone in line(rook, king, lone) else 0)

    return node


@pytest.mark.parametrize("size", [3, 4])
def test_the_rules_are_those_of_the_second_program(start, size):
    assert agree(start("rook_ending", size=size), program(size), BEGINNING) > 100


def turned(position: tuple[str, Square, Square, Square]) -> tuple[str, Square, Square, Square]:
    """The same position of 8 by 8 squares seen from another side, with Black's king in one eighth of the board."""
    player, *men = position
    if men[2][0] > 4:
        men = [(9 - x, y) for x, y in men]
    if men[2][1] > 4:
        men = [(x, 9 - y) for x, y in men]
    if men[2][1] > men[2][0]:
        men = [(y, x) for x, y in men]
    return (player, *men)


def test_the_longest_mate_takes_sixteen_moves():
    """Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986): 16 moves; among the positions that
    need them is the one in which the game begins, with the kings on a1 and c3 and the rook on b2."""
    rules = program(8)

    def node(position):
        found = rules(position)
        return evolve(found, edges={name: Edge(turned(edge.to)) for name, edge in found.edges.items()})

    known = outcomes(node, turned(BEGINNING), "White")
    assert known[turned(BEGINNING)] == (1, 31)
    assert max(plies for (player, *_), (_, plies) in known.items() if player == "White") == 31
