"""The solvers on the reference machine, and known results for the bundled games."""

from __future__ import annotations

from functools import cache, reduce
from operator import xor

import pytest
from attrs import evolve
from solving import solve
from written_games import bundled_model

from zermelo import gamedefs
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import count_information_sets, survey
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.choosing.choice import choose_solver
from zermelo.solvers.choosing.registry import SOLVERS, unmet_needs
from zermelo.solvers.search.counting import count_exactly
from zermelo.solvers.search.random_plays import random_plays


@cache
def load(name, **settings):
    model = bundled_model(name, **settings)
    return ReferenceMachine(model), facts(model)


@pytest.mark.parametrize(
    ("name", "value", "best"),
    [
        ("two_ply_tree", (3, -3), ["A1"]),
        ("coin_flip_tree", (3, -3), ["left"]),
        ("three_player_tree", (4, 3, 2), ["left"]),
        ("nim", (1, -1), ["take(1, 2)"]),
        ("template", (1, -1), ["put(c1)"]),
    ],
)
def test_values_by_the_default_solver(name, value, best):
    found = solve(*load(name))
    assert found.value == value
    assert list(map(str, found.best)) == best
    assert found.exact


def test_tic_tac_toe_by_alpha_beta():
    found = solve(*load("tic_tac_toe"), "alphabeta")
    assert found.value == (0, 0)
    assert found.counts["nodes"] == 18_297
    assert len(found.line) == 9


def test_tic_tac_toe_by_minimax():
    """After a first move to the middle; the tests of kernels visit the whole tree."""
    machine, known = load("tic_tac_toe")
    begun = machine.initial()
    found = solve(machine, known, "minimax", root=machine.after(begun, machine.find_move(begun, "mark(b2)")))
    assert found.value == (0, 0)
    assert found.counts == {"nodes": 55_505, "terminals": 25_872}
    assert set(map(str, found.best)) == {"mark(a1)", "mark(c1)", "mark(a3)", "mark(c3)"}


def test_tic_tac_toe_surveyed():
    found = survey(load("tic_tac_toe")[0], 10_000, 600)
    assert (found.positions, found.terminals, found.longest) == (5478, 958, 9)


@pytest.mark.parametrize("heaps", [1, 2, 3])
@pytest.mark.parametrize("smallest", [1, 2])
def test_nim_follows_bouton(heaps, smallest):
    machine, known = load("nim", heaps=heaps, smallest=smallest)
    wins = reduce(xor, range(smallest, smallest + heaps)) != 0
    found = solve(machine, known)
    assert found.value == ((1, -1) if wins else (-1, 1))
    assert solve(machine, known, "maxn").value == found.value


def test_a_game_may_be_solved_from_its_middle():
    machine, known = load("tic_tac_toe")
    state = machine.initial()
    for move in ("mark(a1)", "mark(b1)"):
        state = machine.after(state, machine.find_move(state, move))
    found = solve(machine, known, "minimax", root=state)
    assert found.value == (1, -1)
    assert list(map(str, found.best)) == ["mark(a2)", "mark(b2)", "mark(a3)"]


SETTLED = {
    "backgammon": (0, True, None),
    "blind_tic_tac_toe": (0, None, True),
    "chess": (0, True, True),
    "coin_flip_tree": (0, True, True),
    "connect_four": (0, True, True),
    "forked_roads": (None, None, True),
    "four_card_whist": (0, None, True),
    "go": (0, True, True),
    "kuhn_poker": (0, None, True),
    "nim": (0, True, True),
    "othello": (0, True, True),
    "pig": (0, True, None),
    "prisoners_dilemma": (None, None, True),
    "rock_paper_scissors": (0, None, True),
    "template": (0, True, True),
    "three_player_tree": (None, True, True),
    "tic_tac_toe": (0, True, True),
    "two_ply_tree": (0, True, True),
}


@pytest.mark.parametrize("name", SETTLED)
def test_facts_from_the_rules_alone(name):
    known = load(name)[1]
    assert (known.sum, known.perfect_information.holds, known.terminates.holds) == SETTLED[name]


@pytest.mark.parametrize("name", gamedefs.names())
def test_no_position_contradicts_the_facts(name):
    machine, known = load(name)
    found = survey(machine, 200, 5)
    if known.constant_sum.holds:
        assert set(found.sums) <= {known.sum}
    if known.terminates.holds:
        assert found.loop is None
    if known.common_payoff.holds:
        assert found.unequal is None
    assert known.chance.holds is not False or not found.chance


@pytest.mark.parametrize("name", gamedefs.names())
def test_every_game_is_given_a_solver_or_a_reason(name):
    machine, known = load(name)
    for solver in SOLVERS.values():
        if any(need.fact(known).holds is False for need in unmet_needs(solver, known)):
            with pytest.raises(ZermeloError) as raised:
                solve(machine, known, solver.name)
            assert raised.value.code == unmet_needs(solver, known)[0].code
    if all(unmet_needs(solver, known) for solver in SOLVERS.values() if not solver.guesses):
        with pytest.raises(ZermeloError) as raised:
            choose_solver(known)
        assert raised.value.code == "no-solver"
    else:
        assert unmet_needs(choose_solver(known), known) == ()


@pytest.mark.parametrize("solver", ["expectiminimax", "maxn"])
def test_pig_goes_round(solver):
    """If its end is not proved, the search finds a cycle."""
    machine, known = load("pig")
    with pytest.raises(ZermeloError) as raised:
        solve(machine, evolve(known, terminates=Fact(None, "not proved")), solver)
    assert raised.value.code == "needs-end"
    assert "roll, die(1), roll, die(1) lead back to the same position" in raised.value.message


def test_pig_surveyed():
    machine, known = load("pig", target=5)
    found = survey(machine, 10_000, 600)
    assert found.finished
    assert str(found.loop) == "roll, die(1), roll, die(1) lead back to the same position"
    assert known.with_survey(found).terminates.holds is False


@pytest.mark.parametrize(
    ("name", "count"), [("kuhn_poker", 12), ("forked_roads", 2), ("rock_paper_scissors", 2), ("prisoners_dilemma", 2)]
)
def test_information_sets(name, count):
    found = count_information_sets(load(name)[0], 10_000)
    assert (found.count, found.finished) == (count, True)
    assert found.confusion is not None


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic_tac_toe", [1, 9, 72, 504, 3024]),
        ("connect_four", [1, 7, 49, 343]),
        ("othello", [1, 4, 12, 56]),
        ("chess", [1, 20]),
        ("kuhn_poker", [1, 6, 12, 24, 12, 0]),
    ],
)
def test_plays(name, counts):
    machine, _ = load(name)
    assert [count_exactly(machine, machine.initial(), length).plays for length in range(len(counts))] == counts


def test_random_plays_of_tic_tac_toe():
    machine, _ = load("tic_tac_toe")
    found = random_plays(machine, machine.initial(), 300, seed=7)
    assert found.plays == 300
    assert 5 <= found.shortest <= found.mean_length <= found.longest == 9
    assert sum(found.mean_payoffs) == 0
    assert found.mean_payoffs[0] > 0  # the first player has an advantage
