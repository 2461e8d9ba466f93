"""Moves that are tried one by one, against the list of all moves: a mask may take the place of the list only where it
gives the same moves in the same order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from all_machines import needs_llvm
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_cases import many
from trying_kernel import Trial, try_all
from written_games import bundled_model

import zermelo
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.kernels import CompiledKernels, Kernels, PythonKernels
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.native.running.views import BeyondLimits, RuleError

Make = Callable[..., Kernels]

MAKERS = [
    pytest.param(PythonKernels, id="python"),
    pytest.param(CompiledKernels, id="compiled", marks=needs_llvm),
]


def is_masked(program: Program) -> bool:
    """Whether no list of moves is made."""
    return program.constants["LISTED"] == 0


def compare(program: Program, make: Make, seed: int, length: int = 40) -> int:
    """Play at random; at how many decisions all moves were tried, and were those that are legal."""
    machine, random, decisions = machine_over(program), Random(seed), 0
    kernels = make(program, kernel(try_all))
    trial: Any = kernels.new(Trial)
    state = machine.initial()
    for _ in range(length):
        actor = machine.actor(state)
        if actor == END:
            break
        if actor == CHANCE:
            state = machine.after(state, random.choice(machine.outcomes(state))[0])
            continue
        moves = machine.moves(state)
        assert state.packed is not None
        kernels.put(trial.state, state.packed)
        count = kernels.call(try_all, trial)
        assert [program.moves.decode(number) for number in trial.tried[:count]] == list(moves)
        decisions += 1
        state = machine.after(state, random.choice(moves))
    return decisions


GAMES = {
    "cells": (True, "move mark(c in Cell) if level[c] == 0:"),
    "cells of a part": (True, "move mark(c in {d in Cell if d.x > 1}) if level[c] == 0:"),
    "a condition on the whole rule": (True, "move mark(c in Cell) if turns < 5 and level[c] < 2:"),
    "constant cells": (True, "move mark(c in {Cell(1, 1), Cell(2, 1)}) if level[c] < 2:"),
    "cells in an order of their own": (False, "move mark(c in {Cell(3 - x, 1) for x in 1..2}) if level[c] < 2:"),
    "a condition that takes a loop": (False, "move mark(c in Cell) if (count d in Cell: level[d] > level[c]) < 4:"),
    "a condition on what follows": (False, "move mark(c in Cell) ensuring level[Cell(1, 1)] < 2:"),
    "a condition that may fail": (False, "move mark(c in Cell) if 6 / (turns - 3) + level[c] < 7:"),
    "two parameters": (False, "move mark(c in Cell, d in {Cell(1, 1), Cell(2, 2)}) if level[c] + level[d] < 4:"),
    "two rules": (False, "move rest: go play(other p)\n        move mark(c in Cell) if level[c] < 2:"),
    "a set": (False, "move mark(s in subsets({d in Cell if d.x == 1}, 1)):\n            let c = Cell(1, 1)"),
}

GAME = """
game "Moves one by one"
players A, B
type Cell = grid({columns}, 2)
var level[Cell]: 0..3 = 0
var turns: 0..40 = 0
start at play(A)
phase play(p: Player):
    turn p:
        {rule}
            level[c] := min(3, level[c] + 1)
            turns := turns + 1
            go count(p)
    otherwise: end draw
phase count(p: Player):
    if turns > 30: end draw
    turn p:
        move name(n in 3..7) if n != 5:
            go play(other p)
"""


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("columns", [3, 40])
@pytest.mark.parametrize("kind", GAMES)
def test_moves_one_by_one_are_those_of_the_list(kind: str, columns: int, make: Make) -> None:
    has_mask, rule = GAMES[kind]
    program = lower(zermelo.loads(GAME.format(columns=columns, rule=rule)).model)
    assert is_masked(program) == has_mask
    try:
        assert compare(program, make, seed=1) > 3
    except ZermeloError:
        assert kind == "a condition that may fail"


BUNDLED = ("tic_tac_toe", "hex", "connect_four", "nim", "pig", "othello", "breakthrough", "kuhn_poker", "dobutsu_shogi")
MASKED = {"tic_tac_toe", "hex"}


@pytest.mark.parametrize("name", BUNDLED)
def test_moves_one_by_one_of_bundled_games(name: str) -> None:
    program = lower(bundled_model(name))
    assert is_masked(program) == (name in MASKED)
    assert sum(compare(program, PythonKernels, seed) for seed in range(2)) > 1


@settings(max_examples=many(40))
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_moves_one_by_one_of_random_games(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    text = random_game(Random(number))
    note(f"game {number}, play {seed}:\n{text}")
    model: Model | None = check(Source("random.game", text))[0]
    if model is None:
        return
    try:
        compare(lower(model), PythonKernels, seed, length=12)
    except (Unsupported, BeyondLimits, RuleError, ZermeloError):  # and other tests compare what goes wrong
        return
