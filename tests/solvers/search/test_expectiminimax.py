from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.search.expectiminimax import expectiminimax

HALF = Fraction(1, 2)


def test_coin_flips_before_min_moves(tree, answer):
    written = [
        0,
        [CHANCE, (HALF, [1, 2, 4]), (HALF, [1, 7, 4])],
        [CHANCE, (HALF, [1, 6, 0]), (HALF, [1, 5, -2])],
    ]
    found = answer(expectiminimax, tree(written))
    assert found.value == (3, -3)
    assert found.best == (Move("a"),)
    assert found.line == (Move("a"),)
    assert found.counts == {"nodes": 15, "terminals": 8}


def test_chance_may_begin(tree, answer):
    found = answer(expectiminimax, tree([CHANCE, (Fraction(1, 3), 1), (Fraction(2, 3), [1, 5, 4])]))
    assert found.value == (3, -3)
    assert found.best == ()


def test_expectation_is_no_mean_of_outcomes(tree, answer):
    """The size of payoffs matters: 1 2 3 4 and 1 20 30 400 have the same order and different best moves."""
    nine, one = Fraction(9, 10), Fraction(1, 10)

    def dice(a, b, c, d):
        left = [CHANCE, (nine, [1, b, b]), (one, [1, c, c])]
        right = [CHANCE, (nine, [1, a, a]), (one, [1, d, d])]
        return tree([0, left, right])

    small, large = answer(expectiminimax, dice(1, 2, 3, 4)), answer(expectiminimax, dice(1, 20, 30, 400))
    assert small.value[0] == Fraction(21, 10)
    assert small.best == (Move("a"),)
    assert large.value[0] == Fraction(409, 10)
    assert large.best == (Move("b"),)


def test_constant_sum_other_than_zero(tree, answer):
    machine = tree([CHANCE, (HALF, 3), (HALF, 4)], total=10)
    assert answer(expectiminimax, machine, sum=Fraction(10)).value == (Fraction(7, 2), Fraction(13, 2))
