from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached

from zermelo.interpreter.machine import CHANCE, END, Move
from zermelo.solvers.search.alphabeta import alphabeta, minimax
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.maxn import maxn

TWO_PLY = [0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]]


def test_textbook_tree_visits_the_textbook_nodes(tree, toy, answer):
    visited = []
    machine = tree(TWO_PLY)

    def watched(path):
        visited.append(path)
        return machine.expand(path)

    found = answer(alphabeta, toy((), watched))
    assert found.value == (3, -3)
    assert found.best == (Move("a"),)
    assert found.counts == {"nodes": 11, "terminals": 7, "cutoffs": 1}
    assert (1, 0) in visited
    assert (1, 1) not in visited
    assert (1, 2) not in visited
    assert {(2, 0), (2, 1), (2, 2)} <= set(visited)


def test_cut_off_behind_the_last_move_is_none(tree, answer):
    assert answer(alphabeta, tree([0, [1, 3], [1, 2]])).counts["cutoffs"] == 0


@pytest.mark.parametrize(("width", "depth"), [(2, 5), (3, 4), (4, 3)])
def test_perfect_order_reaches_the_minimum(toy, answer, width, depth):
    """Knuth and Moore: with the best move always first, b^ceil(m/2) + b^floor(m/2) - 1 leaves are visited."""

    def expand(position):
        left, value = position
        if left == 0:
            return END, (value, -value)
        mover = (depth - left) % 2
        worse = -1 if mover == 0 else 1  # every later move costs its mover 1 for good
        scale = 10**left
        return mover, {f"m{k}": (left - 1, value + worse * k * scale) for k in range(width)}

    found = answer(alphabeta, toy((depth, 0), expand))
    assert found.value == (0, 0)
    assert found.counts["terminals"] == width ** ceil(depth / 2) + width ** (depth // 2) - 1


def test_says_when_other_moves_may_be_as_good(tree, answer):
    tied = answer(alphabeta, tree([0, [1, 3, 5], [1, 3, 1]]))
    assert tied.best == (Move("a"),)
    assert "minimax lists them all" in tied.notes[0]
    assert answer(alphabeta, tree(TWO_PLY)).notes == ()


@given(written=trees())
def test_pruning_never_changes_the_value(tree, answer, written):
    machine = tree(written)
    plain = answer(minimax, machine)
    pruned = answer(alphabeta, machine)
    assert pruned.value == plain.value
    assert pruned.best == plain.best[:1]
    assert pruned.counts["nodes"] <= plain.counts["nodes"]
    state = reached(machine, pruned.line)
    assert machine.payoff(state) == pruned.value


@given(written=trees())
def test_the_other_solvers_agree(tree, answer, written):
    machine = tree(written)
    plain = answer(minimax, machine)
    by_chance, by_many = answer(expectiminimax, machine), answer(maxn, machine)
    assert (by_chance.value, by_chance.best, by_chance.line) == (plain.value, plain.best, plain.line)
    assert (by_many.value, by_many.best, by_many.line) == (plain.value, plain.best, plain.line)
    assert by_chance.counts == by_many.counts == plain.counts
    assert by_many.alternatives == ()


@given(left=trees(), right=trees(), numerator=st.integers(1, 6))
def test_max_n_takes_the_expectations_of_expectiminimax(tree, answer, left, right, numerator):
    probability = Fraction(numerator, 7)
    machine = tree([0, [CHANCE, (probability, left), (1 - probability, right)], left])
    assert answer(maxn, machine).value == answer(expectiminimax, machine).value
