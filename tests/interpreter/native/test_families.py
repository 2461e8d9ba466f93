"""Questions about constant sets of sets, asked of all of them at once, against the reference machine: on boards of all
kinds, in positions that no rule of a game leads to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from all_machines import compiled_machine, needs_llvm, python_machine
from played_alike import play_alike

import zermelo
from zermelo.interpreter.native.sets import families

BOARDS = {
    "squares": ("grid(3, 3)", "lines(Cell, 3)"),
    "a row": ("grid(7, 1)", "lines(Cell, 3)"),
    "an oblong": ("grid(4, 3)", "rows(Cell) + columns(Cell) + diagonals(Cell)"),
    "no line": ("grid(2, 1)", "lines(Cell, 3)"),
    "single cells": ("grid(3, 2)", "lines(Cell, 1)"),
    "more than a word": ("grid(9, 8)", "lines(Cell, 5)"),
    "hexagons": ("hex(4, 4)", "lines(Cell, 3)"),
    "a ring": ("ring(8)", "lines(Cell, 3)"),
    "a graph": ("graph(a - b - c - d - e - f - g - a, b - e)", "lines(Cell, 3)"),
    "crosses": ("grid(4, 4)", "{neighbours(c) + {c} for c in Cell}"),
    "empty sets": ("grid(4, 3)", "{{d in Cell if d.x == c.x + 1 and d.y >= c.y} for c in Cell}"),
    "knights": ("grid(5, 3)", "{{d in Cell if distance(c, d) == 3 and d.x > c.x} + {c} for c in Cell}"),
}

GAME = """
game "Questions about sets"
players A, B
type Cell = {board}
var board[Cell]: Player? = {begins}
var level[Cell]: 0..4 = 2
define family = {family}
define own(p: Player) = count l in family: all c in l: board[c] == p
define is_open(l: set of Cell, p: Player) = no c in l: board[c] == other p
start at edit(A)
phase edit(p: Player):
    if (count c in Cell: board[c] is none) == 1 and (some l in family: all c in l: board[c] == p): end win p
    let owned = own(p)
    let empty = count l in family: no c in l: board[c] is not none
    let held = count l in family: some c in l: board[c] == other p
    let open = count l in family: is_open(l, p) and some c in l: board[c] == p
    let only = size({{l in family if is_open(l, p) and not is_open(l, B)}})
    let either = count l in family: (all c in l: board[c] == A) or all c in l: level[c] < 2
    let low = count l in family: no c in l: level[c] > 1 and board[c] != p
    turn p:
        move put(c in Cell, q in Player):
            board[c] := q
            level[c] := if q == A then 4 else 1
            go edit(p)
        move take(c in Cell, s in 0..1):
            for d in {{c}} + neighbours(c):
                board[d] := if s == 1 and board[d] is not none then other board[d] else none
                level[d] := s
            go edit(other p)
        move owned(n in owned..owned): end draw
        move empty(n in empty..empty): end draw
        move held(n in held..held): end draw
        move open(n in open..open): end draw
        move only(n in only..only): end draw
        move either(n in either..either): end draw
        move low(n in low..low): end draw
        move last(q in Player) if some l in family: all c in l: board[c] == q: end draw
        move blocked if all l in family: some c in l: board[c] == p: end draw
        move clean if no l in family: (some c in l: board[c] == p) and some c in l: board[c] == other p: end draw
        move whole if all l in family: all c in l: board[c] == p: end draw
        move listed if any({{l in family if all c in l: board[c] is none}}): end draw
"""


@pytest.mark.parametrize("few", [0, 12], ids=["operations", "tables"])
@pytest.mark.parametrize("begins", ["none", "A"])
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("make", [python_machine, pytest.param(compiled_machine, marks=needs_llvm)])
def test_sets_are_asked_about_as_on_the_reference_machine(
    make: Callable[..., Any], board: str, begins: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(families, "_OF_A_ROW", 100)  # though a loop may cost less
    monkeypatch.setattr(families, "_FEW", few)
    cells, family = BOARDS[board]
    game = zermelo.loads(GAME.format(board=cells, family=family, begins=begins))
    reference, machine = game.reference, make(game.model)
    assert ("line__" in machine.program.text) == (board == "empty sets"), "a loop over lines"
    for seed in range(2):
        random = Random(seed)
        one, two = reference.initial(), machine.initial()
        for _ in range(25):
            moves = reference.moves(one)
            assert machine.moves(two) == moves
            move = random.choice([move for move in moves if move.name in ("put", "take")])
            one, two = reference.after(one, move), machine.after(two, move)
            if reference.actor(one) < 0:
                break


def test_a_condition_about_the_set_itself_takes_a_loop() -> None:
    game = zermelo.loads("""
game "Lines of their own"
players A, B
type Cell = grid(3, 2)
var board[Cell]: Player? = none
start at play(A)
phase play(p: Player):
    if some l in lines(Cell, 2): all c in l: board[c] == other p and c in l:
        end win other p
    turn p:
        move mark(c in Cell) if board[c] is none:
            board[c] := p
            go play(other p)
    otherwise: end draw
""")
    machine = python_machine(game.model)
    for seed in range(10):
        play_alike(game.reference, machine, game.reference.initial(), machine.initial(), Random(seed))
