"""``preferring``, above all where the rules look at the history of the play: each step of a turn adds to it, and the
ways through a turn have histories of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

WALK = """
game "A walk that leaves its own trail"
players A, B
var at: ring(6) = 0
var energy: 0..3 = 3
var taken: 0..6 = 0
var round: 0..4 = 0
endless draw
start at walk(A)
phase walk(p: Player):
    turn p preferring (taken, repetitions(at)):
        move go_by(k in {1, 2, 5}) if energy > 0 ensuring not repeated(at) or at == 0:
            at := at + k
            energy -= 1
            taken := min(6, taken + (if repeated(at) then 0 else k % 3))
            go walk(p)
        move rest if energy < 3:
            go after(other p)
phase after(p: Player):
    energy := 3
    taken := 0
    round += 1
    if round == 4: end payoff (repetitions(at), if at == 0 then 1 else 2)
    go walk(p)
"""

AND_BACK = """
game "Steps that can be taken back"
players A, B
var at: 0..3 = 0
var best: 0..9 = 0
var round: 0..3 = 0
endless draw
start at move_on(A)
phase move_on(p: Player):
    turn p preferring best:
        move up if at < 3:
            at += 1
            if not repeated(at): best := min(9, best + at)
            go move_on(p)
        move down if at > 0:
            at -= 1
            if not repeated(at): best := min(9, best + 2)
            go move_on(p)
        move stop if repeated(at) or best > round:
            round += 1
            if round == 3: end payoff (best, at)
            go stand(other p)
phase stand(p: Player):
    at := (at + round) % 4
    best := 0
    go move_on(p)
"""

WITHOUT_OFFERS = """
game "Steps that pass through decisions in which nothing is offered"
players A, B
var a: 0..2 = 0
var b: 0..2 = 0
var left: 0..5 = 5
var round: 0..3 = 0
start at choose(A)
phase choose(p: Player):
    turn p preferring (left, a):
        move one if left > 0 and repetitions(a, b) < 3:
            a := (a + 1) % 3
            left -= 1
            go through(p)
        move two if left > 1:
            b := (b + 1) % 3
            left -= 2
            go choose(p)
        move three if left > 2 and not repeated(b):
            b := (b + 2) % 3
            left -= 1
            go through(p)
        move stop if left < 3:
            go on(other p)
phase through(p: Player):
    turn p:
        move never if repetitions(b) > 90:
            go choose(p)
    otherwise:
        go choose(p)
phase on(p: Player):
    left := 5
    round += 1
    if round == 3: end payoff (a, b)
    go choose(p)
"""

NAMES = """
game "A criterion that is a name of the phase"
players A, B
type Rank = low < middle < high
var total: 0..9 = 0
var dice: set of 1..3 = {1, 2, 3}
start at choose(A)
phase choose(p: Player):
    let rank = {low: low, middle: high, high: middle}[high]
    let most = size(dice)
    turn p preferring (number(rank), if total > 4 then most else -total):
        move use(d in dice) if total + d != 4:
            dice := dice - {d}
            total += d
            if dice == {}: end payoff (total, -total)
            go choose(p)
        move stop if size(dice) < 3:
            end payoff (total, -total)
    otherwise:
        end draw
"""

GAMES: Final = {
    "names": NAMES,
    "a trail": WALK,
    "back and forth": AND_BACK,
    "entries without a decision": WITHOUT_OFFERS,
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES.keys())
def test_the_same_turns_are_best(text: str, plays_alike: Callable[[str], None]) -> None:
    plays_alike(text)
