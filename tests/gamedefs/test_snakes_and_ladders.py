"""Snakes and ladders: how long it takes, by an absorbing Markov chain."""

from __future__ import annotations

from fractions import Fraction

from second_program import Edge, Node, agree, end

UP = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
DOWN = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}
WAYS = UP | DOWN


def arrival(square: int, eyes: int) -> int:
    return square if square + eyes > 100 else WAYS.get(square + eyes, square + eyes)


def node(square: int) -> Node:
    if square == 100:
        return end(0)
    outcomes = {f"thrown({n})": Edge(arrival(square, n), Fraction(1, 6), Fraction(1)) for n in range(1, 7)}
    return Node("chance", outcomes)


def mean_length() -> Fraction:
    """The mean number of throws, by Gaussian elimination in the equations of the chain, from the last square down."""
    places = [square for square in range(100) if square not in WAYS]
    rows = {}
    for square in places:
        row = {square: Fraction(6), None: Fraction(6)}
        for eyes in range(1, 7):
            to = arrival(square, eyes)
            if to != 100:
                row[to] = row.get(to, Fraction(0)) - 1
        rows[square] = row
    for pivot in reversed(places[1:]):
        solved = rows.pop(pivot)
        for row in rows.values():
            if row.get(pivot):
                times = row.pop(pivot) / solved[pivot]
                for key, number in solved.items():
                    if key != pivot:
                        row[key] = row.get(key, Fraction(0)) - times * number
    return rows[0][None] / rows[0][0]


def test_the_rules_are_those_of_the_second_program(start):
    assert agree(start("snakes_and_ladders"), node, 0) == 81


def test_the_mean_length_is_the_published_one():
    """Althoen, King and Schilling, How long is a game of snakes and ladders?, Mathematical Gazette 77 (1993)."""
    assert mean_length() == Fraction(
        225837582538403273407117496273279920181931269186581786048583,
        5757472998140039232950575874628786131130999406013041613400,
    )


def test_the_value_is_exact(solution):
    assert solution("snakes_and_ladders").value == (mean_length(),)
