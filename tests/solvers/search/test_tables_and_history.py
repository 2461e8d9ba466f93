"""Tables in games whose rules look at the history: a key that leaves it out stands for several positions."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from all_machines import MACHINES, needs_llvm, python_machine
from hypothesis import HealthCheck, given, settings
from random_cases import many
from random_games.looking_back import LookingBack, looking_back
from solving import solve

import zermelo
from zermelo.solvers.running import path_search
from zermelo.solving import facts_of

TABLES = ("alphabeta_table", "enhanced_alphabeta", "principal_variation", "aspiration", "mtdf")

THERE_AND_BACK = """
game "There and back"
players A, B
var at: 0..2 = 0
start at begin
phase begin:
    turn B:
        move to(n in 0..1):
            at := n
            go cross
phase cross:
    turn B:
        move over:
            at := 2
            go finish
phase finish:
    turn A:
        move back(n in 0..1):
            at := n
            go judge
phase judge:
    if repeated(at): end win B
    end win A
"""
"""On coming to ``finish`` all variables are the same. A wins by going back to 1 if B has not been there; so B wins by
``to(1)``, which is searched second: a table that has ``finish`` from ``to(0)`` would say that A wins."""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", ["alphabeta_table", "enhanced_alphabeta", "mtdf", "dfpn", "positions", "minimax"])
def test_a_table_does_not_take_one_history_for_another(make, solver):
    game = zermelo.loads(THERE_AND_BACK)
    found = solve(make(game.model), facts_of(game), solver)
    assert found.value == (-1, 1)
    assert str(found.best[0]) == "to(1)"


BY_TWO_WAYS = """
game "By two ways"
players A, B
var at: 0..64 = 1
start at begin
phase begin:
    turn B:
        move to(n in 1..2):
            at := n
            go fork
        move give: end payoff (2, -2)
phase fork:
    turn A:
        move left:
            at := 4
            go one
        move right:
            at := 4
            go two
phase one:
    turn B:
        move on:
            at := 16
            go finish
        move level: end draw
phase two:
    turn A:
        move on:
            at := 16
            go finish
phase finish:
    turn A:
        move back(n in 1..2):
            at := n
            go judge
phase judge:
    if repeated(at): end payoff (-2, 2)
    end payoff (2, -2)
"""
"""As above, on two ways. After ``to(1)`` the table answers at ``finish`` on the second one, so nothing has been looked
for below ``two`` but what that answer rests on; and that is otherwise after ``to(2)``. There ``two`` is worth the most
that the game can pay, so it would settle ``fork``."""

OFFERED = """
game "Offered"
players A, B
var at: 0..64 = 1
start at begin
phase begin:
    turn B:
        move to(n in 1..2):
            at := n
            go cross
        move give: end payoff (2, -2)
phase cross:
    turn B:
        move over:
            at := 16
            go choose
phase choose:
    turn A:
        move back(n in 1..2) ensuring not repeated(at):
            at := n
            go rest
        move give_up: end win B
phase rest:
    turn B:
        move on:
            at := 32
            go last
phase last:
    turn B:
        move on: end win A
"""
"""What is offered at ``choose`` depends on the past, and nothing behind it does."""

MOMENTS = """
game "Moments"
players A, B
var at: 0..64 = 64
var laps: 0..1 = 0
start at begin
phase begin:
    turn PLAYER:
        move FIRST
        move SECOND
phase lap:
    at := 16
    turn A:
        move again if laps == 0:
            laps := 1
            at := 4
            go lap
        move on if laps == 1: go judge
phase judge:
    at := 1
    if repeated(at): end win B
    end win A
"""
AT_ONCE = "at_once:\n            laps := 1\n            at := 1\n            go lap"
IN_TWO = "in_two:\n            at := 1\n            go lap"
"""``lap`` has been entered with 1, or with 1 and then with 4. At ``judge``, which offers nothing, the present moment is
still that of ``lap``: it has been at 1 before only if there are two."""


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", TABLES)
def test_what_a_value_rests_on_is_all_that_has_been_looked_for_below(make, solver):
    for text, value in ((BY_TWO_WAYS, -2), (OFFERED, -1)):
        game = zermelo.loads(text)
        assert solve(make(game.model), facts_of(game), solver).value == (value, -value)


@pytest.mark.parametrize("make", MACHINES)
@pytest.mark.parametrize("solver", TABLES)
@pytest.mark.parametrize(
    ("player", "first", "second", "value"), [("B", AT_ONCE, IN_TWO, -1), ("A", IN_TWO, AT_ONCE, 1)]
)
def test_the_present_moment_and_the_length_of_a_past_count(make, solver, player, first, second, value):
    text = MOMENTS.replace("PLAYER", player).replace("FIRST", first).replace("SECOND", second)
    game = zermelo.loads(text)
    assert solve(make(game.model), facts_of(game), solver).value == (value, -value)


@settings(max_examples=many(60), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(played=looking_back())
def test_no_table_changes_a_value_where_the_rules_look_back(played: LookingBack) -> None:
    """Minimax has no table. In a table of eight entries pasts are written over soon."""
    game = zermelo.loads(played.text())
    known, machine = facts_of(game), python_machine(game.model)
    expected = dict.fromkeys(TABLES, solve(game.reference, known, "minimax").value)
    assert {solver: solve(machine, known, solver).value for solver in TABLES} == expected, played.text()
    with patch.object(path_search, "table_size", return_value=8):
        assert {solver: solve(machine, known, solver).value for solver in TABLES} == expected, played.text()


@needs_llvm
@pytest.mark.parametrize(("solver", "most"), [("principal_variation", 400_000), ("mtdf", 400_000)])
def test_go_on_nine_points_is_solved_with_a_table_of_pasts(solver: str, most: int) -> None:
    """Black wins in the centre by all nine points (van der Werf, "AI techniques for the game of Go", 2004), so by more
    than seven. Without a table 430 million nodes were not enough."""
    game = zermelo.load("go", size=3)
    found = solve(game.on("native").searching, game.facts, solver)
    assert found.value == (1, -1)
    assert str(found.best[0]) == "place(b2)"
    assert found.counts["nodes"] < most
