"""Random games over most of the language: the lowered text against the reference machine, errors included.

``ZERMELO_TEST_LONGER=50`` in the environment plays fifty times as many.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.lowered import Program
from zermelo.interpreter.native.program import lower
from zermelo.interpreter.native.running.executor import Executor, PythonExecutor
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

LONGER: Final = int(os.environ.get("ZERMELO_TEST_LONGER", "1"))


def observed(machine: Any, choices: Random) -> list[Any]:
    """One random play: what a solver sees of it, and the error that ends it, if one does."""
    seen: list[Any] = []
    try:
        state = machine.initial()
        for _ in range(12):
            actor = machine.actor(state)
            seen.append(actor)
            players = range(len(machine.player_names))
            seen.append([tuple(map(str, machine.information_state(state, player))) for player in players])
            if actor == END:
                seen.append(machine.payoff(state))
                break
            if actor == CHANCE:
                seen.append(machine.outcomes(state))
                moves = [move for move, _ in seen[-1]]
            else:
                moves = list(machine.moves(state))
                seen.append(moves)
            state = machine.after(state, choices.choice(moves))
    except ZermeloError as error:
        seen.append(str(error))
    return seen


def agree(text: str, make: Callable[[Program], Executor], seed: int) -> None:
    """Hold the lowered text on an executor against the reference machine, where it can be lowered at all."""
    model, _ = check(Source("random.game", text))
    if model is None:
        return
    try:
        program = lower(model)
    except Unsupported:
        return
    found = observed(LoweredMachine(program, make(program)), Random(seed))
    if "goes beyond what this machine can hold" not in str(found[-1]):
        assert found == observed(ReferenceMachine(model), Random(seed))


def compiled(program: Program) -> Executor:
    from zermelo.interpreter.native.running.compiled_executor import CompiledExecutor

    return CompiledExecutor(program)


@settings(max_examples=60 * LONGER)
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_play_alike(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    text = random_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    agree(text, PythonExecutor, seed)


@settings(max_examples=30 * LONGER)
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_with_hostile_names_play_alike(
    hostile_game: Callable[[Random], str], number: int, seed: int
) -> None:
    text = hostile_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    agree(text, PythonExecutor, seed)


@pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")
def test_random_games_play_alike_compiled(
    random_game: Callable[[Random], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    @settings(max_examples=8 * LONGER)
    @given(st.integers(0, 100_000), st.integers(0, 5))
    def play(number: int, seed: int) -> None:
        text = random_game(Random(number))
        note(f"game {number}, play {seed}:\n{text}")
        agree(text, compiled, seed)

    play()
