from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import Move
from zermelo.solvers.search.alphabeta import minimax

TWO_PLY = [0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]]


def test_two_ply_tree(tree, answer):
    found = answer(minimax, tree(TWO_PLY))
    assert found.value == (3, -3)
    assert found.best == (Move("a"),)
    assert found.line == (Move("a"), Move("a"))
    assert found.counts == {"nodes": 13, "terminals": 9}
    assert found.exact
    assert all(isinstance(amount, Fraction) for amount in found.value)


def test_second_player_may_begin(tree, answer):
    found = answer(minimax, tree([1, [0, 3, 12, 8], [0, 2, 4, 6], [0, 14, 5, 2]]))
    assert found.value == (6, -6)
    assert found.best == (Move("b"),)


def test_one_player_may_move_twice(tree, answer):
    assert answer(minimax, tree([0, [0, 1, [1, 9, 5]], 4])).value == (5, -5)


def test_all_best_first_moves_are_listed(tree, answer):
    found = answer(minimax, tree([0, 1, [1, 3, 5], 3, [1, 7, 2]]))
    assert found.best == (Move("b"), Move("c"))
    assert found.line == (Move("b"), Move("a"))


def test_constant_sum_other_than_zero(tree, answer):
    machine = tree([0, [1, 3, 9], [1, 4, 6]], total=10)
    assert answer(minimax, machine, sum=Fraction(10)).value == (4, 6)


def test_fractions_stay_exact(tree, answer):
    third = Fraction(1, 3)
    assert answer(minimax, tree([0, [1, third, 1], [1, third + Fraction(1, 10**30), 1]])).value[0] > third


def test_play_that_has_ended(tree, answer):
    found = answer(minimax, tree(7))
    assert found.value == (7, -7)
    assert found.best == found.line == ()
    assert found.counts == {"nodes": 1, "terminals": 1}
