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

QUOTIENTS = """
game "Quotients"
players A, B, C
var pot: -20..90 = 7
var heads: 0..6 = 3
var debt: -4..4 = -3
var left: 0..7 = 7
var last_share: 0..30?
start at play(A)
phase play(p: Player):
    let share = pot / (heads + 1)
    let owed = share / debt
    turn p:
        move split(by in 1..6) if pot / by >= share:
            earn p: pot / by - share
            pot := pot % (heads + by) - 3
            heads := by
            left -= 1
            if left == 0: end payoff {A: owed, B: -owed, C: share / heads}
            go play(next p)
        move owe(d in -4..4) if (d != 0 or pot == 11) and (pot // d) * d != pot:
            debt := d
            pot := 12 + pot % d
            left -= 1
            if left == 0: end payoff {A: max(owed, share, 1/3), B: abs(owed), C: sum k in 1..heads: k / debt}
            go play(next p)
        move whole if share <= 12 and (max k in 1..heads: share / k) is not none:
            pot := share * heads / 2
            go luck
    otherwise:
        end payoff {q: pot / number(q) for q in Player}
phase luck:
    chance:
        outcome good(k in 1..heads) prob 1 / (heads + 1):
            pot := 30 + k
            go play(A)
        outcome bad prob 1 / (heads + 1):
            go play(B)
"""

LARGE_QUOTIENTS = """
game "Large quotients"
players A, B
var pot: 0..5000 = 720
var by: 1..5000 = 1
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move halve(k in 1..60):
            by := by % 97 + (if k > 50 then 60 * k else k)
            pot := (pot * 31 + k) % 4001
            left -= 1
            if left == 0: end payoff {A: pot / by, B: -pot / by}
            if left == 2: go play(p)
            go play(other p)
        move exact(k in {1, 2, 3, 4}) if pot / by > k:
            earn p: pot / by
            by := k
            left -= 1
            if left == 0: end win p
            go play(other p)
"""

GAMES: Final = {
    "a number that may be none as an argument of a phase": BIDS_THAT_MAY_BE_NONE,
    "division by what is not constant": QUOTIENTS,
    "division by what can be large": LARGE_QUOTIENTS,
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
