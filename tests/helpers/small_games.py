"""Small games that several tests play."""

from __future__ import annotations

from typing import Final

ADDING: Final = """\
game "Adding"
players Ann, Bob
param most: 1..999 = 999
var total: 0..most = 0
start at add(Ann)
phase add(p: Player):
    turn p:
        move more(n in 1..3):
            total += n
            go add(other p)
        move stop: end win p
"""
"""A move assigns more than the variable holds once the total is near ``most``."""

HIDDEN_AND_ENDLESS: Final = """\
game "Hidden and endless"

players A, B

var coin: Bool seen by A

start at toss

phase toss:
    chance:
        outcome coin(b in Bool):
            coin := b
            go play(A)

phase play(p: Player):
    turn p:
        move wait: go play(other p)
        move call: end payoff (if coin then 1 else -1, if coin then -1 else 1)
"""
"""Something is hidden and plays may go on for ever: no solver fits."""

HIDDEN_DIE: Final = """\
game "Hidden die"
players A, B

var left: 0..1 = 0    hidden

start at roll

phase roll:
    chance:
        outcome roll(n in 1..6):
            left := n % 2
            go guess(A)

phase guess(p: Player):
    turn p:
        move even:
            if p == A: go guess(B)
            end payoff {A: 1 - 2 * left, B: 2 * left - 1}
        move odd: end payoff {A: 2 * left - 1, B: 1 - 2 * left}
"""
"""Six throws lead to two positions, and nobody has seen any of them."""

ENTRY: Final = """\
game "Entry"
players Entrant, Incumbent
type Act = fight | share
start at knock
phase knock:
    turn Entrant:
        move stay_out: end payoff {Entrant: 0, Incumbent: 4}
        move enter: go meet
phase meet:
    together:
        move act(a in Act)
    then:
        let e = act[Entrant].a
        let i = act[Incumbent].a
        if e == share and i == share: end payoff {Entrant: 2, Incumbent: 2}
        if e == share: end payoff {Entrant: -3, Incumbent: -1}
        if i == share: end payoff {Entrant: -2, Incumbent: 1}
        end payoff {Entrant: -4, Incumbent: -2}
"""
"""After Selten: the incumbent threatens to fight whoever enters, and would not; then both choose at once. To stay out
is an equilibrium of the normal form, but not subgame perfect."""

MISSPELT: Final = """\
game "Broken"
players Ann, Bob
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on: go paly(other p)
        move stop: end win pp
"""
"""A phase and a player that there are not."""

ROUNDS: Final = """\
game "Two rounds"
players One, Two
claim zero_sum
type Level = high | low
var left: 0..2 = 2
start at choose
phase choose:
    together:
        move show(level in Level)
    then:
        if show[One].level == high:
            let paid = if show[Two].level == high then 2 else 1
            earn One: paid
            earn Two: -paid
        left -= 1
        if left == 0: end draw
        go choose
"""
"""High is always better for One, and low for Two; nobody sees what the other chooses in a round."""

THREAT: Final = """\
game "Entry deterrence"
players Entrant, Incumbent
tree:
    Entrant:
        out: (0, 2)
        enter: Incumbent:
            fight: (-1, -1)
            share: (1, 1)
"""
"""Selten's entry game: the incumbent threatens to fight."""
