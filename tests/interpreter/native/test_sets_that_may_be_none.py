"""Sets that may be none, where the state keeps them: arguments of phases, and names that a decision uses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ARGUMENTS = """
game "Arguments"
players A, B
type Card = J < Q < K < X
type Square = grid(8, 8)
var deck: set of Card = {J, K, Q, X}
var n: 0..9 = 0
start at play(A, none, none)
phase play(p: Player, open: set of Card?, secret area: set of Square?):
    n += 1
    if n > 4: end win (if open is none then A else B)
    if open == {J}: go play(other p, none, area)
    turn p:
        move take(c in deck) if open is none or c in open:
            deck := deck - {c}
            go play(other p, if deck == {} then none else deck, area)
        move give(s in subsets(deck, 2)) if open != s:
            go play(other p, s, {a1, h8})
        move close if open is not none ensuring size(open) > 1:
            go play(p, none, area)
        move mark(s in Square) if s.x == 1 and (area is none or s not in area):
            go play(other p, open, if area is none then {s} else area + {s})
        move fill if area is not none and open != none and size(area) > 1:
            go play(other p, open, Square)
        move narrow(secret c in Card) if open is not none and size(open) + n > 4:
            go play(other p, open - {c}, none)
    otherwise: end draw
"""

NAMES = """
game "Names"
players A, B
type Card = J < Q < K < X
type Square = grid(8, 8)
var deck: set of Card = {J, K, Q, X}
var marks: set of Square = {}
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n > 4: end draw
    let pair = first s in subsets(deck, 2): Q not in s
    var area: set of Square? = none
    if n > 1: area := marks
    turn p preferring (if pair is none then 0 else size(pair)):
        move take(c in deck) if pair is none or c in pair:
            deck := deck - {c}
            marks := if area is none then {a1} else area + {h8}
            if pair is none: end win p
            go play(other p)
        move mark(s in Square) if s.y == 1 and (area is none or s not in area) ensuring area != marks:
            marks := marks + {s}
            go play(other p)
        move fill if area is not none and n == 3:
            marks := Square
            go play(other p)
    otherwise: end win (if area is none then A else B)
"""

TELLINGS = """
game "Tellings"
players A, B
type Card = J < Q < K < X
var deck: set of Card = {J, K, Q, X} hidden
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n > 4: end draw
    let pair = first s in subsets(deck, 2): Q not in s
    tell A that pair(pair, deck)
    if n == 2: tell B that pair(none, deck)
    turn p:
        move take(secret c in Card):
            deck := deck - {c}
            tell p that left(if deck == {K} then none else deck)
            tell Player that left(first s in {deck, {c}}: size(s) == 2)
            go play(other p)
"""


@pytest.mark.parametrize("text", [ARGUMENTS, NAMES, TELLINGS], ids=["arguments", "names", "tellings"])
def test_sets_that_may_be_none_are_kept(plays_alike: Callable[[str], None], text: str) -> None:
    plays_alike(text)
