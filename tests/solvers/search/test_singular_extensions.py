"""Singular extensions: what they see earlier, and that the result is not called exact."""

from __future__ import annotations

import pytest
from all_machines import native_machine, python_machine
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.window_search import margin
from zermelo.solvers.solution import Certainty, Problem

# A wins with a fourth push, seven plies from the beginning, and B can do nothing but step aside each time: to stumble
# loses at once. Nothing tells from the estimate.
PUSHING = """
game "Pushing"
players A, B
claim zero_sum, perfect_information, terminates
var pushes: 0..4 = 0
var rounds: 0..20 = 0
start at attack
phase attack:
    if rounds == 20: end draw
    turn A:
        move rest:
            rounds += 1
            go defend
        move push:
            rounds += 1
            pushes += 1
            if pushes == 4: end win A
            go defend
phase defend:
    turn B:
        move step_aside: go attack
        move stumble: end win A
estimate for p: 0
"""


@pytest.fixture(scope="module")
def both():
    """Run a solver on the reference machine and on kernels, which must visit the same nodes."""

    def run(game, depth, solver="singular_extensions"):
        known, limits = facts(game.model), Limits(depth=depth)
        found = [
            solve(make, known, solver, limits=limits)
            for make in (game.machine, python_machine(game.model), native_machine(game.model))
        ]
        assert len({(each.value, each.best, tuple(each.counts.items()), each.certainty) for each in found}) == 1
        return found[0]

    return run


def test_they_see_a_forced_win_a_ply_earlier(both):
    game = zermelo.loads(PUSHING)
    plain = both(game, 6, "principal_variation")
    found = both(game, 6)
    assert plain.value == (0, 0)
    assert found.value == (1, -1)
    assert both(game, 7, "principal_variation").value == (1, -1)
    assert str(found.best[0]) == "push"
    assert found.certainty is Certainty.EXACT  # pushing wins to the end, and nothing pays more
    shallow = both(game, 4)
    assert shallow.value == (0, 0)
    assert shallow.certainty is Certainty.HEURISTIC
    assert "further where one move stood out" in shallow.notes[0]


@pytest.mark.parametrize(
    ("name", "parameters", "depth"),
    [
        ("connect_four", {"rows": 4, "columns": 4}, 6),
        ("othello", {"size": 4}, 6),
        ("breakthrough", {"rows": 4, "columns": 4}, 5),
    ],
)
def test_the_kernel_visits_what_the_reference_visits(both, name, parameters, depth):
    both(zermelo.load(name, **parameters), depth)


def test_the_margin_is_a_part_of_what_the_game_can_pay():
    game = zermelo.load("chess")
    assert margin(Problem(game.machine, game.facts, game.machine.initial())) * 200 == 1, "a pawn"
