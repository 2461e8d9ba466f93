"""Discounted games by kernels: payoffs depend on the length of plays, so tables must not be used."""

from __future__ import annotations

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts

PATIENCE = """
game "Patience"
players A, B
discount 9/10
claim zero_sum
var pot: 0..12 = 0
var left: 0..7 = 7
start at play(A)
phase play(p: Player):
    turn p:
        move add(k in 0..2):
            pot += min(k, 12 - pot)
            left -= 1
            if left == 0: end draw
            go play(if k == 0 then p else other p)
        move take if pot % 3 == 2:
            end payoff {p: pot, other p: -pot}
"""


SOLVERS = (
    "minimax",
    "alphabeta",
    "alphabeta_table",
    "maxn",
    "expectiminimax",
    "iterative_deepening",
    "principal_variation",
    "mtdf",
    "dfpn",
)


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
@pytest.mark.parametrize("solver", SOLVERS)
def test_discounted_values(solver, make) -> None:
    game = zermelo.loads(PATIENCE)
    known = facts(game.model)
    found = solve(make(game.model), known, solver)
    assert found.value == solve(game.machine, known, "minimax").value
