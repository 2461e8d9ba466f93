"""Random games over most of the language: the lowered text against the reference machine, errors included."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from all_machines import compiled, needs_llvm
from hypothesis import given, note, settings
from hypothesis import strategies as st
from observing import observed
from random_cases import many

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.executor import Executor, PythonExecutor
from zermelo.interpreter.reference.machine import ReferenceMachine

LENGTH: Final = 12


def agree(text: str, make: Callable[[Program], Executor], seed: int) -> None:
    """Compare the lowered text on an executor with the reference machine, if it can be lowered."""
    model, _ = check(Source("random.game", text))
    if model is None:
        return
    try:
        program = lower(model)
    except Unsupported:
        return
    found, _ = observed(machine_over(program, make(program)), Random(seed), LENGTH)
    if "goes beyond what this machine can hold" not in str(found[-1]):
        assert found == observed(ReferenceMachine(model), Random(seed), LENGTH)[0]


@settings(max_examples=many(60))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_play_alike(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    text = random_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    agree(text, PythonExecutor, seed)


@settings(max_examples=many(30))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_with_hostile_names_play_alike(
    hostile_game: Callable[[Random], str], number: int, seed: int
) -> None:
    text = hostile_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    agree(text, PythonExecutor, seed)


@needs_llvm
@settings(max_examples=many(8))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_play_alike_compiled(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    text = random_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    agree(text, compiled, seed)
