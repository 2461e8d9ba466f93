"""Constructs of the language, each in a small game that is lowered and plays like on the reference machine: move for
move, payoff for payoff, error for error."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from grammar.diagnostics import ZermeloError
from grammar.source import Source
from interpreter.check import check
from interpreter.machine import CHANCE, END, Machine
from interpreter.model import Model
from interpreter.native.executor import Executor, PythonExecutor
from interpreter.native.llvm.engine import is_available
from interpreter.native.llvm.executor import CompiledExecutor
from interpreter.native.lowered import Program
from interpreter.native.machine import LoweredMachine
from interpreter.native.program import lower
from interpreter.reference.machine import ReferenceMachine

PLAYS: Final = 40

BIDS_THAT_MAY_BE_NONE = """
game "Bids"
players A, B
type Bid = -2..9
var total: 0..30 = 0
var card: 0..2 = 0 hidden
start at bid(A, none, none)
phase bid(p: Player, top: Bid?, by: Player?):
    let was = top
    if top is none and total > 20: end draw
    turn p:
        move raise(b in Bid) if top is none or b > top:
            total += if was is none then 1 else 2
            go bid(other p, b, p)
        move pass if top is not none:
            total += 3
            if total > 25: end payoff {A: top, B: -top}
            go bid(other p, none, none)
        move over(k in top..9) if top is not none ensuring top == was or by is not none:
            go bid(other p, (first x in Bid: x > k), by)
    otherwise:
        end win (if by is none then p else by)
"""

GAMES: Final = {
    "a number that may be none as an argument of a phase": BIDS_THAT_MAY_BE_NONE,
}


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
        for _ in range(40):
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


MAKERS: Final = [
    PythonExecutor,
    pytest.param(compiled, marks=pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_constructs_play_alike(
    text: str, make: Callable[[Program], Executor], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    model = model_of(text)
    program = lower(model)
    machine, reference = LoweredMachine(program, make(program)), ReferenceMachine(model)
    there: dict[Hashable, Hashable] = {}
    back: dict[Hashable, Hashable] = {}
    for seed in range(PLAYS):
        here: list[Hashable] = []
        also: list[Hashable] = []
        assert observed(machine, seed, also) == observed(reference, seed, here)
        for one, two in zip(here, also, strict=True):
            assert there.setdefault(one, two) == two
            assert back.setdefault(two, one) == one
