"""Games that once crashed compiled code, or made it disagree with the reference machine."""

from __future__ import annotations

from random import Random
from threading import Thread

import pytest
from all_machines import LOWERED_AT_ONCE, needs_llvm
from written_games import model_of

from zermelo.interpreter.machine import CHANCE, END, Machine
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.reference.machine import ReferenceMachine

MASKS_WIDER_THAN_VARIABLES = """\
game "Far"

players A, B
type Cell = grid(12, 12)

var pos: Cell = a1
var n: 0..5 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move step(c in Cell) if c in {d in Cell if d.x * 2 > pos.y + n} and size({e in Cell if e.y > n + 9}) > 11:
            pos := c
            n += 1
            if n == 5: end payoff (size({d in Cell if d.x + d.y > n}), -n)
            go play(other p)
        move stop:
            end win p
"""

ODD_WORDS = """\
game "Wide"

players A, B
type Cell = grid(WIDTH, 12)

var taken: set of Cell = {}
var n: 0..5 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move step(c in Cell) if c not in taken and (c.x + c.y) % 7 == n:
            taken += neighbours(c)
            n += 1
            if n == 5: end payoff (size(taken), 0)
            go play(other p)
        move stop:
            end win p
"""

TURN_OF_MANY_POSITIONS = """\
game "Long turn"

players A, B
type Cell = grid(12, 12)

var board[Cell]: set of Cell = {}
var n: 0..3 = 0

start at play(A)

phase play(p: Player):
    turn p preferring n:
        move step(c in Cell) if c not in board[c]:
            board[c] += {c}
            n += 1
            if n == 3: end draw
            go play(p)
        move stop:
            end win p
"""

HUGE_STATE = """\
game "Huge state"

players A
type Cell = grid(30, 30)

var board[Cell]: set of Cell = {}

start at play

phase play:
    turn A:
        move a(c in Cell):
            board[c] += {c}
            end payoff (1)
"""


machines = pytest.mark.parametrize("make", LOWERED_AT_ONCE)


def played(machine: Machine, seed: int) -> list[object]:
    """All that a random play shows."""
    random, seen = Random(seed), []
    state = machine.initial()
    while machine.actor(state) != END:
        assert machine.actor(state) != CHANCE
        moves = machine.moves(state)
        seen.append(moves)
        state = machine.after(state, random.choice(moves))
    return [*seen, machine.payoff(state)]


@machines
@pytest.mark.parametrize(
    "text",
    [MASKS_WIDER_THAN_VARIABLES, *(ODD_WORDS.replace("WIDTH", str(width)) for width in (6, 11, 16, 26))],
    ids=["masks wider than variables", "128 bits", "192 bits", "192 bits in full", "320 bits"],
)
def test_wide_sets_mean_the_same(make, text):
    model = model_of(text)
    machine, reference = make(model), ReferenceMachine(model)
    for seed in range(4):
        assert played(machine, seed) == played(reference, seed)


@needs_llvm
def test_a_turn_of_many_positions_does_not_fill_the_stack():
    from zermelo.interpreter.native.running.kernels import CompiledExecutor

    program = lower(model_of(TURN_OF_MANY_POSITIONS))
    executor = CompiledExecutor(program)
    state = executor.begin()
    met = []

    def ask() -> None:
        try:
            executor.moves(state)
        except RuleError as error:
            met.append(program.sites[error.site - 1][0])

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert met == ["overflow"]


def test_a_state_that_would_fill_the_stack_is_refused():
    with pytest.raises(Unsupported, match="bytes"):
        lower(model_of(HUGE_STATE))
