"""King and rook against king, solved a second time by retrograde analysis."""

from __future__ import annotations

from itertools import product

import pytest
from second_program import Node, agree, choice, end, outcomes

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


@pytest.mark.parametrize(("size", "plies"), [(3, 5), (4, 9), (5, 17)])
def test_white_mates_as_soon_as_the_second_program(solution, size, plies):
    assert outcomes(program(size), BEGINNING, "White")[BEGINNING] == (1, plies)
    found = solution("rook_ending", on="auto", size=size)
    assert found.value == (1, -1)
    assert len(found.line) == plies


def test_the_longest_mate_takes_sixteen_moves(solution):
    """Thompson, Retrograde analysis of certain endgames, ICCA Journal 9 (1986): 16 moves on the usual board. The game
    begins in one of the positions that need them."""
    found = solution("rook_ending", on="auto", size=8)
    assert found.value == (1, -1)
    assert len(found.line) == 31
