"""Variables whose values are sets, where there is none, or none yet: kept, read, compared, filled and perceived."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

UNSET = """
game "Unset set"
players A, B
type Card = 1..4
var hand[p: Player]: set of Card
var n: 0..3 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move take(S in subsets(Card, 2)):
            hand[p] := S
            n += 1
            if n == 2: end payoff {q: size(hand[q]) for q in Player}
            go play(other p)
        move peek(k in 1..2) if n > 0:
            n += 1
            if size(hand[other p]) == k or 1 in hand[p]: end win p
            if n > 2: end draw
            go play(other p)
"""

OPTIONAL = """
game "Optional set"
players A, B
type Card = 1..4
var hand[p: Player]: set of Card? = none
var n: 0..3 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move take(S in subsets(Card, 2)) if hand[p] is none:
            hand[p] := S
            n += 1
            if n == 2: end draw
            go play(other p)
        move peek if hand[p] is not none:
            n += 1
            if hand[p] == hand[other p]: end win p
            hand[p] := none
            if n > 2: end draw
            go play(other p)
"""

BOTH = """
game "Sets that are absent"
players A, B
type Card = (rank: 1..3, suit: red | black)
type Square = grid(8, 8)
type Half = 0..2 by 1/2
var kept[p: Player]: set of Card?
var area: set of Square
var walls: set of Square
var best: set of Half? = none
var low[k: 1..3]: set of 1..4? = {1}
var seen[q: Player]: set of 0..3 private
var n: 0..9 = 0
var at: Square? = none
setup:
    walls := {a1, h8}
start at play(A)
phase play(p: Player):
    turn p:
        move keep(S in subsets({c in Card if c.rank < 3}, 2)) if n == 0 or kept[other p] is none or kept[other p] != S:
            kept[p] := if n > 3 then none else S
            if n == 0: kept[other p] := none
            area := walls + {a2}
            n += 1
            go more(p)
        move copy if n > 0:
            kept[p] := kept[other p]
            best := if best is none then {1/2, 1} else best + {n / 2}
            n += 1
            if best is not none and kept[p] is not none and size(best) == size(kept[p]) + 1: end win p
            go more(p)
        move fill_all(k in 1..2):
            low := if k == 1 then none else {2, n % 3 + 1}
            n += 1
            go more(p)
        move look(k in 1..3) if low[k] is none or k in low[k]:
            seen[p] := if low[k] is none then {0} else low[k] - {4}
            low[k] := {j in 1..4 if j > k}
            at := if k == 2 then none else h8
            n += 1
            go more(p)
phase more(p: Player):
    turn p:
        move stop if at is not none and at in area: end payoff {A: size(area), B: n}
        move next_one if n < 7: go play(other p)
        move check if n > 2 and (some q in Player: kept[q] is none): end win (if low[1] == low[2] then p else other p)
        move ask if size(seen[other p]) > 1: end draw
    otherwise: end draw
"""

GAMES: Final = {
    "read before there is one": UNSET,
    "none or a set": OPTIONAL,
    "none, unset, perceived, wide": BOTH,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_absent_sets_play_alike(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
