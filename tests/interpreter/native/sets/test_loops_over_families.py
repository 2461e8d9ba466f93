"""Sets of sets computed during play, and choices from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from all_machines import native_machine, python_machine

import zermelo
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.sets import masks as listings

GAME = """
game "Sets"
players A, B
type Card = J < Q < K < X
type Number = 0..9
type Cell = grid(3, 3)
type Group = set of Card
var deck: set of Card = {K, Q, X}
var kept: set of Card = {J}
var marks: set of Cell = {}
var n: Number = 0
define without(c: Card) = {deck - {d} for d in Card if d != c}
define shrunk(groups: set of Group) = {s - {J} for s in groups}
start at play(A)
phase play(p: Player):
    if n == 5: end win (if K in deck then A else B)
    turn p:
        MOVES
        move drop(c in Card, s in Cell):
            n += 1
            deck := deck + {c}
            kept := kept - {c}
            marks := marks + {s}
            go play(other p)
"""

CONDITIONS = {
    "chosen": (
        "(first s in subsets(deck, 2): c in s) is none",
        "(first s in subsets(deck, 2): c in s) == (last s in subsets(deck, 2): c in s)",
        "(first l in lines(Cell, 3): size(l * marks) == 2) != none",
        "(first s in {deck, kept, {c}}: K in s) == kept",
        "(first s in subsets(deck, 2): c in s) in subsets(deck - {J}, 2)",
        "(first s in {deck, kept} + subsets(deck, 2): size(s) > 1) == deck",
        "(last s in {deck, kept, {c}, {J, Q}} - {{J, Q}, kept}: size(s) > 0) == {c}",
        "(some x in marks: some s in {ray(x, d) for d in orthogonal}: (first y in s: y not in marks) == b2)",
        "(some x in marks: (last y in {ray(x, d) for d in orthogonal}: b2 in y) is not none)",
    ),
    "asked": (
        "((if t is none then n > 2 else size(t) > n) where t = last s in subsets(deck, 2): c in s)",
        "(s is not none and (some d in s: d > K) where s = first s in subsets(deck, 2): c in s)",
        "not any({s * deck for s in subsets(kept, 1) if c in s})",
        "({J} in {deck - {d} for d in deck})",
        "none not in {deck, {c}}",
        "(deck in {kept, {c}, {K, X}} or deck in {{K, X}, {Q}})",
        "({deck - {d} for d in deck} == {{K, Q}, {K, X}, {Q, X}} or {deck} != {kept + {c}})",
        "subsets(deck, 1) == subsets(kept, 1)",
        "{deck, kept} == {kept, deck, deck + kept}",
        "(some s in subsets(deck, 2) + subsets(kept, 1): c in s)",
        "(some s in (reach s from {deck}: {s - {d} for d in s}): s == {c, K})",
        "(sum s in {l * marks for l in lines(Cell, 3)}: size(s)) > 2",
        "(max s in {r * marks for r in rows(Cell)}: size(s)) == 1",
        "(some s in {ray(x, south) for x in marks}: size(s) == 1)",
        "(some s in {a..b for a in 0..3 for b in 2..4}: n in s and size(s) == 3)",
        "({0..n, {1, 2}} - {0..3} == {{1, 2}})",
        "(0..n in {{0, 1, 2}, 0..5})",
    ),
    "counted": (
        "(l is not none and a1 in l where l = first l in lines(Cell, 3): size(l * marks) == 1)",
        "(s is none or c in s where s = last s in without(c): size(s) == 2)",
        "size(without(c)) == 3",
        "(some s in without(c): c in s and size(s) == 2)",
        "size(subsets(deck, 2) * subsets(kept + {c}, 2)) < 2",
        "(count s in (if n % 2 == 0 then subsets(deck, 2) else without(c)): c in s) > 1",
        "size(reach s from {kept}: {s - {d} for d in s} + {s + {c}}) > 4",
        "size({s in without(c) until K in s}) > 1",
        "size({s in {deck, kept} + without(c) while size(s) > 1}) > 1",
        "size({s for t in without(c) for s in subsets(t, 1)}) > 2",
    ),
    "walked": ("(all s in shrunk({deck, kept}): c not in s)",),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(plays_alike: Callable[[str], None], name: str) -> None:
    moves = [
        f"""move take_{k}(c in Card) if {condition}:
            n += 1
            deck := deck - {{c}}
            kept := kept + {{c}}
            go play(other p)
        """
        for k, condition in enumerate(CONDITIONS[name])
    ]
    plays_alike(GAME.replace("MOVES", "".join(moves)))


EFFECTS = [
    "for s in subsets(deck, 2): deck := deck - s",
    "for s in {deck - {d} for d in deck}: kept := kept * s",
    "for s in subsets(deck, 2), d in s if d not in kept: kept := kept + s - {d}",
    "for l in lines(Cell, 3) if size(l * marks) == 1: marks := marks + l",
    """let groups = {deck, kept, {c}}
            deck := {}
            for s in groups if c in s: deck := deck + s
            n := n * size(groups) % 10""",
    """let s = first s in subsets(deck, 2): c in s
            if s is not none: kept := s""",
    """let s = last s in {deck, kept}: c in s
            for d in deck if s is none or d in s: deck := deck - {d}""",
    "kept := if n > 5 then {} else s where s = {c, K}",
]


def test_effects(plays_alike: Callable[[str], None]) -> None:
    moves = [
        f"""move do_{k}(c in deck):
            n += 1
            {effect}
            go play(other p)
        """
        for k, effect in enumerate(EFFECTS)
    ]
    plays_alike(GAME.replace("MOVES", "".join(moves)))


DECISIONS = """
game "Sets as choices"
players A, B
type Card = J < Q < K < X
var deck: set of Card = {J, K, Q, X}
var n: 0..9 = 0
start at deal
phase deal:
    chance:
        outcome leave(s in {deck - {d} for d in deck}) weight 1 + size(s):
            deck := s
            go choose
        outcome back(s in {{J, Q}, deck}) if J in s:
            deck := s
            go choose
phase choose:
    n += 1
    if n > 3: end draw
    turn A:
        move keep(s in {deck - {d} for d in deck} + {deck}, d in s):
            deck := s - {d}
            go bid
        move pass if n == 1: go bid
phase bid:
    together p in Player:
        move show(s in {{c} for c in deck} + subsets(deck, 2)) if p == A or K in s
        move hide
    then:
        if show[A].s is not none and show[A].s in {show[B].s, deck}: end win A
        deck := deck + {J}
        go deal
    otherwise: end draw
"""


RANKED = """
game "Large sets as choices"
players A, B
type Square = grid(8, 8)
var full: set of Square = {a1, b2, c3, h1}
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    n += 1
    if n > 4: end payoff {A: size(full), B: 0}
    turn p:
        move row(s in {r - full for r in rows(Square)} + {{a1, h8}}) if size(s) < 8:
            full := full + s
            go play(other p)
        move lines(
            s in {(if a1 in full then l * full else full * {a1, h1}) for l in lines(Square, 6)},
            t in {{q in l if q in full} for l in columns(Square)} - {{a1}}
        ) if size(s * t) > 0:
            full := full - s + {h8}
            go play(other p)
        move shift(s in {l + {a8} for l in rows(Square)} * {s + {h8} for s in rows(Square)}, u in {{a1}, {b1, c1}}):
            full := full - u + s
            go play(other p)
    otherwise: end draw
"""


@pytest.mark.parametrize("text", [DECISIONS, RANKED], ids=["masks", "ranks"])
def test_decisions(plays_alike: Callable[[str], None], text: str) -> None:
    plays_alike(text)


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_more_sets_than_an_array_holds(make: Callable[..., Machine[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The play falls back to the reference machine."""
    monkeypatch.setattr(listings, "ROOM", 16)
    game = zermelo.loads(DECISIONS)
    reference, machine = game.machine, make(game.model)
    one, two = reference.initial(), machine.initial()
    assert len(machine.outcomes(two)) == 6
    assert machine.outcomes(two) == reference.outcomes(one)
    move = reference.outcomes(one)[0][0]
    one, two = reference.after(one, move), machine.after(two, move)
    assert machine.moves(two) == reference.moves(one)


ENDS = """
game "Ends of a set"
players A
var held: set of 0..9 = {2, 5}
start at more
phase more:
    turn A:
        move add(k in {7}):
            held := held + {k}
            go told
phase told:
    end payoff {A: if (first n in held: n > 2) == 5 and (last n in held: n < 7) == 5 then 1 else 0}
"""


@pytest.mark.parametrize("on", [python_machine, native_machine])
def test_the_first_and_the_last_member_with_a_property(on):
    """Of 2, 5 and 7."""
    machine = on(zermelo.loads(ENDS).model)
    (add,) = machine.moves(machine.initial())
    assert machine.payoff(machine.after(machine.initial(), add)) == (1,)
