"""What tests of the lowered machines share: games that nobody wrote, and plays that must be alike on both."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from random_games.writer import write_game, write_hostile_game

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.lowered import Program
from zermelo.interpreter.native.program import lower
from zermelo.interpreter.native.running.compiled_executor import CompiledExecutor
from zermelo.interpreter.native.running.executor import Executor, PythonExecutor
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

PLAYS: Final = 40


@pytest.fixture(scope="session")
def random_game() -> Callable[[Random], str]:
    """Writes a random game; the same for the same numbers."""
    return write_game


@pytest.fixture(scope="session")
def hostile_game() -> Callable[[Random], str]:
    """Writes a random game with names that a lowering might take for its own."""
    return write_hostile_game


def model_of(text: str) -> Model:
    model, findings = check(Source("construct.game", text))
    assert model is not None, findings
    return model


def observed(machine: Machine[Any], seed: int, places: list[Hashable]) -> list[Any]:
    """What a random play shows, with the error that ends it, if one does; ``places`` takes up the positions."""
    choices = Random(seed)
    seen: list[Any] = []
    try:
        state = machine.initial()
        for _ in range(70):
            seen.append((machine.actor(state), machine.earned(state)))
            players = range(len(machine.player_names))
            seen.append([tuple(map(str, machine.information_state(state, player))) for player in players])
            places.append(machine.position(state))
            if machine.actor(state) == END:
                seen.append(machine.payoff(state))
                break
            if machine.actor(state) == CHANCE:
                seen.append(machine.outcomes(state))
                moves = [move for move, _ in seen[-1]]
            else:
                moves = list(machine.moves(state))
                seen.append(moves)
            state = machine.after(state, choices.choice(moves))
    except ZermeloError as error:
        seen.append(str(error))
    return seen


def compiled(program: Program) -> Executor:
    return CompiledExecutor(program)


@pytest.fixture(
    params=[
        pytest.param(PythonExecutor, id="PythonExecutor"),
        pytest.param(
            compiled,
            id="compiled",
            marks=pytest.mark.skipif(not is_available(), reason="llvmlite is not installed"),
        ),
    ]
)
def plays_alike(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[[str], None]:
    """Asserts that a game plays on the lowered machine as on the reference machine: moves, outcomes, positions,
    information states, payoffs and errors. Every test that takes it runs for both executors."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    def assert_alike(text: str) -> None:
        model = model_of(text)
        program = lower(model)
        machine, reference = LoweredMachine(program, request.param(program)), ReferenceMachine(model)
        there: dict[Hashable, Hashable] = {}
        back: dict[Hashable, Hashable] = {}
        for seed in range(PLAYS):
            here: list[Hashable] = []
            also: list[Hashable] = []
            assert observed(machine, seed, also) == observed(reference, seed, here)
            for one, two in zip(here, also, strict=True):
                assert there.setdefault(one, two) == two
                assert back.setdefault(two, one) == one

    return assert_alike
