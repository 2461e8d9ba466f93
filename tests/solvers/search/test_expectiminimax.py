""""""

from __future__ import annotations

from fractions import Fraction

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.window_search import ENDLESS
from zermelo.solvers.solution import Certainty, Problem

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


# Star1 and Star2.


STARS = ["star1", "star2"]
MOST_PAID = 3


@pytest.mark.parametrize("name", STARS)
@given(written=trees(chance=True), slack=st.integers(0, 2))
def test_pruning_never_changes_the_value(tree, known, name, written, slack):
    machine = tree(written)
    plain = expectiminimax(Problem(machine, known(), machine.initial()))
    bounds = (-MOST_PAID - slack, MOST_PAID + slack)
    found = solve(machine, known(bounds=(bounds, bounds)), name)
    assert found.exact
    assert found.value == plain.value
    assert found.best == plain.best[:1]
    assert found.line[: len(plain.line)] == plain.line
    assert found.counts["nodes"] <= plain.counts["nodes"]


def draws(*values):
    """A choice between draws of two equally likely replies."""
    return [0, *([CHANCE, *((HALF, [1, *replies]) for replies in draw)] for draw in values)]


def test_the_second_outcome_is_cut_off_when_the_first_is_bad_enough(tree, known):
    """With payoffs from -10 to 10, a first outcome of -10 allows a mean of at most 0."""
    machine = tree(draws([(4, 5), (4, 6)], [(-10, 3), (10, 10)]))
    found = solve(machine, known(bounds=((-10, 10), (-10, 10))), "star1")
    assert found.value == (4, -4)
    assert found.counts == {"nodes": 11, "terminals": 5, "cutoffs": 2}


def test_a_probe_of_each_outcome_shows_what_star1_has_to_search(tree, known):
    """One reply after each outcome, 2 and 4, allows a mean of at most 3: Star1 must search all of the first."""
    machine = tree(draws([(4, 5), (4, 6)], [(2, 2, 2, 2), (4, 9, 9, 9)]))
    bounded = known(bounds=((-10, 10), (-10, 10)))
    one, two = solve(machine, bounded, "star1"), solve(machine, bounded, "star2")
    assert one.value == two.value == (4, -4)
    assert two.counts["nodes"] < one.counts["nodes"]


@pytest.mark.parametrize("name", STARS)
def test_unknown_payoffs_are_refused(tree, known, name):
    with pytest.raises(ZermeloError) as raised:
        solve(tree([0, 1, 2]), known(), name)
    assert raised.value.code == "needs-bounds"
    assert "not known to be one" in raised.value.message


@pytest.mark.parametrize("name", STARS)
def test_payoffs_that_are_all_the_same(tree, known, name):
    found = solve(tree([0, [CHANCE, (HALF, 1), (HALF, 1)], 1]), known(bounds=((1, 1), (-1, -1))), name)
    assert (found.value, found.best) == ((1, -1), (Move("a"),))


def test_a_race_with_dice():
    game = zermelo.load("dice_race", goal=2)
    found = [solve(game.machine, facts(game.model), name) for name in ("expectiminimax", *STARS)]
    assert {one.value for one in found} == {(Fraction(613, 648), Fraction(-613, 648))}
    assert found[2].counts["nodes"] <= found[1].counts["nodes"] < found[0].counts["nodes"]


DICE = """
game "Race"
players A, B
claim zero_sum, perfect_information, terminates
var at[Player]: 0..4 = 0
estimate for p: (at[p] - at[other p]) / 12
start at throw(A)
phase throw(p: Player):
    chance:
        outcome die(n in 1..2):
            go run(p, n)
phase run(p: Player, n: 1..2):
    turn p:
        move steps(k in 1..n):
            at[p] := min(4, at[p] + k)
            if at[p] == 4: end win p
            go throw(other p)
"""


@pytest.mark.parametrize("name", STARS)
def test_a_depth_that_is_enough_is_exact_and_a_smaller_one_says_so(name):
    game = zermelo.loads(DICE)
    known = facts(game.model)
    exact = solve(game.machine, known, "expectiminimax")
    assert solve(game.machine, known, name, limits=Limits(depth=30)).value == exact.value
    cut = solve(game.machine, known, name, limits=Limits(depth=3))
    assert cut.certainty is Certainty.DEPTH_LIMITED
    assert cut.counts["depth"] == 3
    assert "file's estimate" in cut.notes[0]
    assert cut.value == (Fraction(1, 8), Fraction(-1, 8))  # A has gone 3/2 on average


@pytest.mark.parametrize("name", STARS)
def test_what_was_left_because_of_bounds_might_never_end(name):
    """Bounds hold for plays that end; where it is not known that all do, nothing that rests on them is exact."""
    game = zermelo.loads(DICE)
    known = facts(game.model)
    unproved = evolve(known, terminates=evolve(known.terminates, holds=None))
    found = solve(game.machine, unproved, name, limits=Limits(depth=30))
    assert found.value == solve(game.machine, known, name).value
    assert (found.certainty, found.notes) == (Certainty.DEPTH_LIMITED, (ENDLESS,))


@pytest.mark.parametrize("depth", range(1, 8))
def test_both_see_the_same_at_every_depth(depth):
    game = zermelo.loads(DICE)
    known = facts(game.model)
    one, two = (solve(game.machine, known, name, limits=Limits(depth=depth)) for name in STARS)
    assert (one.value, one.certainty) == (two.value, two.certainty)


@pytest.mark.parametrize("name", STARS)
def test_estimates_without_bounds_are_refused(name):
    game = zermelo.loads(DICE)
    unbounded = evolve(facts(game.model), estimates=None)
    assert solve(game.machine, unbounded, name).exact
    with pytest.raises(ZermeloError) as raised:
        solve(game.machine, unbounded, name, limits=Limits(depth=3))
    assert raised.value.code == "needs-bounds"
