"""Monte Carlo tree search on its kernel: the same nodes as the readable version, for the same seed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import MACHINES, MAKERS, native_machine, needs_llvm, python_machine
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from overstepping import overstepping
from random_cases import many
from random_trees import trees, with_moves
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search.monte_carlo_tree_search import monte_carlo_tree_search
from zermelo.solvers.solution import Problem
from zermelo.solving import facts_of

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
def test_a_play_that_does_not_end_counts_as_the_middle(monkeypatch):
    monkeypatch.setattr("zermelo.solvers.search.monte_carlo_tree_search.LONGEST", 30)
    game = zermelo.load("pig", target=100)
    expected = solved(game.reference, facts(game.model), 30, seed=1)
    assert expected == solved(native_machine(game.model), facts(game.model), 30, seed=1)
    assert expected.value == (0, 0)
