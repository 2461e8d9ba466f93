"""Monte Carlo tree search."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from all_machines import MACHINES, MAKERS, native_machine, needs_llvm, python_machine
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from overstepping import overstepping
from random_cases import many, seeds
from random_trees import trees, with_moves
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import CHANCE, PlayError
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.running.backend import BeyondKernel, seeded_draws
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search.monte_carlo_tree_search import monte_carlo_tree_search
from zermelo.solvers.solution import Certainty, Problem
from zermelo.solving import facts_of

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


def test_the_line_ends_where_not_all_answers_were_tried(tree, known):
    """In each simulation one move is tried first: those of the root, then those behind the better of them."""
    machine = tree([0, [1, 3, 4, 5], -9])
    facts = known(bounds=((-9, 5), (-5, 9)))
    lengths = [len(search(machine, facts, simulations).line) for simulations in (2, 4, 20)]
    assert lengths == [1, 1, 2]


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
    generator = seeded_draws(3)
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


# Monte Carlo tree search on its kernel: the same nodes as the readable version, for the same seed.


THIRD = Fraction(1, 3)

GAMES = [
    ("tic_tac_toe", {}, 150),
    ("connect_four", {"rows": 4, "columns": 5}, 60),
    ("three_player_tree", {}, 100),
    ("coin_flip_tree", {}, 100),
    ("pig", {"target": 10}, 60),
    ("n_person_nim", {}, 60),
    ("go", {"size": 3}, 8),
]
WITH_ESTIMATE = ("tic_tac_toe", "connect_four")

LEAP = """\
game "Leap"
players Ann
start at play
phase play:
    turn Ann:
        move jump: end payoff {Ann: 1/3}
        move stay: end payoff {Ann: -1/7}
"""


def answer_on(machine, known, simulations, **options):
    return solve(machine, known, "mcts", sampling=Sampling(simulations), **options)


def solved(machine, known, simulations, **options):
    return evolve(answer_on(machine, known, simulations, **options), seconds=0.0)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("name", "parameters", "simulations", "rollouts"),
    [
        *(pytest.param(*game, True, id=f"plays of {game[0]}") for game in GAMES),
        *(pytest.param(*game, False, id=f"the estimate of {game[0]}") for game in GAMES if game[0] in WITH_ESTIMATE),
    ],
)
def test_the_same_nodes_as_the_reference(make, name, parameters, simulations, rollouts):
    game = zermelo.load(name, **parameters)
    known = facts(game.model)
    expected = solved(game.reference, known, simulations, rollouts=rollouts, seed=7)
    machine = make(game.model)
    problem = Problem(machine, known, machine.initial(), rollouts=rollouts, seed=7, sampling=Sampling(simulations))
    found = monte_carlo_tree_search.on(LoweredBackend(machine), problem)
    assert (found.value, found.line, dict(found.counts), found.notes) == (
        expected.value,
        expected.line,
        dict(expected.counts),
        expected.notes,
    )


PAYOFFS = st.tuples(*[st.sampled_from((0, 2, -5, 7))] * 3)


@settings(max_examples=many(15))
@given(tree=with_moves(trees(PAYOFFS, players=3, most=20, chance=True)), seed=st.integers(0, 1 << 40))
def test_the_same_nodes_on_random_trees_of_three_players(tree_text, tree, seed):
    game = zermelo.loads(tree_text(tree, ("A", "B", "C")))
    known = facts(game.model)
    one = solved(game.reference, known, 60, seed=seed)
    other = solved(python_machine(game.model), known, 60, seed=seed)
    assert one == other


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [("tic_tac_toe", {}, 0), ("nim", {"heaps": 2}, 1), ("connect_four", {"rows": 4, "columns": 4}, 0)],
)
def test_it_comes_to_an_optimal_move(make, name, parameters, value):
    game = zermelo.load(name, **parameters)
    machine = make(game.model)
    found = answer_on(machine, facts(game.model), 20_000 if machine.is_compiled else 1500)
    after = machine.after(machine.initial(), found.best[0])
    exact = solve(machine, facts_of(game), "enhanced_alphabeta", root=after).value
    assert exact[0] == value


@pytest.mark.parametrize("make", MAKERS)
def test_a_search_that_begins_later_in_a_play(make):
    """The history of the play is part of where it begins."""
    game = zermelo.load("go", size=3)
    results = []
    for machine in (game.reference, make(game.model)):
        state = machine.initial()
        for _ in range(3):
            state = machine.after(state, machine.moves(state)[1])
        results.append(solved(machine, facts(game.model), 6, root=state, rollouts=True))
    assert results[0] == results[1]


@pytest.mark.parametrize("make", MACHINES)
def test_a_full_memory_ends_the_growth_and_no_more(make):
    game = zermelo.load("tic_tac_toe")
    machine, known = make(game.model), facts(game.model)
    found = answer_on(machine, known, 300, limits=Limits(memory=16 << 10))
    assert found.counts["simulations"] == 300
    assert 10 < found.counts["nodes"] < 300
    assert found.notes[1] == "The tree grew no further at 16K of memory; --memory allows more."
    assert len(answer_on(machine, known, 300, limits=Limits(memory=4 << 20)).notes) == 1


@pytest.mark.parametrize("make", MAKERS)
def test_time_ends_it_with_what_it_has(make, clock):
    """A node takes a second."""
    game = zermelo.load("connect_four")
    known, machine = facts(game.model), make(game.model)

    def tick(nodes):
        clock[0] = float(nodes)

    found = answer_on(machine, known, None, limits=Limits(seconds=20, begin=0.0), progress=tick)
    assert found.best and found.counts["simulations"] > 0
    assert found.value[0] + found.value[1] == 0


@pytest.mark.parametrize("make", MAKERS)
def test_an_error_of_the_rules_comes_with_its_play(make):
    game = zermelo.loads(overstepping(9))
    with pytest.raises(PlayError) as raised:
        answer_on(make(game.model), facts(game.model), 500)
    assert raised.value.code == "assigned-out-of-range"
    assert sum(move.arguments[0] for move in raised.value.play) == 10


@pytest.mark.parametrize("make", MAKERS)
def test_payoffs_in_fractions_of_one_player(make):
    game = zermelo.loads(LEAP)
    found = answer_on(make(game.model), facts(game.model), 400)
    assert str(found.best[0]) == "jump" and found.value == (THIRD,)


def test_sums_that_are_too_large_are_left_to_python():
    game = zermelo.loads(LEAP)
    machine = python_machine(game.model)
    known = evolve(facts(game.model), bounds=((-(10**15), 10**15),))
    problem = Problem(machine, known, machine.initial(), sampling=Sampling(100))
    with pytest.raises(BeyondKernel):
        monte_carlo_tree_search.on(LoweredBackend(machine), problem)
    assert solve(machine, known, "mcts", sampling=Sampling(100)).counts["simulations"] == 100


@needs_llvm
def test_a_play_that_does_not_end_counts_as_the_middle_in_monte_carlo_by_kernel(monkeypatch):
    monkeypatch.setattr("zermelo.solvers.search.monte_carlo_tree_search.LONGEST", 30)
    game = zermelo.load("pig", target=100)
    expected = solved(game.reference, facts(game.model), 30, seed=1)
    assert expected == solved(native_machine(game.model), facts(game.model), 30, seed=1)
    assert expected.value == (0, 0)
