"""Numbers in steps that are not 1: kept, compared, told, looked up and paid as on the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

AUCTION = """
game "Auction in halves"
players A, B
type Money = 0..4 by 1/2
var value[p: Player]: Money = 0 private
var bid[p: Player]: Money = 0
start at deal
phase deal:
    chance:
        outcome values(a in Money, b in Money):
            value[A] := a
            value[B] := b
            go bidding
phase bidding:
    together:
        move offer(m in Money)
    then:
        if offer[A].m > offer[B].m: end payoff {A: value[A] - offer[A].m, B: 0}
        if offer[B].m > offer[A].m: end payoff {A: 0, B: value[B] - offer[B].m}
        end payoff {A: (value[A] - offer[A].m) / 2, B: (value[B] - offer[B].m) / 2}
"""

BARGAINING = """
game "Rubinstein"
players A, B
param delta: 0..1 by 1/10 = 9/10
type Share = 0..1 by 1/10
var pie: 0..1 by 1/10000 = 1
var rounds: 0..4 = 0
start at offer(A)
phase offer(p: Player):
    turn p:
        move propose(x in Share): go answer(p, x)
phase answer(p: Player, x: Share):
    turn other p:
        move accept: end payoff {q: if q == p then pie * x else pie * (1 - x) for q in Player}
        move refuse if rounds < 4:
            rounds += 1
            pie := pie * delta
            go offer(other p)
        move leave: end payoff (0, 0)
"""

CHANCES = """
game "Percent chances"
players A, B
param luck: 0..1 by 1/100 = 37/100
var p: 0..1 by 1/100 = 1/2
var n: 0..3 = 0
start at play(A)
phase play(q: Player):
    turn q:
        move up if p < 1:
            p := p + 1/100
            go toss(q)
        move down if p > 0:
            p -= 1/100
            go toss(q)
phase toss(q: Player):
    chance:
        outcome hit prob p * luck: end win q
        outcome miss prob 1 - p * luck:
            n += 1
            if n == 3: end draw
            go play(other q)
"""

FIVES = """
game "Bids by fives"
players A, B
type Price = 0..100 by 5
var price: Price = 0
start at bid(A)
phase bid(p: Player):
    turn p:
        move raise(to in Price) if to > price:
            price := to
            go bid(other p)
        move pass: end payoff {q: if q == p then 0 else 50 - price for q in Player}
    otherwise: end draw
"""

SETS = """
game "Sets of fractions"
players A, B
type Half = 0..3 by 1/2
type Five = 0..40 by 5
type Odd = {h in Half if h != 1}
var used: set of Half = {}
var price[h: Half]: Five = 0
var spent[p: Player]: 0..20 by 1/4 = 5
var top: Half? = none
var n: 0..6 = 0
define cheap(h: Half) = price[h] < 15
define double(h: Half) = 2 * h
start at play(A, 1/2)
phase play(p: Player, at: Half):
    turn p:
        move use(h in Half - used) if h != at or n == 0:
            used += {h, h / 2 + h / 2}
            n += 1
            spent[p] -= h / 2
            price[h] += 10
            top := h
            if h == 3: price[1/2] := price[h] + 5
            if n == 6: end payoff {q: spent[q] + (sum k in used: k * price[k]) for q in Player}
            go play(other p, if h > 1 then h - 1 else h)
        move odd(h in Odd, f in {5, 10, 20}) if cheap(h) and price[h] != f and (top is none or h < top):
            price[h] := f
            n += 1
            if (count k in Half: price[k] == 10) > 1: end win p
            if n == 6: end payoff {A: double(at), B: (max k in Half: price[k])}
            go play(other p, first k in Half: price[k] == f)
        move quarter(q in {1/4, 1/2, 3/4}) if (some h in used: h + q < 2) and (no f in Five: f > 35 and price[at] == f):
            n += 1
            spent[p] += q
            top := none
            if n == 6: end payoff {A: size(used), B: if q in {1/4, 1/2} then q else spent[A] - q}
            go play(p, last k in Half: k not in used or k == at)
    otherwise: end payoff {q: number(q) / 2 for q in Player}
"""

RECORDS = """
game "Records of fractions"
players A, B
type Half = 0..3 by 1/2
type Five = 0..40 by 5
type Unit = 0..1 by 1/2
type Offer = (price: Half, by: Player, least: Five?)
var made[p: Player]: Offer?
var all_of: set of (h: Unit, k: 1..3) = {}
var n: 0..5 = 0
start at open
phase open:
    chance:
        outcome it(h in Half, q in Player) weight h + 1/3:
            made[A] := (h, q, none)
            made[B] := none
            go play(A)
phase play(p: Player):
    turn p:
        move offer(h in Half) if made[p] is none or h > made[p].price:
            made[p] := (h, other p, if h > 1 then 5 else none)
            n += 1
            if n == 5: end payoff {q: if made[q] is none then 1/7 else made[q].price for q in Player}
            go play(other p)
        move less(f in Five) if made[p] is not none and (made[p].least is none or f > made[p].least):
            made[p].least := f
            made[p].price := if f > 20 then 1/2 else 3
            n += 1
            if (made[p].price, f) > (1, 15) and made[p] == (3, p, 20): end win p
            if n == 5: end win other p
            go play(other p)
        move tick(x in {(0, 1), (1/2, 2), (1, 3)}) if x not in all_of:
            all_of += {x}
            n += 1
            if n == 5: end payoff {q: sum y in all_of: y.h * y.k for q in Player}
            go play(other p)
    otherwise: end draw
"""

HIDDEN = """
game "Hidden fractions"
players A, B
type Half = 0..2 by 1/2
var value[p: Player]: Half private
var told_: 0..5 by 5/2 = 0 seen by B
start at deal
phase deal:
    chance:
        outcome values(a in Half, b in Half):
            value[A] := a
            value[B] := b
            told_ := if a > 1 then 5/2 else 5
            tell A that other_half(b / 2, 1/3)
            tell B that other_half(a - 1, 2/3)
            go bidding(1/2)
phase bidding(least: Half):
    together:
        move offer(m in Half) if m >= least
        move pass
    then:
        if offer[A].m is none or offer[B].m is none: go talk(A, 3/2)
        if offer[A].m > offer[B].m: end payoff {A: value[A] - offer[A].m, B: 0}
        if offer[B].m > offer[A].m: end payoff {A: 0, B: value[B] - offer[B].m}
        end payoff {A: (value[A] - offer[A].m) / 2, B: (value[B] - offer[B].m) / 2}
phase talk(p: Player, at: Half):
    turn p:
        move offer(secret m in {x in Half if x <= at}):
            end payoff {A: m, B: value[B] * at}
        move silent(m in 1..2) secret:
            tell other p that guess(m / 4)
            go more(other p)
phase more(p: Player):
    turn p:
        move silent(m in 1..2) secret: end win p
        move stop: end draw
"""

OFF = """
game "Off the steps"
players A, B
type Half = 0..3 by 1/2
var a: Half = 0
var b: Half = 1
var f: 0..40 by 5 = 0
var n: 0..6 = 0
var price[h: Half]: 0..10 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move third(k in 1..6):
            a := k / 3
            n += 1
            go play(other p)
        move five(k in 4..6):
            f := k * 5 - f % 7
            n += 1
            if n > 3: end draw
            go play(other p)
        move at(k in 1..7):
            price[k / 2] += 2
            n += 1
            if n > 3: end payoff {A: price[k/4], B: 0}
            go play(other p)
        move minus(h in Half):
            b := b - h
            n += 1
            if n > 4: end payoff {A: b, B: a}
            go play(other p)
"""

TABLES = """
game "Lookups"
players A, B
var x: 1..3 = 1
var n: 0..6 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move go_on(k in 1..3):
            x := k
            earn p: {1: 1/2, 2: 3/4, 3: 2}[x]
            n += 1
            if n == 4: end payoff {q: {1: 1/3, 2: 1/6, 3: 1}[x] for q in Player}
            go play(other p)
"""

HUNDREDS = """
game "Hundreds"
players A, B
type Price = 0..5000 by 100
var price: Price = 0
var last_raise: 0..5000 by 50 = 0
start at bid(A)
phase bid(p: Player):
    turn p:
        move raise(to in Price) if to > price and to <= price + 1200:
            last_raise := (to - price) / 2
            price := to
            go bid(other p)
        move close(k in {50, 150, 2500}) if last_raise >= k:
            end payoff {q: if q == p then last_raise - k else 2500 - price for q in Player}
        move pass: end payoff {q: if q == p then 0 else 2500 - price for q in Player}
"""

GAMES: Final = {
    "an auction in halves": AUCTION,
    "a pie that shrinks": BARGAINING,
    "chances that change": CHANCES,
    "bids by fives": FIVES,
    "sets, indices and planes": SETS,
    "records": RECORDS,
    "what is told and hidden": HIDDEN,
    "values between the steps": OFF,
    "tables of fractions": TABLES,
    "prices in hundreds": HUNDREDS,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_fractions_play_alike(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
