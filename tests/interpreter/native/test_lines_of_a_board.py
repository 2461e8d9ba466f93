"""Sets of lines: as arguments of moves, in loops whose body changes what they depend on, and parts of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

PLACED = """
game "Move a line"
players A, B
type Cell = grid(4, 4)
var owner[c: Cell]: Player? = none
start at play(A)
phase play(p: Player):
    turn p:
        move fill(L in lines(Cell, 2)) if all c in L: owner[c] is none:
            for c in L: owner[c] := p
            go play(other p)
    otherwise: end win other p
"""

TURNED = """
game "Move a line, hidden"
players A, B
type Cell = grid(3, 4)
var owner[c: Cell]: Player? = none
var n: 0..3 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move fill(L in lines(Cell, 3)) if (count c in L: owner[c] is none) > 1:
            for c in L: owner[c] := if owner[c] is none then p else other p
            n += 1
            if n == 3: end payoff {A: count c in Cell: owner[c] == A, B: 0}
            if owner[first c in L: owner[c] == p] == p and c1 in L: go play(p)
            go play(other p)
    otherwise: end win other p
"""

FOUND = """
game "Claimed lines"
players A, B
type Cell = grid(3, 3)
var owner[c: Cell]: Player? = none
var scored: 0..8 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move mark(c in Cell) if owner[c] is none:
            owner[c] := p
            for L in {L in lines(Cell, 3) if all d in L: owner[d] == p and c in L}:
                scored += 1
            if scored > 0: end win p
            go play(other p)
    otherwise: end draw
"""

COUNTED = """
game "Lines that count"
players A, B
type Cell = grid(3, 3)
var owner[c: Cell]: Player? = none
var scored[p: Player]: 0..20 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move mark(c in Cell) if owner[c] is none:
            owner[c] := p
            for L in lines(Cell, 3), q in Player if c in L and (some d in L: owner[d] != p) and (q != p or c.x == 2):
                scored[q] += if q == p then 2 else 1
                owner[first d in L: d != c] := q
            for L in {L in lines(Cell, 3) if some d in L: owner[d] == p and c in L}:
                scored[p] += 1
            if scored[p] > 9: end win p
            if (count L in lines(Cell, 3): all d in L: owner[d] == p) > 1: end win other p
            if any({L in lines(Cell, 3) if all d in L: owner[d] == other p}): end draw
            if size({L in diagonals(Cell) if no d in L: owner[d] is none}) == 2: end payoff {A: scored[A], B: scored[B]}
            go play(other p)
    otherwise: end draw
"""

GAMES: Final = {
    "a line is an argument": PLACED,
    "lines turned over": TURNED,
    "parts of all lines": FOUND,
    "loops over lines": COUNTED,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_lines_play_alike(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
