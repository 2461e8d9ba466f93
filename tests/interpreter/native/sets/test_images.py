"""Images and closures on whole masks, on boards of all kinds, against the reference machine."""

from __future__ import annotations

from random import Random

import pytest
from all_machines import LOWERED_AT_ONCE, needs_llvm

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.machine import END
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine

CAPTURE = """\
game "Sets that spread"
players A, B
type Cell = {board}
var board[Cell]: Player? = none
var left: 0..12 = 12
define near(c: Cell) = {{n in {near} if n != c}}
define group(c: Cell) = reach x from {{c}}: {{n in {step} if board[n] == board[c]}}
define everything(c: Cell) = reach x from {{c}}: {step}
define liberties(c: Cell) = {{n for x in group(c) for n in {step} if board[n] is none}}
define far(p: Player) = {{n for x in {{y in Cell if board[y] == p}} for n in {step}}}
define borders(c: Cell) = {{board[n] for x in group(c) for n in {step}}}
define mine(p: Player) = count c in Cell: board[c] == p or (board[c] is none and borders(c) == {{p}})
start at play(A)
phase play(p: Player):
    turn p:
        move place(c in Cell) if board[c] is none and left > 0:
            board[c] := p
            left -= 1
            for n in near(c):
                if board[n] == other p and liberties(n) == {{}}:
                    for x in group(n): board[x] := none
            go play(other p)
        move free(c in Cell, n in liberties(c)) if board[c] is not none: end draw
        move touched(c in Cell, q in borders(c)): end draw
        move beside(q in Player, n in far(q)) if board[n] is none: end draw
        move joined(c in Cell) if size(everything(c)) > 5: end draw
        move alive(c in Cell) if liberties(c) != {{}}: end draw
        move area(q in Player, k in 0..100) if k == mine(q): end draw
"""

TWISTED = "graph(a - k - c - j - e - g - f - h - d - i - b - a, c - d - e - a, f - k - b - h, j - i)"

BOARDS = {
    "square": ("grid(4, 4)", "neighbours({}, orthogonal)", True),
    "rectangle": ("grid(5, 3)", "neighbours({})", True),
    "column": ("grid(1, 6)", "neighbours({})", True),
    "large": ("grid(9, 9)", "neighbours({}, diagonal)", True),
    "one way": ("grid(4, 4)", "neighbours({}, {{north, east}})", True),
    "leaps": ("grid(5, 4)", "leaps({}, 1, 2)", True),
    "hexagons": ("hex(4, 3)", "neighbours({})", True),
    "ring": ("ring(7)", "neighbours({})", True),
    "graph": (TWISTED, "neighbours({})", False),
}


def compiled_machine(model):
    from zermelo.interpreter.native.running.kernels import CompiledExecutor

    program = lower(model)
    return machine_over(program, CompiledExecutor(program))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
def test_sets_spread_as_on_the_reference_machine(make, name):
    board, step, is_regular = BOARDS[name]
    text = CAPTURE.format(board=board, step=step.format("x"), near=step.format("c"))
    model, findings = check(Source("sets.game", text))
    assert model is not None, findings
    reference, machine = ReferenceMachine(model), make(model)
    assert ("image" in machine.program.text) == is_regular
    random = Random(name)
    for _ in range(1 if name == "large" else 2):
        one, two = reference.initial(), machine.initial()
        while reference.actor(one) != END:
            moves = reference.moves(one)
            assert machine.moves(two) == moves
            places = [move for move in moves if move.name == "place"]
            if not places:
                break
            move = random.choice(places)
            one, two = reference.after(one, move), machine.after(two, move)
            assert machine.actor(two) == reference.actor(one)


WIDE = """\
game "A set wider than all variables"
players A, B
type Cell = grid(9, 9)
var at: Cell = a1
start at begun
phase begun:
    turn A:
        move go(c in Cell) if c not in neighbours(at)
                and size(reach x from {c}: {n in neighbours(x, orthogonal) if n != at}) > 70: end draw
        move count(k in 0..200) if k * k > 300 and k not in {17, 190}
                and (some n in 0..4000: n == 20 * k): end draw
"""


@needs_llvm
def test_words_are_as_wide_as_the_widest_set():
    model, findings = check(Source("wide.game", WIDE))
    assert model is not None, findings
    reference, machine = ReferenceMachine(model), compiled_machine(model)
    assert machine.program.layout.width >= 81
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())
