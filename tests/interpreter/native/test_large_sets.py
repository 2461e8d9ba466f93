"""Sets over more places than the words of other games have bits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import zermelo
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.program import lower

BOARD = """
game "Large board"
players A, B
type Square = grid(40, 40)
type Edge = {s in Square if s.x == 1 or s.y == 40}
var board[Square]: Player? = none
var marks: set of Square = {a1}
var at: Square? = none
var edge: Edge = a1
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n == 4: end payoff {A: size(marks), B: if at is none then 0 else at.x}
    turn p:
        move put(s in marks) if board[s] is none and (count t in neighbours(s): board[t] == p) < 2:
            board[s] := p
            at := s
            marks := marks + {t for d in directions(Square) for t in ray(s, d) until t.x > 3} - {s}
            go play(other p)
        move flood if at is not none:
            marks := reach t from {at}: {u in neighbours(t) if u.x < 4 and u.y < 4}
            if not connected({s in Square if board[s] is not none}): end win p
            go play(other p)
        move line if at is not none:
            let l = first l in rows(Square): at in l
            if l is not none: marks := l - {at}
            go play(other p)
        move border(e in Edge) if e.y == 40 and e.x < 4 or e == at:
            edge := e
            if at is not none and n > 2: edge := at
            go play(other p)
"""

PAIRS = """
game "Pairs"
players A, B
type Square = grid(5, 7)
var seen: set of (a: Square, b: Square) = {}
var at: Square = d4
var money: 0..3000 = 1500
var asked: set of 0..3000 = {}
start at play(A)
phase play(p: Player):
    if size(seen) == 3: end payoff {A: money, B: size(asked)}
    turn p:
        move go_to(s in neighbours(at)) if (at, s) not in seen:
            seen := seen + {(at, s)}
            at := s
            go play(other p)
        move ask(k in 1400..1403) if k not in asked:
            asked := asked + {k, money // 2}
            seen := seen + {(at, at), (a1, at)}
            money := k
            go play(other p)
"""

RECORDS = """
game "Records"
players A, B
type Square = grid(5, 7)
type Step = (from: Square, to: Square)
var board[Square]: Player? = none
var money: 0..3000 = 1500
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n == 3: end payoff {A: money, B: 0}
    turn p:
        move step(m in Step) if m.from.x + m.to.x < 4 and m.from.y == m.to.y and board[m.to] is none:
            board[m.to] := p
            go play(other p)
        move pay(k in 1..20) if k <= money:
            money -= k
            go play(other p)
"""

PARTS = """
game "Parts"
players A, B
type Square = grid(9, 9)
type Edge = {s in Square if s.x == 9 or s.y == 9}
var edge: Edge = i1
var at: Square = f9
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n == 8: end payoff {A: edge.x, B: 0}
    turn p:
        move go_to(s in neighbours(at)):
            at := s
            go play(other p)
        move mark:
            edge := at
            go play(other p)
"""


@pytest.mark.parametrize("text", [BOARD, PAIRS, PARTS], ids=["board", "pairs", "parts"])
def test_large_sets(plays_alike: Callable[[str], None], text: str) -> None:
    plays_alike(text)


def test_large_types_do_not_make_words_wide(plays_alike: Callable[[str], None]) -> None:
    """As long as no set of theirs is needed as a mask."""
    assert lower(zermelo.loads(RECORDS).model).layout.width == 64
    plays_alike(RECORDS)


def test_sets_that_are_too_large_are_refused() -> None:
    with pytest.raises(Unsupported, match="a set whose type has 4900 members"):
        lower(zermelo.loads(BOARD.replace("grid(40, 40)", "grid(70, 70)")).model)
