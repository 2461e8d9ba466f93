"""Tables in braces, looked up by what changes: numbers, members, cells, sets, and what a table does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

MEMBERS = """
game "Map literals"
players A, B
type Card = J < Q < K
type Colour = red | blue
var x: Card = J
var n: 0..3 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move show(c in Card):
            x := c
            n += number({J: blue, Q: red, K: red}[x]) - 1
            if n > 1: end payoff {A: n, B: number({J: B, Q: A, K: A}[c])}
            if other({J: B, Q: A, K: A}[x]) == p: go play(other p)
            if next({J: B, Q: A, K: A}[x]) == p: go play(p)
            if {J: blue, Q: red}[x] is none: end draw
            go play(p)
"""

SETS = """
game "Map literals of sets"
players A, B
type Card = J < Q < K
type Colour = red | blue | green
type Light = green | amber
type Cell = grid(3, 3)
var x: Card = J
var at: Cell = a1
var l: Light = amber
var n: 0..3 = 0
define light(c: Card) = number({J: Colour.green, Q: blue, K: red}[c])
start at play(A)
phase play(p: Player):
    turn p:
        move show(c in Card):
            x := c
            n += 1
            at := {J: a1, Q: b2, K: c3}[x]
            l := {J: green, Q: amber, K: green}[x]
            if distance(a1, {J: a1, Q: b2, K: c3}[x]) > n: end win p
            if size({J: {red}, Q: {red, blue}, K: {}}[x]) == n: end draw
            if n == 2: end payoff {A: size({J: {red}, Q: {red, blue}, K: {}}[x]), B: {J: a1, Q: b2, K: c3}[x].x}
            if some d in {J: {a1, b2}, Q: {c3}, K: {a2}}[x]: d == at: go play(p)
            go play({J: B, Q: A, K: B}[x])
        move step(d in neighbours({J: a1, Q: b2, K: c3}[x])) if light(x) == 1 or abs({J: -1, Q: 2, K: 1/2}[x]) > 1:
            at := d
            n += 1
            if at + {J: north, Q: south, K: east}[x] is none: end win p
            if n > 1: end payoff {A: max({J: 1, Q: 2, K: 1/2}[x], 1), B: size(Card)}
            go play(other p)
"""

PARTIAL = """
game "Map literals partial"
players A, B, C
type Card = J < Q < K
type Colour = red | blue | green
var x: Card = J
var c: Colour = red
var n: 0..3 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move show(k in Card):
            x := k
            n += 1
            if number({J: blue}[x]) == 2: end win p
            if number({J: blue, Q: green}[x]) is none: end win next p
            if n > 2: end payoff {A: if {J: C}[x] is none then 7 else 8, B: 0, C: 2}
            go play(next {J: C, Q: A, K: B}[x])
"""

HIDDEN = """
game "Map literals hidden"
players A, B
type Card = J < Q < K
type Colour = red | blue
param first_card: Card = Q
var x[p: Player]: Card private
var n: 0..3 = 0
define strength(c: Card) = number({J: blue, Q: red, K: blue}[c])
define bare(c: Card) = number({J: blue}[c])
start at deal
phase deal:
    chance:
        outcome cards(a in Card, b in Card - {a}) weight number({J: blue, Q: red, K: red}[a]):
            x[A] := a
            x[B] := b
            go play(A)
phase play(p: Player):
    let s = number({J: K, Q: J, K: Q}[x[p]])
    turn p:
        move bet(k in 1..s) if number({J: blue}[first_card]) is none and strength(x[p]) < s:
            n += 1
            if n == 2: end payoff {q: number({A: red, B: blue}[q]) * s for q in Player}
            go play(other p)
        move fold if bare(x[p]) is none or bare(x[p]) == 2:
            end win (if number({J: K, Q: J}[x[p]]) is none then p else other p)
    otherwise: end draw
"""

CALLS = """
game "Map literals partial calls"
players A, B
type Card = J < Q < K
type Cell = grid(3, 3)
var x: Card = J
var y: 0..3 = 0
var at: Cell = a1
var n: 0..7 = 0
var seen: set of Cell = {}
start at play(A)
phase play(p: Player):
    turn p:
        move show(k in Card):
            x := k
            n += 1
            if other({J: A}[x]) == p: end win p
            if next {J: B}[x] is none: y := 2
            if n == 4 and {J: a1}[x].x is none: end win p
            if n == 4: end payoff {A: 1, B: if Player({J: 1}[x]) is none then 2 else 3}
            go play(other p)
        move walk(c in neighbours(at)) if c != {J: a2, Q: b1}[x] and {J: north, Q: east}[x] != south:
            at := c
            n += 1
            seen := {c} + {J: {a1, b2}, Q: {c1}, K: {}}[x]
            if any({J: {a1, b2}, Q: {c1}, K: {}}[x]): y := size(seen) % 4
            if Cell({0: 1, 1: 2}[y], 2) is none: end draw
            if at + {J: north, Q: east}[x] is none and n > 2: end win p
            if n == 6: end draw
            go play(other p)
        move far(k in 1..{J: 2, Q: 1, K: 3}[x]) if (first c in {J: {c3, b2}, Q: {c1, a1}, K: {b3}}[x]: c != at) != at:
            at := first c in {J: {c3, b2}, Q: {c1, a1}, K: {b3}}[x]: c != at
            n += 1
            if (sum c in {J: {c3, b2}, Q: {c1, a1}, K: {b3}}[x]: c.x * k) > 5 or n > 5: end win other p
            for c in {J: {c3, b2}, Q: {c1, a1}, K: {b3}}[x] if c != at:
                seen += {c}
            go play(p)
"""

GAMES: Final = {
    "numbers of members": MEMBERS,
    "sets and cells": SETS,
    "keys that are missing": PARTIAL,
    "weights, bounds and what is hidden": HIDDEN,
    "built-in functions of what may be missing": CALLS,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_lookups_play_alike(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
