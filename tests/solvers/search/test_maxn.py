from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees

from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.search import maxn as module
from zermelo.solvers.search.maxn import maxn

HALF = Fraction(1, 2)
ABC = ("A", "B", "C")


def test_three_players(tree, answer):
    found = answer(maxn, tree([0, [2, (4, 3, 2), (7, 4, 1)], [2, (1, 5, 2), (7, 7, 1)]], ABC), players=ABC)
    assert found.value == (4, 3, 2)
    assert found.best == (Move("a"),)
    assert found.line == (Move("a"), Move("a"))
    assert found.alternatives == ()
    assert found.notes == ()


def test_one_player_maximises(tree, answer):
    found = answer(maxn, tree([0, (1,), [0, (5,), (7,)], (6,)], ("Solo",)))
    assert found.value == (7,)
    assert found.line == (Move("b"), Move("b"))


def test_one_player_against_chance(tree, answer):
    machine = tree([0, (1,), [CHANCE, (HALF, (0,)), (HALF, [0, (3,), (1,)])]], ("Solo",))
    found = answer(maxn, machine)
    assert found.value == (Fraction(3, 2),)
    assert found.line == (Move("b"),)


def test_constant_sum_is_not_needed(tree, answer):
    """The ultimatum game with two offers: the responder takes any positive amount."""
    found = answer(maxn, tree([0, [1, (9, 1), (0, 0)], [1, (5, 5), (0, 0)]]))
    assert found.value == (9, 1)


def test_a_tie_of_one_player_matters_to_the_other(tree, answer):
    """An offer of nothing may be refused as well as taken: then another offer is better for the proposer."""
    found = answer(maxn, tree([0, [1, (10, 0), (0, 0)], [1, (5, 5), (0, 0)]]))
    assert found.value == (10, 0)
    assert found.alternatives == ((5, 5),)
    assert "first best move" in found.notes[0]
    assert found.best == (Move("a"),)


def test_a_tie_does_not_reach_what_nobody_would_choose(tree, answer):
    """However B breaks the tie, A gets at least 2 elsewhere, so (1, 0) is impossible."""
    found = answer(maxn, tree([0, [1, (3, 0), (1, 0)], (2, 9)]))
    assert found.value == (3, 0)
    assert found.alternatives == ((2, 9),)


def test_ties_before_a_draw_combine(tree, answer):
    machine = tree([CHANCE, (HALF, [1, (0, 0), (2, 0)]), (HALF, [1, (0, 0), (4, 0)])])
    found = answer(maxn, machine)
    assert found.value == (0, 0)
    assert found.alternatives == ((3, 0), (2, 0), (1, 0))


def test_too_many_ties_are_not_listed(tree, answer, monkeypatch):
    monkeypatch.setattr(module, "TUPLES_LIMIT", 3)
    found = answer(maxn, tree([1, *[(k, 0) for k in range(4)]]))
    assert found.value == (0, 0)
    assert found.alternatives is None
    assert found.notes


def test_as_many_ties_as_are_kept_are_listed(tree, answer, monkeypatch):
    monkeypatch.setattr(module, "TUPLES_LIMIT", 4)
    found = answer(maxn, tree([1, *[(k, 0) for k in range(4)]]))
    assert found.alternatives == ((3, 0), (2, 0), (1, 0))


@pytest.mark.parametrize(("most", "others"), [(3, ((2, 0), (1, 0))), (2, None)])
def test_as_many_means_as_are_kept_are_listed(tree, answer, monkeypatch, most, others):
    """Two draws with a tie each: 0, 1 (in two ways) and 2 on average."""
    monkeypatch.setattr(module, "TUPLES_LIMIT", most)
    tie = [1, (0, 0), (2, 0)]
    assert answer(maxn, tree([CHANCE, (HALF, tie), (HALF, tie)])).alternatives == others


PAYOFFS = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


def equilibria(node):
    """All subgame-perfect outcomes by brute force: every choice at every node, kept if no move is better."""
    if isinstance(node, tuple):
        return {node}
    player, *children = node
    return {
        outcomes[chosen]
        for outcomes in product(*map(equilibria, children))
        for chosen in range(len(children))
        if outcomes[chosen][player] == max(outcome[player] for outcome in outcomes)
    }


@given(written=trees(PAYOFFS, players=3, most=8))
def test_reachable_tuples_are_the_subgame_perfect_outcomes(tree, answer, written):
    found = answer(maxn, tree(written, ABC), players=ABC)
    assert {found.value, *found.alternatives} == equilibria(written)
    assert found.value not in found.alternatives
