"""Tables in games whose rules look at the history: a key that leaves it out stands for several positions."""

from __future__ import annotations

import pytest
from all_machines import MACHINES

import zermelo
from zermelo.solvers.choosing.solving import solve
from zermelo.solving import facts_of

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
