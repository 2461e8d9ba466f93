"""Constructs of the language, each in a small game that is lowered and plays like on the reference machine: move for
move, payoff for payoff, error for error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

BIDS_THAT_MAY_BE_NONE = """
game "Bids"
players A, B
type Bid = -2..9
var total: 0..30 = 0
var card: 0..2 = 0 hidden
start at bid(A, none, none)
phase bid(p: Player, top: Bid?, by: Player?):
    let was = top
    if top is none and total > 20: end draw
    turn p:
        move raise(b in Bid) if top is none or b > top:
            total += if was is none then 1 else 2
            go bid(other p, b, p)
        move pass if top is not none:
            total += 3
            if total > 25: end payoff {A: top, B: -top}
            go bid(other p, none, none)
        move over(k in top..9) if top is not none ensuring top == was or by is not none:
            go bid(other p, (first x in Bid: x > k), by)
    otherwise:
        end win (if by is none then p else by)
"""

QUOTIENTS = """
game "Quotients"
players A, B, C
var pot: -20..90 = 7
var heads: 0..6 = 3
var debt: -4..4 = -3
var left: 0..7 = 7
var last_share: 0..30?
start at play(A)
phase play(p: Player):
    let share = pot / (heads + 1)
    let owed = share / debt
    turn p:
        move split(by in 1..6) if pot / by >= share:
            earn p: pot / by - share
            pot := pot % (heads + by) - 3
            heads := by
            left -= 1
            if left == 0: end payoff {A: owed, B: -owed, C: share / heads}
            go play(next p)
        move owe(d in -4..4) if (d != 0 or pot == 11) and (pot // d) * d != pot:
            debt := d
            pot := 12 + pot % d
            left -= 1
            if left == 0: end payoff {A: max(owed, share, 1/3), B: abs(owed), C: sum k in 1..heads: k / debt}
            go play(next p)
        move whole if share <= 12 and (max k in 1..heads: share / k) is not none:
            pot := share * heads / 2
            go luck
    otherwise:
        end payoff {q: pot / number(q) for q in Player}
phase luck:
    chance:
        outcome good(k in 1..heads) prob 1 / (heads + 1):
            pot := 30 + k
            go play(A)
        outcome bad prob 1 / (heads + 1):
            go play(B)
"""

LARGE_QUOTIENTS = """
game "Large quotients"
players A, B
var pot: 0..5000 = 720
var by: 1..5000 = 1
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move halve(k in 1..60):
            by := by % 97 + (if k > 50 then 60 * k else k)
            pot := (pot * 31 + k) % 4001
            left -= 1
            if left == 0: end payoff {A: pot / by, B: -pot / by}
            if left == 2: go play(p)
            go play(other p)
        move exact(k in {1, 2, 3, 4}) if pot / by > k:
            earn p: pot / by
            by := k
            left -= 1
            if left == 0: end win p
            go play(other p)
"""

TUPLES = """
game "Tuples"
players A, B
type Odd = {n in 0..9 if n % 2 == 1}
type Spot = (x: 0..3, y: 1..4)
type Wide = (x: -2..9, y: 0..6)
type Marked = (odd: Odd, at: Spot, best: Wide?)
type Worth = 0..5
type Held = (by: Player, worth: Worth?)
var here: Spot = (1, 2)
var there: Wide = (7, 1)
var mark: Marked = (3, (0, 1), none)
var seen: set of Spot = {}
var far: set of Wide = {}
var low: set of 0..5 = {}
var visits[Spot]: 0..9 = 0
var hand: Held = (A, none)
var left: 0..9 = 9
start at play(A)
phase play(p: Player):
    turn p:
        move step(dx in -1..2, dy in -1..1) if here.x + dx in 0..3 or left < 4 ensuring here in seen or left > 2:
            here := (here.x + dx, max(1, here.y + dy))
            seen := seen + {here}
            visits[here] += 1
            go on(p)
        move jump(w in {(x, y) for x in -1..5 for y in 0..5 if (x + y) % 3 == 0}):
            there := w
            far := far + {there} + {(s.x, s.y) for s in seen}
            low := {there.x, here.x}
            go on(p)
        move land if there != (here.x, here.y) and (there.x, there.y - 1) in seen + {(3, 2)}:
            here := (there.x, there.y)
            visits[(there.x, there.y)] += 1
            seen := {(s.x, s.y) for s in far if s.x < left}
            go on(p)
        move note(k in 0..9) if k > 6 or k % 2 == 1:
            mark := (k, here, if k > 5 then there else none)
            mark.at.x := k // 3
            go on(p)
        move keep if mark.best == (here.x, left) or mark.best is none or mark.best < (here.x - 1, there.y):
            var kept: Spot? = if mark.best is none then none else (mark.best.x, mark.best.y)
            mark.best := (here.x * 3, here.y)
            mark.odd := left
            here := if kept is none then here else kept
            go on(p)
        move take(k in 0..6) if k < 6 or left < 5:
            hand := (p, if k == 0 then none else k)
            go on(other p)
phase on(p: Player):
    left -= 1
    if left == 0: end payoff {A: here.x + mark.odd, B: if hand.worth is none then visits[here] else hand.worth}
    go play(other p)
"""

FIELDS = """
game "Fields"
players A, B
type Odd = {n in 0..9 if n % 2 == 1}
type Cell = (a: 0..3, b: Player)
type Mark = (a: Odd, b: Player)
var cells[0..5]: Cell = (1, A)
var mark: Mark = (3, A)
var n: 0..7 = 0
var left: 0..4 = 4
start at play(A)
phase play(p: Player):
    turn p:
        move up(k in 0..5):
            cells[k].a := (cells[k].a + k) % 4
            mark.a := 1 + 2 * (k // 2)
            n := (n + 1 + k) % 8
            left -= 1
            if left == 0: end payoff {A: mark.a, B: count i in 0..5: cells[i].a == n}
            go play(other p)
"""

NOTHING = """
game "Nothing"
players A, B
type Few = 0..5
var x: Few? = 3
var left: 0..4 = 4
start at play(A)
phase play(p: Player):
    let v = none
    turn p:
        move a(k in 0..2):
            x := if k == 0 then k else v
            if k == 1: x := v
            left -= 1
            if left == 0: end payoff {A: if x is none then 5 else x, B: if x == v then 1 else 0}
            go play(other p)
"""

CHOSEN_SETS = """
game "Melds"
players A, B, C
type Card = J < Q < K < X
var hands[Player]: set of Card = Card
var melds[Player, Card]: set of Card = {Q}
var pile: set of Card = {}
var score[Player]: -9..9 = 0
var rounds: 0..3 = 3
start at play
phase play:
    together p in {q in Player if any(hands[q])}:
        move meld(cards in subsets(hands[p], 2)) if not X in cards or rounds < 3
        move drop(cards in subsets(Card, 1), best in hands[p]) if size(hands[p]) > 1
        move pass
    then:
        pile := {}
        for q in Player:
            if meld[q].cards is not none:
                hands[q] := hands[q] - meld[q].cards
                score[q] := max(-9, min(9, score[q] + (sum c in meld[q].cards: number(c)) - 4))
                pile := pile + meld[q].cards
            if meld[q].cards == meld[next q].cards: score[q] := max(score[q] - 1, -9)
            if meld[q].cards == {} or drop[q].cards == {J}: score[q] := max(score[q] - 2, -9)
            if pass[q] and drop[next q].cards is not none and size(drop[next q].cards - hands[q]) == 0:
                hands[q] := hands[q] + (if meld[next next q].cards is none then {} else meld[next next q].cards)
        if drop[B].cards is not none and (some c in drop[B].cards: c in pile): score[C] := 9
        if melds[A, drop[C].best] is not none: melds[A, drop[C].best] := melds[A, drop[C].best] + pile
        if melds[A, drop[C].best] == melds[A, drop[A].best]: score[A] := size(melds[A, K])
        rounds -= 1
        if rounds == 0: end payoff {q: score[q] for q in Player}
        go play
    otherwise:
        end draw
"""

DISCOUNTED = """
game "Patience"
players A, B
discount 9/10
var pot: -5..20 = 3
var left: 0..9 = 9
start at open
phase open:
    earn A: 1
    go play(A)
phase play(p: Player):
    turn p:
        move wait(k in 0..2):
            pot := min(pot + k, 20)
            earn p: pot / 3
            go next
        move take if pot > 4:
            earn p: -2
            end payoff {p: pot, other p: pot / 7 - left}
        move draw:
            end draw
phase next:
    left -= 1
    if left == 0: end win A
    if left % 3 == 0: go luck
    if left % 3 == 1: go both
    go play(if left % 2 == 0 then A else B)
phase luck:
    chance:
        outcome rain weight 2:
            earn B: 1/2
            go play(B)
        outcome sun:
            if pot > 6: end win B
            go both
phase both:
    together p in Player:
        move bid(k in 0..3)
    then:
        earn A: bid[A].k - bid[B].k
        pot := max(-5, pot - bid[A].k)
        go next
"""

FORBEARING = """
game "Forbearance"
players A, B
discount 1/2
var left: 0..60 = 60
var pot: 0..100 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move wait:
            left -= 1
            pot += 1
            if left == 0: end draw
            go play(other p)
        move take if pot % 13 == 6:
            end payoff {A: pot, B: -pot}
"""

LARGE_NUMBERS = """
game "Large numbers"
players A, B
var big: 0..1000000000000000000000000000000 = 7
var deep: -1000000000000000000000..4 = 0
var divisor: -2..3 = 1
var odd: Bool = false
var left: 0..12 = 12
start at play(A)
phase play(p: Player):
    let square = big * big
    turn p:
        move grow(k in 1..9):
            big := big * (k * 1000 + 1) + k
            go on(p)
        move shrink(k in 1..9) if square > 1000000 or big % k == 1:
            big := big // (k * 100)
            go on(p)
        move dig(k in 0..3) if deep - square * k < 3:
            deep := deep - (big // 1000) * k
            divisor := k
            go on(p)
        move turn(k in -2..1) if k * divisor * big <= 100000000000000000000000000:
            divisor := k
            odd := (sum i in 1..5: big * i // divisor) % 2 == 1
            go on(p)
phase on(p: Player):
    left -= 1
    if left == 0: end payoff {A: (max i in 1..3: big * i) % 1000, B: (deep // divisor) % 7 + (if odd then 1/2 else 0)}
    if left == 5: earn p: big
    go play(other p)
"""

ENTRY_NAMES = """
game "Entry var"
players A, B
var clock: 0..9 = 0
start at play(A)
phase play(p: Player):
    if clock >= 4: end win p
    var v: 0..6 = clock
    if v > 3: end win other p
    turn p:
        move one(n in 1..2):
            if n == 1:
                v := 5
            clock += 1
            if v > 3: go play(other p)
            go play(p)
        move two:
            clock += 2
            go play(other p)
"""

MANY_CELLS = """
game "Hands"
players A, B
type Cell = grid(9, 9)
var held[Player]: set of Cell = {} private
start at draw(A)
phase draw(p: Player):
    turn p:
        move keep(h in subsets({c in Cell if c.x == c.y}, 2)) secret:
            held[p] := h
            if p == B: go show(A)
            go draw(B)
phase show(p: Player):
    turn p:
        move play(secret h in subsets(held[p], 1)):
            held[p] -= h
            if p == B: end payoff {q: sum c in held[q]: c.x for q in Player}
            go show(B)
"""

SAME_FUNCTION = """
game "One function of names of different types"
players A, B, C
type Few = 0..6
var who: Player = C
var k: 0..2 = 1
start at one(2)
phase one(a: Few):
    who := (if u is none then next who else u) where u = Player(a)
    turn next who:
        move on(b in 1..3):
            who := Player(1 + k)
            go two(b)
        move over(b in Few) if (((if u is none then A else u) where u = Player(b))) != who:
            k := (k + b) % 3
            go one(b)
phase two(a: 1..3):
    turn who:
        move back(b in Few) if Player(a) != who or k == 2:
            k := (k + 1) % 3
            go one(b)
        move over:
            end win Player(a)
"""

NONE_IN_A_SET = """
game "None in a set that has no value yet"
players A, B
type Cell = grid(2, 3)
type Spot = (x: 0..2, y: 0..1)
var at: Cell
var here: Spot? = none
var left: 0..4 = 4
start at play(A)
phase play(p: Player):
    turn p:
        move ask(c in Cell) if not ((first d in Cell: d.x > left) in leaps(at, 1, 2)):
            left -= 1
            if c == b2: at := c
            if left == 0: end win p
            go play(other p)
        move look if here in {(x, y) for x in 0..2 for y in 0..1 if at.x > x} or left == 2:
            here := (left % 3, 1)
            left -= 1
            go play(p)
    otherwise:
        end draw
"""

NAMES_OF_ACTIONS = """
game "Names of actions beside those of phases"
players A, B
type Colour = red | green | blue
var k: 0..5 = 0
var m: 0..9 = 0
action mix(c: Colour):
    match (if k > 3 then red else c):
        red:
            k := (k + 1) % 6
        green:
            let twice = 2 * k
            k := twice % 6
        else:
            m := (m + k) % 10
start at play(A, 3, red)
phase play(p: Player, by: 0..5, c: Colour):
    if k == by:
        mix(red)
    else if m > 6:
        end payoff (m, by)
    else:
        mix(c)
        m := (m + 1) % 10
    turn p:
        move on(d in Colour) ensuring k != 5:
            go play(other p, k, d)
    otherwise:
        end draw
"""

OPTIONAL_SETS = """
game "Names for sets that may be none"
players A, B
type Few = 0..5
var pool: set of Few = Few
var best: 0..6 = 0
var left: 0..6 = 6
action use(s: set of Few?, k: Few):
    if s is not none:
        best := size(s)
        pool := s - {k}
    else:
        best := 6
start at play(A)
phase play(p: Player):
    together q in Player:
        move hold(t in subsets(pool, 2))
        move pass
    then:
        let mine = hold[p].t
        var theirs: set of Few? = hold[other p].t
        var both: set of Few? = none
        left -= 1
        if mine is not none and theirs is not none: both := mine + theirs
        if left == 2: theirs := none
        if mine is none: theirs := pool
        use(theirs, left)
        if left == 4: use(none, 0)
        if both is not none: earn p: count x in both: x > 2
        if mine is not none and best == 2:
            for x in mine: best := max(best, x)
        if left == 0 or size(pool) < 2: end payoff (best, if both is none then 0 else size(both))
        go play(other p)
"""

OPTIONAL_RECORDS = """
game "Fields of records that may be none"
players A, B
type Spot = (x: 0..3, y: 0..3)
type Man = (at: Spot?, worth: 0..7)
type Pair = (one: Man?, two: 0..3)
var men[Player]: Man? = (none, 2)
var pair: Pair = (none, 0)
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    var idle: Man? = if left > 4 then none else men[other p]
    turn p:
        move touch if left < 5 or left == 6:
            idle.worth := left
            go on(p, 2)
        move place(x in 0..3) if men[p] is not none:
            men[p].at := (x, 0)
            go on(p, x)
        move shift(y in 0..3):
            men[p].at.y := y
            go on(p, y)
        move borrow(x in 0..3):
            var man: Man? = if left > 3 then men[other p] else pair.one
            man.worth := 7 - x
            if x < 3: man.at.x := x
            men[p] := man
            go on(p, 0)
        move join(k in 0..3):
            pair.one := if k == 3 then none else men[p]
            go on(p, k)
        move mend(k in 0..3) if pair.one is not none or left == 2:
            pair.one.worth := k
            if k > 1: pair.one.at.y := k
            go on(p, 1)
phase on(p: Player, k: 0..3):
    pair.two := k
    left -= 1
    if left == 0: end payoff (pair.two, if pair.one is none then -1 else pair.one.worth)
    go play(other p)
"""

BELOW_NOTHING = """
game "Kept names"
players A, B
var a: 0..9 = 3
var n: 0..9 = 0
start at play(A)
phase play(p: Player):
    let d = a - 5
    turn p:
        move up(k in 1..3) if d <= 1:
            a += 1
            n += 1
            if n == 6: end draw
            go play(other p)
        move down if d > 1 or d == -1:
            a -= 1
            n += 1
            if n == 6: end draw
            go play(other p)
    otherwise: end draw
"""

LONG_TUPLES = """
game "Long tuples"
players A, B
var x[p: Player]: 0..1000000000 = 0
var share[p: Player]: 0..50 by 1/1000000 = 0
var n: 0..6 = 0
start at play(A)
phase play(p: Player):
    let q = other p
    turn p:
        move go_on(k in 1..3) if (x[p], share[p], n) != (x[q], share[q], n) or n < 2:
            x[p] += k * n
            share[p] += k / 1000
            n += 1
            if n == 4 and (x[A], share[A], x[B]) >= (x[B], share[B], x[A]): end win A
            if n == 6: end win (if (x[A], share[A], x[B] / (n - 6)) < (x[B], share[B], x[A]) then A else B)
            go play(other p)
    otherwise: end draw
"""

GAMES: Final = {
    "names for sets that may be none": OPTIONAL_SETS,
    "fields of records that may be none": OPTIONAL_RECORDS,
    "none in a set that has no value yet": NONE_IN_A_SET,
    "names of actions beside those of phases": NAMES_OF_ACTIONS,
    "one function of names of different types": SAME_FUNCTION,
    "names of a phase that a move assigns in a branch": ENTRY_NAMES,
    "sets of more than 62 members in secret moves": MANY_CELLS,
    "a number that may be none as an argument of a phase": BIDS_THAT_MAY_BE_NONE,
    "sets chosen together": CHOSEN_SETS,
    "discounts": DISCOUNTED,
    "discounts of long plays": FORBEARING,
    "numbers that grow without bound": LARGE_NUMBERS,
    "division by what is not constant": QUOTIENTS,
    "tuples of numbers of different ranges": TUPLES,
    "fields of records": FIELDS,
    "names that are none": NOTHING,
    "division by what can be large": LARGE_QUOTIENTS,
    "names below 0": BELOW_NOTHING,
    "tuples too long for a number": LONG_TUPLES,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_constructs_play_alike(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
