"""Minimax and alpha-beta to a depth, against a recursion of their own and against the figure in the textbooks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from solving import solve

import zermelo
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.solution import Certainty

TEXTBOOK = ("minimax", "alphabeta")


def plain(machine, state, plies, unsettled=0):
    """Minimax by plies, in the fewest words; ``unsettled`` plies more where the file asks for them."""
    if machine.actor(state) < 0:
        return machine.payoff(state)[0]
    if plies <= 0 and not (plies > -unsettled and machine.is_unsettled(state)):
        return machine.estimate(state, 0)
    values = [plain(machine, machine.after(state, move), plies - 1, unsettled) for move in machine.moves(state)]
    return max(values) if machine.actor(state) == 0 else min(values)


@pytest.mark.parametrize("solver", TEXTBOOK)
@pytest.mark.parametrize(("machine", "lines"), [("searching", "1"), ("reference", "1"), ("searching", "1/9")])
def test_the_figure_of_two_plies_of_tic_tac_toe(solver, machine, lines):
    """Nilsson 1971: behind a corner, an edge and the centre O can leave X with -1, -2 and 1 open lines more."""
    game = zermelo.load("tic_tac_toe").reweighed(open_lines=lines)
    found = solve(getattr(game, machine), game.facts, solver, limits=Limits(depth=2))
    assert found.value[0] == Fraction(lines) and list(map(str, found.best)) == ["mark(b2)"]
    assert found.certainty is Certainty.DEPTH_LIMITED and len(found.line) == 2
    for first, worth in (("a1", -1), ("b1", -2), ("b2", 1)):
        state = game.initial.after(f"mark({first})").machine_state
        behind = solve(game.reference, game.facts, solver, root=state, limits=Limits(depth=1))
        assert behind.value[0] == worth * Fraction(lines)


def test_minimax_to_a_depth_visits_each_node_once():
    game = zermelo.load("tic_tac_toe")
    found = solve(game.searching, game.facts, "minimax", limits=Limits(depth=3))
    assert found.counts == {"nodes": 1 + 9 + 72 + 504, "terminals": 0, "estimates": 504, "depth": 3}


@pytest.mark.parametrize("solver", TEXTBOOK)
@pytest.mark.parametrize(
    ("name", "sizes"),
    [("tic_tac_toe", {}), ("horizon_effect", {}), ("connect_four", {"rows": 3, "columns": 3, "run": 3})],
)
def test_every_depth_is_what_a_plain_recursion_finds(solver, name, sizes):
    game = zermelo.load(name, **sizes)
    machine = game.reference
    for depth in range(1, 5):
        found = solve(machine, game.facts, solver, limits=Limits(depth=depth))
        overtime = 32 if game.facts.has_unsettled else 0
        assert found.value[0] == plain(machine, machine.initial(), depth, overtime)
        assert found.exact is ("estimates" not in found.counts)


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_without_a_horizon_the_value_is_exact(solver):
    game = zermelo.load("horizon_effect")
    found = solve(game.searching, game.facts, solver, limits=Limits(depth=50))
    whole = solve(game.searching, game.facts, solver)
    assert found.exact and (found.value, found.best, found.counts) == (whole.value, whole.best, whole.counts)


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_a_search_that_may_be_stopped_keeps_its_last_depth(solver):
    game = zermelo.load("connect_four")
    found = solve(game.searching, game.facts, solver, limits=Limits(nodes=1000))
    assert found.certainty is Certainty.DEPTH_LIMITED and found.counts["depth"] >= 2
    straight = solve(game.searching, game.facts, solver, limits=Limits(depth=found.counts["depth"]))
    assert (straight.value, straight.best) == (found.value, found.best)


def test_a_table_without_depths_is_for_searches_to_the_end():
    game = zermelo.load("tic_tac_toe")
    with pytest.raises(LimitReached):
        solve(game.searching, game.facts, "alphabeta_table", limits=Limits(nodes=1000))
    assert solve(game.searching, game.facts, "alphabeta_table", limits=Limits(nodes=10**6)).value == (0, 0)


def test_they_are_not_the_default():
    game = zermelo.load("tic_tac_toe")
    assert solve(game.searching, game.facts, limits=Limits(depth=2)).solver == "principal_variation"


@pytest.mark.parametrize("solver", TEXTBOOK)
def test_at_a_horizon_nothing_is_pruned(solver):
    game = zermelo.load("tic_tac_toe")
    trace = Trace(game.reference)
    found = solve(game.reference, game.facts, solver, limits=Limits(depth=2), trace=trace)
    nodes = trace.record()["nodes"]
    horizon = [node for node in nodes if node["horizon"]]
    assert len(horizon) == found.counts["estimates"] and not any(node["pruned"] for node in horizon)
    assert len(nodes) == found.counts["nodes"]
