"""Monte Carlo tree search."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from random_cases import seeds
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.running.backend import draws
from zermelo.solvers.solution import Certainty

HALF = Fraction(1, 2)
LECTURE = [0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]]
BOUNDS = ((0, 14), (-14, 0))


def search(machine, facts, simulations, seed=0, exploration=1.4, **limits):
    return solve(
        machine, facts, "mcts", seed=seed, limits=Limits(**limits), sampling=Sampling(simulations, exploration)
    )


@pytest.mark.parametrize("seed", seeds(3))
def test_it_converges_to_the_move_of_minimax(tree, known, seed):
    found = search(tree(LECTURE), known(bounds=BOUNDS), 6000, seed)
    assert list(map(str, found.best)) == ["a"]
    assert list(map(str, found.line)) == ["a", "a"]
    assert abs(found.value[0] - 3) < HALF
    assert found.value[0] + found.value[1] == 0
    assert found.certainty is Certainty.HEURISTIC and not found.exact
    assert found.counts == {"nodes": 13, "terminals": 9, "simulations": 6000, "depth": 2}


def test_the_more_simulations_the_closer(tree, known):
    errors = [abs(search(tree(LECTURE), known(bounds=BOUNDS), n).value[0] - 3) for n in (50, 500, 5000)]
    assert errors[0] > errors[1] > errors[2]


def test_chance_is_weighed(tree, known):
    """A sure 1 is better than 10 in one of twenty cases, and worse than 10 in one of four."""
    for chance, best in ((Fraction(1, 20), "a"), (Fraction(1, 4), "b")):
        machine = tree([0, 1, [CHANCE, (chance, 10), (1 - chance, 0)]])
        found = search(machine, known(bounds=((0, 10), (-10, 0))), 3000)
        assert list(map(str, found.best)) == [best]
        assert abs(found.value[0] - (1 if best == "a" else chance * 10)) < HALF


def test_chance_to_begin_with_has_no_best_move(tree, known):
    found = search(tree([CHANCE, (HALF, 4), (HALF, 0)]), known(bounds=((0, 4), (-4, 0))), 1000)
    assert found.best == found.line == ()
    assert abs(found.value[0] - 2) < HALF
    assert found.notes[0].startswith("1,000 simulations were made, and the guess is their mean by random plays")


def test_three_players_each_look_for_their_own(tree, known):
    players = ("A", "B", "C")
    machine = tree([0, [1, (1, 2, 6), (4, 3, 2)], [1, (6, 1, 2), [2, (7, 4, 1), (5, 6, 3)]]], players)
    found = search(machine, known(players=players, bounds=((1, 7),) * 3), 6000)
    assert [str(move) for move in found.line] == ["b", "b", "b"]
    assert all(abs(value - exact) < 1 for value, exact in zip(found.value, (5, 6, 3), strict=True))


def test_it_defends_itself(tree, known):
    """Tic-tac-toe: X threatens to fill a row."""
    game = zermelo.load("tic_tac_toe")
    state = game.initial.after("mark(a1)").after("mark(b2)").after("mark(b1)")
    found = solve(game.reference, game.facts, "mcts", None, state.machine_state, sampling=Sampling(600))
    assert str(found.best[0]) == "mark(c1)"


def test_leaves_are_worth_what_the_file_says(known):
    game = zermelo.load("tic_tac_toe")
    estimated, played = (
        solve(game.reference, game.facts, "mcts", rollouts=rollouts, sampling=Sampling(60))
        for rollouts in (False, True)
    )
    assert "by the file's estimate" in estimated.notes[0]
    assert "by random plays" in played.notes[0]
    assert estimated.value != played.value


def test_the_standard_error_is_that_of_the_plays(tree, known):
    """Draws of 0 and 4 with equal chances differ by 2 from their mean."""
    found = search(tree([CHANCE, (HALF, 4), (HALF, 0)]), known(bounds=((0, 4), (-4, 0))), 10_000)
    assert found.standard_errors == pytest.approx((0.02, 0.02), rel=0.01)
    settled = search(tree((3, -3)), known(bounds=BOUNDS), 10)
    assert settled.value == (3, -3) and settled.standard_errors == (0, 0)


def test_payoffs_that_never_differ(tree, known):
    found = search(tree([0, 2, 2]), known(bounds=((2, 2), (-2, -2))), 100)
    assert found.value == (2, -2)


def test_the_same_seed_draws_the_same(tree, known):
    machine, facts = tree([0, LECTURE, [1, LECTURE, 7], LECTURE]), known(bounds=BOUNDS)
    one, same, other = (search(machine, facts, 40, seed) for seed in (5, 5, 6))
    assert (one.value, one.line, one.notes) == (same.value, same.line, same.notes)
    assert one.value != other.value


def test_without_exploration_it_stays_with_what_looks_best(tree, known):
    """The first branch is worth 3; the others look good at times, and are not."""
    greedy = search(tree(LECTURE), known(bounds=BOUNDS), 500, exploration=0.0)
    curious = search(tree(LECTURE), known(bounds=BOUNDS), 500, exploration=20.0)
    shares = [int(found.notes[0].split()[0]) / 500 for found in (greedy, curious)]
    assert shares[0] > 0.9 > 0.5 > shares[1]


def test_no_time_no_value(tree, known):
    with pytest.raises(ZermeloError) as raised:
        search(tree(LECTURE), known(bounds=BOUNDS), None, seconds=0)
    assert raised.value.code == "out-of-time"


def test_as_many_simulations_as_limits_allow(tree, known):
    facts = known(bounds=BOUNDS)
    assert search(tree(LECTURE), facts, None).counts["simulations"] == 10_000
    assert search(tree(LECTURE), facts, None, nodes=7).counts["nodes"] == 7
    assert search(tree(LECTURE), facts, 3, nodes=7).counts["simulations"] == 3
    assert search(tree(LECTURE), facts, None, nodes=1).counts["simulations"] == 1


def test_a_play_that_does_not_end_counts_as_the_middle(monkeypatch, toy, known):
    monkeypatch.setattr("zermelo.solvers.search.monte_carlo_tree_search.LONGEST", 20)
    endless = toy(0, lambda position: (0, {"a": position, "b": position + 1}))
    found = search(endless, known(bounds=((0, 1), (-1, 0))), 30)
    assert found.value == (HALF, -HALF)


# ------------------------------------------------------------- drawing


def test_draws_are_even():
    generator = draws(3)
    counts = [0] * 6
    for _ in range(6000):
        counts[generator.below(6)] += 1
    assert all(abs(count - 1000) < 120 for count in counts)
    large = [generator.below(1 << 30) for _ in range(100)]
    assert len(set(large)) == 100 and max(large) < 1 << 30


def test_random_trees_are_solved_in_the_end(tree, known):
    random = Random(11)
    for _ in range(5):
        written = [0, *([1, *(random.randint(0, 9) for _ in range(2))] for _ in range(3))]
        exact = solve(tree(written), known(), "minimax")
        found = search(tree(written), known(bounds=((0, 9), (-9, 0))), 3000)
        assert found.best[0] in exact.best
        assert abs(found.value[0] - exact.value[0]) < 1
