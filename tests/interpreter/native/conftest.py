"""Fixtures of the tests of lowered machines: random games, and comparison of plays."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Final

import pytest
from all_machines import compiled, needs_llvm
from observing import observed
from random_games.writer import write_game, write_hostile_game
from written_games import model_of

from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.kernels import Executor
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.reference.machine import ReferenceMachine

PLAYS: Final = 40
LENGTH: Final = 70
"""The number of plays compared, and of moves of each."""


@pytest.fixture(scope="session")
def random_game() -> Callable[[Random], str]:
    """Writes a random game, determined by its random numbers."""
    return write_game


@pytest.fixture(scope="session")
def hostile_game() -> Callable[[Random], str]:
    """Writes a random game with names that might collide with those of the lowering."""
    return write_hostile_game


@pytest.fixture(
    params=[
        pytest.param(Executor, id="python"),
        pytest.param(compiled, id="compiled", marks=needs_llvm),
    ]
)
def plays_alike(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Asserts that a game plays on the lowered machine as on the reference machine: moves, outcomes, positions,
    information states, payoffs and errors. Every test that takes it runs for both executors."""

    def assert_alike(text: str) -> None:
        model = model_of(text)
        program = lower(model)
        machine, reference = machine_over(program, request.param(program)), ReferenceMachine(model)
        there: dict[Hashable, Hashable] = {}
        back: dict[Hashable, Hashable] = {}
        for seed in range(PLAYS):
            expected, here = observed(reference, Random(seed), LENGTH)
            found, also = observed(machine, Random(seed), LENGTH)
            assert found == expected
            for one, two in zip(here, also, strict=True):
                assert there.setdefault(one, two) == two
                assert back.setdefault(two, one) == one

    return assert_alike
