"""Kernels with a horizon: the same answers as the algorithms in Python, with the same counts."""

from __future__ import annotations

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_trees import THREE_PAYOFFS, trees, with_moves
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.facts import Fact
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.maxn import maxn, paranoid
from zermelo.solvers.solution import Problem

FOR_TWO = ("expectiminimax", "maxn", "star1", "star2")
FOR_THREE = ("maxn", "paranoid", "best_reply")

RACE = """\
game "Race"
players A, B
claim zero_sum, perfect_information, terminates
var at[Player]: 0..4 = 0
estimate for p: (at[p] - at[other p]) / 12
unsettled if at[A] == at[B] and at[A] % 2 == 1
start at throw(A)
phase throw(p: Player):
    chance:
        outcome die(n in 1..3) weight n:
            go run(p, n)
phase run(p: Player, n: 1..3):
    turn p:
        move steps(k in 1..n):
            at[p] := min(4, at[p] + k)
            if at[p] == 4: end payoff {q: if q == p then 2/3 else -2/3 for q in Player}
            go throw(other p)
"""

THREE = """\
game "Three"
players A, B, C
claim perfect_information, terminates
var at[Player]: 0..9 = 0
var left: 0..7 = 7
estimate for p: at[p] / 12
unsettled if left % 3 == 1
{order}
start at run(A)
phase run(p: Player):
    turn p:
        move steps(k in 1..3):
            at[p] := (at[p] * 2 + k + at[next p]) % 10
            left -= 1
            if left == 0: end payoff {{q: at[q] + at[next q] / 2 for q in Player}}
            go run(next p)
"""

GAMES = {
    "race": RACE,
    "three": THREE.format(order=""),
    "three in order": THREE.format(order="order moves by at[A] - at[B]"),
}
FITTING = [(name, solver) for name in GAMES for solver in (FOR_TWO if name == "race" else FOR_THREE)]


@pytest.fixture(scope="module")
def games():
    return {name: zermelo.loads(text) for name, text in GAMES.items()}


def agree(game, machine, solver, limits):
    expected = solve(game.machine, game.facts, solver, limits=limits)
    found = solve(machine, game.facts, solver, limits=limits)
    assert found == evolve(expected, seconds=found.seconds)


@pytest.mark.parametrize(("name", "solver"), FITTING)
def test_every_depth(games, name, solver):
    game = games[name]
    machine = python_machine(game.model)
    for depth in (1, 2, 3, 4, 6):
        agree(game, machine, solver, Limits(depth=depth))


@needs_llvm
@pytest.mark.parametrize(
    ("name", "solver"),
    [("race", "expectiminimax"), ("race", "star2"), ("three", "maxn"), ("three in order", "best_reply")],
)
def test_machine_code(games, name, solver):
    game = games[name]
    agree(game, native_machine(game.model), solver, Limits(depth=5))


@pytest.mark.parametrize("solver", [*FOR_TWO, "minimax", "alphabeta"])
def test_bundled_games_to_a_depth(solver):
    for name, sizes in (
        ("tic_tac_toe", {}),
        ("horizon_effect", {}),
        ("connect_four", {"rows": 3, "columns": 3, "run": 3}),
    ):
        game = zermelo.load(name, **sizes)
        agree(game, python_machine(game.model), solver, Limits(depth=2))


@pytest.mark.parametrize(("name", "solver"), FITTING)
def test_a_limit_of_nodes_leaves_the_last_depth(games, name, solver):
    """The node that exceeds the limit is visited by kernels, and only counted in Python."""
    game = games[name]
    expected = solve(game.machine, game.facts, solver, limits=Limits(nodes=200))
    found = solve(python_machine(game.model), game.facts, solver, limits=Limits(nodes=200))
    assert (found.value, found.line, found.notes) == (expected.value, expected.line, expected.notes)
    assert [found.counts[what] for what in ("nodes", "depth")] == [201, expected.counts["depth"]]


@pytest.mark.parametrize("solver", FOR_THREE)
def test_rollouts_are_left_to_python(games, solver):
    game = games["three"]
    limits = Limits(depth=2)
    expected = solve(game.machine, game.facts, solver, limits=limits, rollouts=True, seed=3)
    assert solve(python_machine(game.model), game.facts, solver, limits=limits, rollouts=True, seed=3) == evolve(
        expected
    )


@pytest.mark.parametrize("solver", [*FOR_TWO, "paranoid", "best_reply"])
def test_a_kernel_asks_for_an_estimate(solver):
    game = zermelo.load("coin_flip_tree" if solver in FOR_TWO else "n_person_nim")
    with pytest.raises(ZermeloError) as raised:
        solve(python_machine(game.model), game.facts, solver, limits=Limits(depth=2))
    assert raised.value.code == "needs-estimate"


@pytest.mark.parametrize(
    "name, solver",
    [
        *(("two_ply_tree", solver) for solver in ("minimax", "alphabeta", *FOR_TWO, "principal_variation", "mtdf")),
        *(("three_player_tree", solver) for solver in FOR_THREE),
    ],
)
def test_an_estimate_is_asked_for_where_a_search_is_cut_off(name, solver):
    """And not where every play ends within the depth: then the value is that of the game."""
    game = zermelo.load(name)
    for machine in (game.reference, python_machine(game.model)):
        whole = solve(machine, game.facts, solver)
        deep = solve(machine, game.facts, solver, limits=Limits(depth=3))
        assert (deep.value, deep.best, deep.certainty) == (whole.value, whole.best, whole.certainty)
        with pytest.raises(ZermeloError) as raised:
            solve(machine, game.facts, solver, limits=Limits(depth=1))
        assert raised.value.code == "needs-estimate"


@settings(max_examples=many(30), suppress_health_check=list(HealthCheck))
@given(written=with_moves(trees(THREE_PAYOFFS, players=3, most=20)), solver=st.sampled_from(("paranoid", "best_reply")))
def test_random_trees_of_three_players(tree_text, written, solver):
    game = zermelo.loads(tree_text(written, ("A", "B", "C")))
    agree(game, python_machine(game.model), solver, Limits())


ROUND = """\
game "Round"
players {players}
claim perfect_information
endless payoff {{p: 0 for p in Player}}
var at: 0..2 = 0
start at play({first})
phase play(p: Player):
    turn p:
        move on:
            at := (at + 1) % 3
            go play(next p)
        move stop: end payoff {{q: if q == p then 1 else -1 for q in Player}}
"""


@pytest.mark.parametrize("solver", sorted({*FOR_TWO, *FOR_THREE}))
def test_a_play_that_goes_round_is_noticed(solver):
    players = "A, B" if solver in FOR_TWO else "A, B, C"
    game = zermelo.loads(ROUND.format(players=players, first="A"))
    known = evolve(game.facts, terminates=Fact(None, "it is not proved that every play ends"))
    with pytest.raises(ZermeloError) as expected:
        solve(game.machine, known, solver)
    with pytest.raises(ZermeloError) as found:
        solve(python_machine(game.model), known, solver)
    assert (found.value.code, found.value.message) == (expected.value.code, expected.value.message)
    assert found.value.code == "needs-end"


def test_a_race_whose_end_is_not_proved_is_solved_by_its_kernel():
    game = zermelo.load("dice_race", goal=2)
    assert game.facts.terminates.holds is None
    expected = solve(game.machine, game.facts, "expectiminimax")

    machine = python_machine(game.model)
    found = expectiminimax.on(LoweredBackend(machine), Problem(machine, game.facts, machine.initial()))
    assert (found.value, found.counts) == (expected.value, expected.counts)


LARGE = """\
game "Large"
players A, B, C
claim perfect_information, terminates
estimate for p: 1 / 1073741823
start at play
phase play:
    turn A:
        move one: end payoff (9007199254740993, 0, 0)
        move two: end payoff (9007199254740992, 0, 0)
"""


def test_payoffs_that_have_no_common_unit_with_estimates_are_left_to_python():
    game = zermelo.loads(LARGE)
    machine = python_machine(game.model)
    limits = Limits(depth=2)
    with pytest.raises(BeyondKernel):
        paranoid.on(LoweredBackend(machine), Problem(machine, game.facts, machine.initial(), limits=limits))
    agree(game, machine, "paranoid", limits)


@settings(max_examples=many(30), suppress_health_check=list(HealthCheck))
@given(written=with_moves(trees(most=20, chance=True)), solver=st.sampled_from(("star1", "star2")))
def test_random_trees_with_chance(tree_text, written, solver):
    game = zermelo.loads(tree_text(written))
    agree(game, python_machine(game.model), solver, Limits())


@pytest.mark.parametrize("host", [paranoid, maxn])
def test_a_path_may_take_what_others_have_left(games, host):
    game = games["three"]
    machine, limits = python_machine(game.model), Limits(memory=1 << 20)
    problem = Problem(machine, game.facts, machine.initial(), limits=limits)
    host.on(LoweredBackend(machine), problem)
    limits.ledger.hold(machine, (1 << 20) - 1000)
    with pytest.raises(ZermeloError) as raised:
        host.on(LoweredBackend(machine), problem)
    assert raised.value.code == "out-of-memory"
