"""``connected`` and ``next player ... in`` on all machines, on boards of all kinds."""

from __future__ import annotations

from random import Random

import pytest

import zermelo
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.executor import PythonExecutor
from zermelo.interpreter.native.running.kernels import CompiledExecutor

BOARDS = {
    "grid": "grid(4, 3)",
    "hexagons": "hex(3, 4)",
    "ring": "ring(7)",
    "graph": "graph(a - c - e - b, d - f, b - d)",
}

GAME = """
game "Connections"
players A, B, C
type Cell = {board}
var taken[Cell]: Player? = none
var whole: Bool = true
var bridge: Bool = false
var following: Player? = none
define cells(p: Player) = {{c in Cell if taken[c] == p}}
define free = {{c in Cell if taken[c] is none}}
define still_in = {{p in Player if size(cells(p)) < 3}}
start at play(A)
phase play(p: Player):
    turn p:
        move take(c in Cell) if taken[c] is none:
            taken[c] := p
            whole := connected(cells(p))
            bridge := connected(cells(p) + free, cells(A), cells(B) + free)
            following := next p in still_in
            go play(next p)
        move is_whole if whole: end draw
        move has_bridge if bridge: end draw
        move is_followed_by(q in Player) if q == following: end draw
    otherwise: end draw
"""


@pytest.mark.parametrize("board", BOARDS)
def test_cells_hang_together_as_on_the_reference_machine(board):
    game = zermelo.loads(GAME.format(board=BOARDS[board]))
    reference = game.reference
    program = lower(game.model)
    for executor in (PythonExecutor(program), CompiledExecutor(program)):
        machine = machine_over(program, executor)
        for seed in range(5):
            random = Random(seed)
            one, two = reference.initial(), machine.initial()
            while reference.actor(one) >= 0:
                moves = reference.moves(one)
                assert machine.moves(two) == moves
                taking = [move for move in moves if move.name == "take"]
                if not taking:
                    break
                move = random.choice(taking)
                one, two = reference.after(one, move), machine.after(two, move)
