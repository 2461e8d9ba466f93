"""Kernels are used only within their ranges, and detect overflows."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import pytest
from all_machines import python_machine
from hostile_payoffs import ladder

import zermelo
from zermelo.interpreter.native.expressions.lowering import SMALL
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.interpreter.native.state_encoding.encoding import LIMIT
from zermelo.solvers.kernels import fractions
from zermelo.solvers.kernels.ranges import ESTIMATE, INFINITE, MOST, PAYOFF
from zermelo.solvers.running.backend import BeyondKernel, check_range
from zermelo.solvers.running.lowered_backend import Hosted, LoweredBackend
from zermelo.solvers.search import expectiminimax as expectiminimax_module
from zermelo.solvers.search.alphabeta import alphabeta, alphabeta_table, minimax
from zermelo.solvers.search.dfpn import dfpn
from zermelo.solvers.search.expectiminimax import expectiminimax
from zermelo.solvers.search.maxn import maxn
from zermelo.solvers.search.window_search import aspiration, enhanced_alphabeta, mtdf, principal_variation
from zermelo.solvers.solution import Answer, Problem
from zermelo.solving import facts_of


def problem_of(text: str) -> tuple[LoweredMachine, Problem[Any]]:
    game = zermelo.loads(text)
    machine = python_machine(game.model)
    return machine, Problem(machine, facts_of(game), machine.initial())


def test_the_ranges_are_those_of_the_texts():
    assert (PAYOFF, ESTIMATE) == (LIMIT, SMALL)
    for name in ("minimax", "alphabeta", "dfpn", "window"):
        assert MOST[name] < INFINITE
    assert MOST["fractions"] == fractions.FRACTION


@pytest.mark.parametrize("name", MOST)
def test_values_at_the_ends_of_a_range(name):
    most = MOST[name]
    check_range(name, 0, most, -most, most - Fraction(1, 3))
    for value in (most + 1, -most - 1, most + Fraction(1, 3), inf, -inf):
        with pytest.raises(BeyondKernel):
            check_range(name, 0, value)


KERNELS = {
    "minimax": minimax,
    "alphabeta": alphabeta,
    "alphabeta_table": alphabeta_table,
    "dfpn": dfpn,
    "expectiminimax": expectiminimax,
    "maxn": maxn,
    "enhanced_alphabeta": enhanced_alphabeta,
    "principal_variation": principal_variation,
    "aspiration": aspiration,
    "mtdf": mtdf,
}


def without_fallback(name: str, machine: LoweredMachine, problem: Problem[Any]) -> Answer:
    """The result of a kernel, or :class:`BeyondLimits`."""
    solver: Any = KERNELS[name]
    return solver.on(LoweredBackend(machine), problem) if isinstance(solver, Hosted) else solver(machine, problem)


@pytest.mark.parametrize("name", KERNELS)
def test_no_earnings_leave_the_range_of_a_kernel_unnoticed(name):
    for rungs in (7, 8, 9, 12, 16, 17, 33, 65):
        solved = ladder(rungs)
        machine, problem = problem_of(solved.text)
        try:
            found = without_fallback(name, machine, problem)
        except BeyondLimits:
            assert rungs > 8
        else:
            assert found.value == solved.value


@pytest.mark.parametrize(("name", "rungs"), [("enhanced_alphabeta", 9), ("minimax", 17), ("maxn", 17)])
def test_earnings_that_leave_it(name, rungs):
    """What is earned is up to ``4 * rungs`` times 2 ** 54, and goes to 2 ** 60 in a program. The values of the window
    kernel are twice as many parts, so half as much is too much for it."""
    with pytest.raises(BeyondLimits):
        without_fallback(name, *problem_of(ladder(rungs).text))


@pytest.mark.parametrize("name", ["star1", "star2"])
def test_bounds_of_which_the_parts_are_too_many(name):
    """The payoffs are small; the bounds, with their denominators, are not."""
    text = """
game "Bounds"
players Ann, Bob
var n: 0..2 = 0
start at play(Ann)
phase play(p: Player):
    if n == 2: end payoff {Ann: if n == 1 then 1/16777213 else n, Bob: -(if n == 1 then 1/16777213 else n)}
    if n == 1 and n == 2: end payoff {Ann: 1000000000000000, Bob: -1000000000000000}
    turn p:
        move pick(k in 1..2):
            n += 1
            go play(other p)
"""
    machine, problem = problem_of(text)
    with pytest.raises(BeyondKernel):
        getattr(expectiminimax_module, name).on(LoweredBackend(machine), problem)
    assert zermelo.solve(zermelo.loads(text), name).value == (2, -2)
