"""Facts for machines that have no rules, and the running of algorithms on them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from interpreter.checks.fact import Fact, Facts
from interpreter.machine import Machine
from solvers.solution import Answer, Problem


@pytest.fixture(scope="session")
def known() -> Callable[..., Facts]:
    """Makes facts that suit every solver, but for those given."""

    def make(**changes: Any) -> Facts:
        suits = {
            "players": ("A", "B"),
            "constant_sum": Fact(True, "the payoffs sum to 0"),
            "sum": Fraction(0),
            "common_payoff": Fact(False, "one play pays (1, -1)"),
            "chance": Fact(False, "chance never draws"),
            "simultaneous": Fact(False, "no two players choose at once"),
            "perfect_information": Fact(True, "everybody sees everything"),
            "terminates": Fact(True, "no decision can come again"),
        }
        return Facts(**{**suits, **changes})

    return make


@pytest.fixture(scope="session")
def answer(known: Callable[..., Facts]) -> Callable[..., Answer]:
    """Runs an algorithm on a machine, without looking at its needs."""

    def run(algorithm: Callable[[Problem[Any]], Answer], machine: Machine[Any], **changes: Any) -> Answer:
        return algorithm(Problem(machine, known(**changes), machine.initial()))

    return run
