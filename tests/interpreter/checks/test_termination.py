""""""

from __future__ import annotations

from pathlib import Path
from random import Random
from textwrap import indent

import pytest
from random_cases import seeds
from written_games import bundled_model, model_of

from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.checks.termination import prove_measure_falls
from zermelo.interpreter.checks.visited_ranking import survey_measure
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine

START = """
game "Test"
players A, B
type Cell = grid(2, 2)
type Card = 1..4
var board[Cell]: Player? = none
var marked[Cell]: Bool = false
var clear[Cell]: Bool = true
var tally[Player]: 0..9 = 0
var left: 0..9 = 9
var hand[Player]: set of Card = {1, 2, 3}
var taken: set of Card = {}
var corners: set of Cell = {}
define free(c: Cell) = board[c] is none
define open = {c in Cell if free(c)}
define may(p: Player, c: Cell) = p == A and free(c) or p == B and tally[p] > 0
define lowest(x: 1..2) = first y in 1..2: board[Cell(x, y)] is none
define ahead(p: Player) = if p == A then north else south
define held_by(p: Player) = {c in Cell if board[c] == p}
define ways(c: Cell, p: Player) = {d in neighbours(c, {ahead(p)}) if board[d] is none}
define playable(c: Cell, p: Player) = free(c) and tally[p] < 9
action tick:
    left -= 1
action put(c: Cell, p: Player):
    board[c] := p
start at play(A)
phase play(p: Player):
    turn p:
"""


def ends(rule, more=""):
    text = START + indent(rule.strip("\n"), " " * 8) + "\n    otherwise:\n        end draw\n" + more
    return facts(model_of(text)).terminates


PROVED = {
    "fills": "move m(c in Cell) if board[c] is none:\n    board[c] := p\n    go play(other p)",
    "fills by a define": "move m(c in Cell) if playable(c, p):\n    board[c] := p\n    go play(other p)",
    "fills from a domain": "move m(c in open):\n    board[c] := p\n    go play(other p)",
    "fills from a set": "move m(c in {d in Cell if board[d] is none}):\n    board[c] := p\n    go play(other p)",
    "fills the first": "move m(x in 1..2) if lowest(x) is not none:\n"
    "    board[Cell(x, lowest(x))] := p\n    go play(other p)",
    "fills a named entry": "move m(x in 1..2) if lowest(x) is not none:\n    let c = Cell(x, lowest(x))\n"
    "    tally[p] := 1\n    board[c] := p\n    go play(other p)",
    "fills behind an if": "move m(c in Cell):\n    if board[c] is not none: end draw\n"
    "    board[c] := p\n    go play(other p)",
    "fills in an if": "move m(c in Cell):\n    if board[c] is none:\n        board[c] := p\n        go play(other p)\n"
    "    end draw",
    "turns true": "move m(c in Cell) if not marked[c]:\n    marked[c] := true\n    go play(other p)",
    "turns false": "move m(c in Cell) if clear[c]:\n    clear[c] := false\n    go play(other p)",
    "rises": "move m:\n    tally[p] += 1\n    go play(other p)",
    "rises at last": "move m(n in 1..2):\n    tally[A] := tally[A] + n\n    go play(other p)",
    "falls": "move m(n in 1..3):\n    left -= n\n    go play(other p)",
    "falls in an action": "move m:\n    tick()\n    go play(other p)",
    "shrinks": "move m(n in hand[p]):\n    hand[p] -= {n}\n    go play(other p)",
    "grows": "move m(n in Card) if not (n in taken):\n    taken += {n}\n    go play(other p)",
    "two ways": "move m(c in Cell) if free(c):\n    board[c] := p\n    go play(other p)\n"
    "move n:\n    left -= 1\n    go play(p)",
    "either branch": "move m(c in Cell) if free(c):\n    if c.x == 1:\n        left -= 1\n    else:\n"
    "        board[c] := p\n    go play(other p)",
    "moves on": "move m(c in Cell, d in neighbours(c, {ahead(p)})) if board[c] == p:\n    board[c] := none\n"
    "    board[d] := p\n    go play(other p)",
    "moves on by a guard": "move m(c in Cell, d in Cell) if p == board[c] and d.y > c.y:\n    board[c] := none\n"
    "    board[d] := p\n    go play(other p)",
    "moves on from a set": "move m(c in held_by(p), d in ways(c, p)):\n    let e = d\n    board[c] := none\n"
    "    if e.x == 1: board[e] := p\n    board[Cell(1, 1)] := none\n    go play(other p)",
    "moves on to several": "move m(c in Cell) if board[c] == p and c.y == 1:\n    board[c] := none\n"
    "    board[Cell(1, 2)] := p\n    board[Cell(2, 2)] := other p\n    go play(other p)",
    "turns into another": "move m(c in Cell) if board[c] == A:\n    board[c] := none\n    board[c] := B\n"
    "    go play(other p)",
    "empties": "move m(c in held_by(p)):\n    board[c] := none\n    go play(other p)",
    "no way round": "move m:\n    end draw",
}


@pytest.mark.parametrize("rule", PROVED.values(), ids=PROVED)
def test_proved(rule):
    assert ends(rule).holds is True


OPEN = {
    "nothing used": "move m:\n    go play(other p)",
    "one way uses nothing": "move m(c in Cell) if free(c):\n    board[c] := p\n    go play(other p)\n"
    "move n:\n    go play(other p)",
    "guard of another entry": "move m(c in Cell, d in Cell) if free(d):\n    board[c] := p\n    go play(other p)",
    "emptied again": "move m(c in Cell) if free(c):\n    board[c] := p\n    go play(other p)\n"
    "move n(c in Cell):\n    board[c] := none\n    left -= 1\n    go play(other p)\n"
    "move o:\n    left := 9\n    end draw",
    "perhaps none": "move m(c in Cell, d in Cell) if free(c):\n    board[c] := board[d]\n    go play(other p)",
    "one of two": "move m(c in Cell) if may(p, c):\n    board[c] := p\n    go play(other p)",
    "may be left out": "move m(n in hand[p]?):\n    hand[p] -= {n}\n    go play(other p)",
    "may stay": "move m(n in 0..3):\n    left -= n\n    go play(other p)",
    "rises and falls": "move m:\n    left -= 1\n    go play(other p)\nmove n:\n    left += 1\n    go play(other p)",
    "set anew": "move m:\n    left -= 1\n    if left == 0: left := 9\n    go play(other p)",
    "only in a loop": "move m:\n    for c in Cell if marked[c]: left -= 1\n    go play(other p)",
    "only in one branch": "move m(c in Cell) if free(c):\n    if c.x == 1: board[c] := p\n    go play(other p)",
    "not in the hand": "move m(n in hand[p]):\n    hand[other p] -= {n}\n    go play(other p)",
    "kept in the hand": "move m(n in hand[p]):\n    hand[p] := hand[p] * {n}\n    go play(other p)",
    "guard is old": "move m(x in 1..2) if lowest(x) is not none:\n    board[Cell(x, 1)] := p\n"
    "    board[Cell(x, lowest(x))] := p\n    go play(other p)",
    "moves both ways": "move m(c in Cell, d in neighbours(c, {north, south})) if board[c] == p:\n"
    "    board[c] := none\n    board[d] := p\n    go play(other p)",
    "moves anywhere": "move m(c in held_by(p), d in open):\n    board[c] := none\n    board[d] := p\n"
    "    go play(other p)",
    "comes back as another": "move m(c in held_by(p), d in ways(c, p)):\n    board[c] := none\n"
    "    board[d] := other p\n    go play(other p)",
    "comes back by another move": "move m(c in held_by(p), d in ways(c, p)):\n    board[c] := none\n"
    "    board[d] := p\n    go play(other p)\nmove n(c in held_by(p), d in ways(c, other p)):\n"
    "    board[c] := none\n    board[d] := p\n    go play(other p)",
    "puts down more": "move m(c in held_by(p), d in ways(c, p)):\n    board[c] := none\n    board[d] := p\n"
    "    go play(other p)\nmove n(c in Cell):\n    left -= 1\n    board[c] := p\n    left := 9\n    go play(other p)",
    "perhaps not there": "move m(c in Cell, d in neighbours(c, {north})):\n    board[c] := none\n    board[d] := p\n"
    "    go play(other p)",
    "takes another": "move m(c in held_by(p), d in ways(c, p)):\n    board[Cell(1, 1)] := none\n    board[d] := p\n"
    "    go play(other p)",
    "perhaps not taken": "move m(c in held_by(p), d in ways(c, p)):\n    if c.x == 1: board[c] := none\n"
    "    board[d] := p\n    go play(other p)",
    "one way takes nothing": "move m(c in held_by(p), d in ways(c, p)):\n    if c.x == 1: go play(other p)\n"
    "    board[c] := none\n    board[d] := p\n    go play(other p)",
    "put down by an action": "move m(c in held_by(p), d in ways(c, p)):\n    board[c] := none\n    put(d, p)\n"
    "    go play(other p)",
    "put down where the state says": "move m(c in held_by(p)):\n    board[c] := none\n"
    "    board[Cell(1, 1 + tally[A] % 2)] := p\n    go play(other p)",
    "too many ways": "move m(c in held_by(p), d in ways(c, p), n in 1..30000):\n    board[c] := none\n"
    "    if n > 0: board[Cell(d.x, 1 + n // 30000)] := p\n    go play(other p)",
    "by a set": "move m(c in held_by(p), s in subsets(Cell, 1)):\n    board[c] := none\n"
    "    board[first d in s: true] := p\n    go play(other p)",
    "index moved on for sure": "move m(x in 1..2):\n    var y: 1..2 = 1\n"
    "    if board[Cell(x, y)] is not none: end draw\n    y := 2\n    board[Cell(x, y)] := p\n    go play(other p)",
    "guard is old behind an if": "move m(x in 1..2) if lowest(x) is not none:\n"
    "    if left > 1: board[Cell(x, 1)] := p\n"
    "    board[Cell(x, lowest(x))] := p\n    go play(other p)",
    "guard is old in a loop": "move m(x in 1..2) if lowest(x) is not none:\n    for d in Cell:\n"
    "        if d.x == 2:\n            board[Cell(x, lowest(x))] := p\n            go play(other p)\n"
    "        board[Cell(x, 1)] := p\n    end draw",
    "more than another": "move m:\n    left := tally[A] + 1\n    go play(other p)",
    "put down before it is taken": "move m(c in Cell) if board[c] == p:\n    board[Cell(3 - c.x, c.y)] := p\n"
    "    board[c] := none\n    go play(other p)",
    "none is in no set": "move m(c in Cell) if c + west not in corners:\n    corners += {c + west}\n"
    "    go play(other p)",
    "none is taken out of no set": "move m(c in Cell) if c + west not in corners:\n    corners -= {c + west}\n"
    "    go play(other p)",
    "no more than that": "move m:\n    left := min(left + 1, 9)\n    go play(other p)",
    "there and back": "move m:\n    left += 2\n    left -= 1\n    go play(other p)",
    "adds nothing": "move m:\n    left += 0\n    go play(other p)",
    "perhaps what was there": "move m(c in Cell) if board[c] is none:\n"
    "    board[c] := first q in Player: tally[q] > 1\n"
    "    go play(other p)",
    "off the board": "move m(c in Cell) if board[c] is none:\n    board[c] := board[c + north]\n    go play(other p)",
    "fills all of it": "move m(c in Cell) if board[c] is none:\n    board := none\n"
    "    board[c] := p\n    go play(other p)",
    "in a loop over what changes": "move m(c in Cell):\n    for d in open: board[d] := p\n    go play(other p)",
    "by an action on another": "move m(c in Cell) if free(c):\n    put(Cell(1, 1), p)\n    go play(other p)",
    "a name of another state": "move m(x in 1..2) if lowest(x) is not none:\n    tally[p] += 0\n    let y = lowest(x)\n"
    "    board[Cell(x, y)] := p\n    go play(other p)",
    "a variable of its own": "move m:\n    var n: 0..9 = left\n    n += 1\n    go play(other p)",
    "a set in another order": "move m(n in Card) if n not in taken:\n    taken := {n} + taken\n    go play(other p)",
    "put down in a loop": "move m(c in held_by(p)):\n    board[c] := none\n    for d in ways(c, p): board[d] := p\n"
    "    go play(other p)",
    "index moved on": "move m(x in 1..2) if board[Cell(x, 1)] is none:\n    var y: 1..2 = 1\n"
    "    if board[Cell(x, y)] is none:\n        y := 2\n        board[Cell(x, y)] := p\n    go play(other p)",
}


@pytest.mark.parametrize("rule", OPEN.values(), ids=OPEN)
def test_not_proved(rule):
    assert ends(rule).holds is None


def test_says_what_is_used_up():
    assert ends(PROVED["fills"]).how == "'board' only fills up, a little on every round"
    assert ends(PROVED["two ways"]).how == "'board' only fills up and 'left' only falls, a little on every round"
    assert ends(PROVED["moves on"]).how == "'board' only moves on, a little on every round"
    assert ends(PROVED["empties"]).how == "'board' only empties, a little on every round"
    assert ends(PROVED["no way round"]).how == "no decision can come again"


@pytest.mark.parametrize(
    "targets",
    [
        "{s + north} * Cell",
        "Cell * {s + north}",
        "(if s.y > 1 then {c in {s + north} if 40 // (s.y - 1) >= 0} else {s + north})",
    ],
)
def test_a_man_moves_on_whatever_his_ways_are_written_with(targets):
    """On a board with too many pairs of cells to try, and with a division that only one branch may make."""
    text = START.replace("grid(2, 2)", "grid(13, 13)").replace("board[Cell(x, y)]", "board[Cell(1, 1)]")
    rule = f"        move m(s in Cell, t in {targets}) if board[s] == p:\n            board[s] := none\n"
    rest = "            board[t] := p\n            go play(p)\n    otherwise:\n        end draw\n"
    assert facts(model_of(text + rule + rest)).terminates.how == "'board' only moves on, a little on every round"


DICE = """
game "Dice"
players Ann
claim terminates by (rounds)
var rounds: 0..3 = 3
var shows[1..3]: 1..2 = 1
start at roll
phase roll:
    chance for d in 1..3 if shows[d] == 1:
        outcome roll(n in 1..2): shows[d] := n
    then: go choose
phase choose:
    turn Ann:
        move again if rounds > 0:
            rounds -= 1
            go roll
        move stop: end payoff (sum d in 1..3: shows[d])
"""


def test_draws_of_many_come_to_an_end():
    game = model_of(DICE)
    assert facts(game).terminates.how == "'rounds' only falls, a little on every round"
    (claim,) = game.claims
    unguarded = model_of(DICE.replace(" if shows[d] == 1", ""))
    assert verdict(claim, facts(game), game).holds is None  # a visit of the positions may decide
    assert verdict(unguarded.claims[0], facts(unguarded), unguarded).holds
    assert survey_measure(game, claim, 1000, 60, 2**30).holds
    between = DICE.replace("then: go choose", "then: go on\nphase on:\n    go choose").replace(" if shows[d] == 1", "")
    game = model_of(between)
    assert prove_measure_falls(game, tuple(game.phases.values()), game.claims[0]).holds


def test_many_draws_again_and_again_have_no_end():
    assert facts(model_of(DICE.replace("rounds -= 1", "rounds -= 0"))).terminates.holds is None
    assert (
        facts(model_of(DICE.replace("roll(n in 1..2):", "roll(n in 1..2) weight 1: go roll #"))).terminates.holds
        is None
    )


def test_phases_without_a_circle():
    more = "phase second(p: Player):\n    turn p:\n        move m: end draw\n"
    assert ends("move m: go second(other p)", more).holds


def test_circle_through_another_phase():
    more = "phase second(p: Player):\n    turn p:\n        move m: go play(p)\n"
    assert ends("move m: go second(other p)", more).holds is None
    assert ends("move m:\n    left -= 1\n    go second(other p)", more).holds


def test_what_stands_before_the_circle_does_not_matter():
    text = START.replace("start at play(A)", "start at deal").replace(
        "phase play",
        "phase deal:\n    turn A:\n        move deal:\n            left := 5\n            go play(A)\nphase play",
    )
    rule = "        move m:\n            left -= 1\n            go play(other p)\n    otherwise:\n        end draw\n"
    assert facts(model_of(text + rule)).terminates.holds


def test_endless_refutes_nothing():
    """It defines the payoff of an infinite play, and does not claim that there is one."""
    text = START.replace('game "Test"', 'game "Test"\nendless draw')
    circle = "        move m:\n            go play(other p)\n        move n: end draw\n"
    assert facts(model_of(text + circle)).terminates.holds is None
    assert facts(model_of(text + "        move n: end draw\n")).terminates.holds


OTHERWISE = "move m(c in Cell) if free(c):\n    board[c] := p\n    go play(other p)"


def passing(otherwise, rule=OTHERWISE, head="", more=""):
    """Whether every play ends with this ``otherwise``."""
    text = START.replace("phase play", head + "phase play")
    text += indent(rule, " " * 8) + f"\n    otherwise:\n        {otherwise}\n        end draw\n" + more
    return facts(model_of(text)).terminates.holds


def test_a_circle_without_a_decision_is_a_circle():
    second = "phase second(p: Player):\n    turn p:\n        move n: end draw\n"
    assert passing("if left > 1: go play(other p)") is None
    assert passing("if left > 1: go second(other p)", more=second)
    empty = second.replace("n: end draw", "n if left > 1: end draw\n    otherwise: go play(p)")
    assert passing("if left > 1: go second(other p)", more=empty) is None


def test_what_is_sure_to_lead_to_a_decision_is_no_circle():
    sure = "if some c in Cell: free(c): go play(other p)"
    assert passing(sure)
    for otherwise in (
        "if some c in Cell: not free(c): go play(other p)",
        "if some c in open: free(c): go play(other p)",  # open is not Cell, so this is not recognized
        "if all c in Cell: free(c): go play(other p)",
        "if no c in Cell: free(c): go play(other p)",
        "left -= 1\n        if some c in Cell: free(c): go play(other p)\n        left += 1",
        "if some c in Cell: free(c):\n            board := A\n            go play(other p)",
    ):
        assert passing(otherwise) is None, otherwise


def test_who_is_asked_is_part_of_being_sure_of_a_decision():
    rule = "move m(c in Cell) if playable(c, p):\n    board[c] := p\n    go play(other p)"
    assert passing("if some c in Cell: playable(c, other p): go play(other p)", rule)
    assert passing("if some c in Cell: playable(c, p): go play(other p)", rule) is None
    changed = (
        "var q: Player = p\n        if some c in Cell: playable(c, q):\n            q := other q\n"
        "            go play(q)"
    )
    assert passing(changed, rule) is None


def test_what_enters_a_phase_may_change_what_it_offers():
    text = START.replace("phase play(p: Player):\n", "phase play(p: Player):\n    if left > 3: left -= 1\n")
    text += indent(OTHERWISE, " " * 8) + "\n    otherwise:\n        if some c in Cell: free(c): go play(other p)\n"
    assert facts(model_of(text + "        end draw\n")).terminates.holds is None


def by(measure, rule, more=""):
    """The fact about a claim that plays end by this measure."""
    text = START.replace('game "Test"', f'game "Test"\nclaim terminates by ({measure})')
    model = model_of(text + indent(rule, " " * 8) + "\n    otherwise:\n        end draw\n" + more)
    return verdict(model.claims[0], facts(model), model)


FALLS = {
    "left": "move m:\n    left -= 1\n    go play(other p)",
    "-left": "move m:\n    left += 1\n    go play(other p)",
    "12 - 2 * left": "move m(n in 1..2):\n    left += n\n    go play(other p)",
    "sum q in Player: tally[q]": "move m:\n    tally[p] -= 1\n    go play(other p)",
    "left, tally[A]": "move m:\n    left -= 1\n    tally[A] := 9\n    go play(other p)\n"
    "move n:\n    tally[A] -= 1\n    go play(p)",
    "left + tally[A]": "move m:\n    left -= 2\n    tally[A] += 1\n    go play(other p)",
    "count c in Cell: board[c] is none": PROVED["fills by a define"],
    "sum q in Player: size(hand[q])": PROVED["shrinks"],
    "0 - size(taken)": PROVED["grows"],
    "left / 2": "move m:\n    if left > 1:\n        left -= 1\n        go play(other p)\n"
    "    end draw\nmove n: end draw",
}

DOES_NOT_FALL = {
    "0": FALLS["left"],
    "left   ": "move m:\n    left -= 1\n    for c in Cell if marked[c]: left += 1\n    go play(other p)",
    "left": "move m:\n    left += 1\n    go play(other p)",
    "left ": "move m:\n    left -= 1\n    if left == 0: left += 1\n    go play(other p)",
    " left": "move m:\n    for c in Cell if marked[c]: left -= 1\n    go play(other p)",
    "  left": FALLS["left"] + "\nmove n:\n    go play(other p)",
    "tally[A]": "move m:\n    tally[p] -= 1\n    go play(other p)",
    "left - tally[A]": "move m:\n    left -= 1\n    tally[p] -= 1\n    go play(other p)",
    "tally[A], left": FALLS["left, tally[A]"],
    "left // 2": FALLS["left"],
    "count c in Cell: board[c] is none": "move m(c in Cell) if free(c):\n    board[c] := p\n    board[c] := p\n"
    "    board[Cell(1, 1)] := none\n    go play(other p)",
    "count c in {Cell(1, 1)}: board[c] is none": PROVED["fills by a define"],
    "sum q in {A}: size(hand[q])": PROVED["shrinks"],
    "size(hand[A])": PROVED["shrinks"],
    "count c in Cell: marked[c]": PROVED["turns false"],
}


@pytest.mark.parametrize(("measure", "rule"), FALLS.items(), ids=FALLS)
def test_the_tuple_of_a_claim_falls(measure, rule):
    found = by(measure, rule)
    assert found.holds
    assert found.how == f"({measure}) gets smaller with every decision"


@pytest.mark.parametrize(("measure", "rule"), DOES_NOT_FALL.items(), ids=DOES_NOT_FALL)
def test_the_tuple_of_a_claim_need_not_fall(measure, rule):
    assert by(measure, rule).holds is None


def test_what_happens_between_decisions_counts():
    text = START.replace('game "Test"', 'game "Test"\nclaim terminates by (left)')
    rule = (
        "        move m if left > 2:\n            left -= 1\n            go play(other p)\n    otherwise:\n        {}\n"
    )
    more = "phase last(p: Player):\n    turn p:\n        move n: end draw\n"
    both = "if left == 9: go last(p)\n        go play(other p)"
    for otherwise, falls in (("go last(p)", True), ("left += 1\n        go last(p)", None), (both, None)):
        model = model_of(text + rule.format(otherwise) + more)
        assert verdict(model.claims[0], facts(model), model).holds is falls


def test_a_tuple_that_falls_proves_the_end():
    text = START.replace('game "Test"', 'game "Test"\nclaim terminates by (left + tally[A])')
    rule = (
        "move m:\n    left -= 2\n    tally[A] += 1\n    go play(other p)\nmove n:\n    left += 1\n"
        "    tally[A] -= 2\n    go play(p)"
    )
    rest = indent(rule, " " * 8) + "\n    otherwise:\n        end draw\n"
    assert facts(model_of(text + rest)).terminates.how == "(left + tally[A]) gets smaller with every decision"
    assert facts(model_of(START + rest)).terminates.holds is None


def test_a_claim_is_no_proof():
    text = START.replace('game "Test"', 'game "Test"\nclaim terminates by (left)')
    circle = "        move m:\n            go play(other p)\n        move n: end draw\n"
    assert facts(model_of(text + circle)).terminates.holds is None


def test_a_number_that_may_stand_still_is_not_used_up():
    rule = """\
        move add(k in 0..1) if left + k <= 9:
            left += k
            go play(other p)
"""
    assert facts(model_of(START + rule + "    otherwise: end draw\n")).terminates.holds is None
    assert facts(model_of(START + rule.replace("0..1", "1..2") + "    otherwise: end draw\n")).terminates.holds


def test_a_history_grows_on_entering():
    """The same values may be new in one phase and repeated in the next."""
    text = """
        game "History"
        players A, B
        var x: 0..1 = 0
        start at first
        phase first:
            turn A:
                move m(c in 0..1) if repeated(x): end draw
            otherwise:
                if some c in 0..1: not repeated(x): go second
                end draw
        phase second:
            turn B:
                move n(c in 0..1) if not repeated(x): end draw
            otherwise: go first
    """
    assert facts(model_of(text)).terminates.holds is None


def test_what_is_emptied_may_be_filled_again_on_entering():
    text = """
        game "Refilled"
        players A, B
        var board[1..2]: Player? = A
        start at play(A)
        phase play(p: Player):
            turn p:
                move take(c in 1..2) if board[c] == A:
                    board[c] := none
                    go play(other p)
            otherwise: end draw
    """
    assert facts(model_of(text)).terminates.holds
    refilled = text.replace("            turn p:", "            board[1] := A\n            turn p:")
    assert facts(model_of(refilled)).terminates.holds is None


SUPERKO = """
    game "Superko"
    players A, B
    var at: 0..3 = 0
    start at play(A, false)
    phase play(p: Player, passed: Bool):
        turn p:
            move to(t in 0..3) if t != at ensuring not repeated(at):
                at := t
                go play(other p, false)
            move pass:
                if passed: end draw
                go play(other p, true)
        otherwise: end draw
"""


def test_values_that_may_not_come_again_end_a_play():
    assert facts(model_of(SUPERKO)).terminates.holds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ensuring not repeated(at)", "ensuring not repeated(at) or t == 1"),
        ("ensuring not repeated(at)", "ensuring repeated(at)"),
        ("t != at ensuring not repeated(at)", "not repeated(at)"),  # before the move it says nothing of what comes
        ("go play(other p, true)", "go play(other p, false)"),
        ("if passed: end draw", "if not passed: end draw"),
        ("if passed: end draw", "if passed and at == 1: end draw"),
        ("go play(other p, true)", "go play(other p, passed)"),
        ("go play(other p, true)", "go play(other p, at == 1)"),
    ],
)
def test_what_does_not_forbid_values_to_come_again_proves_nothing(old, new):
    assert old in SUPERKO
    assert facts(model_of(SUPERKO.replace(old, new))).terminates.holds is None


def test_values_that_are_changed_before_they_are_recorded_may_come_again():
    """The move makes a value that is new, and a phase without a decision takes it back before it is recorded."""
    back = SUPERKO.replace("go play(other p, false)", "go back(other p)") + (
        "    phase back(p: Player):\n        at := 0\n        go play(p, false)\n"
    )
    assert facts(model_of(back)).terminates.holds is None
    recorded = SUPERKO.replace("        turn p:", "        at := 0\n        turn p:", 1)
    assert facts(model_of(recorded)).terminates.holds


@pytest.mark.parametrize("name", ["rep_end", "bad2_1"])
def test_superko_on_few_nodes_ends(name):
    text = (Path(__file__).parents[2] / "trial" / "best" / f"{name}.game").read_text(encoding="utf-8")
    assert facts(model_of(text)).terminates.holds


def test_go_with_superko_ends():
    assert facts(bundled_model("go")).terminates.holds


# Phases that count repetitions, and end a play at some number.


RULES = """
game "Round and round"
players A, B
var lamp[Player]: Bool = false
var steps: 0..2 = 0
define again(n: 0..9) = repetitions(lamp) >= n
start at play(A)
phase play(p: Player):
{entry}
    turn p:
        move switch(q in Player):
            lamp[q] := not lamp[q]
            go {after}
        move stop: end win p
    otherwise:
        end draw
phase other(p: Player):
    steps := if steps == 2 then 0 else steps + 1
    turn p:
        move on:
            go play(other p)
"""

RECURRENCE_PROVED = [
    "if repetitions(lamp) >= 3: end draw",
    "if repetitions(lamp, steps) > 3: end draw",
    "if repetitions(lamp) == 2: end draw",
    "if 4 <= repetitions(lamp): end draw",
    "if again(2): end draw",
    "if lamp[A] or repetitions(lamp) >= 3: end draw",
    "let now = steps\n    if now == 1: end win p\n    if repetitions(lamp) >= 3: end draw",
]

RECURRENCE_OPEN = [
    "if repetitions(lamp) <= 3: steps := 0",
    "if repetitions(lamp) == 0: end draw",
    "if lamp[A] and repetitions(lamp) >= 3: end draw",
    "if repetitions(lamp) >= 3:\n        if lamp[A]: end draw",
    "steps := 0\n    if repetitions(lamp, steps) >= 3: end draw",
    "if lamp[A]: steps := 1\n    if repetitions(lamp, steps) >= 3: end draw",
    "if lamp[A]: go other(p)\n    if repetitions(lamp) >= 3: end draw",
    "if not (repetitions(lamp) >= 3): steps := 1",
    "if lamp[A]: end draw\n    else: steps := 1\n    if repetitions(lamp, steps) >= 3: end draw",
]


def rules(entry: str, after: str = "play(other p)") -> str:
    return RULES.format(entry="    " + entry, after=after)


@pytest.mark.parametrize("entry", RECURRENCE_PROVED)
@pytest.mark.parametrize("after", ["play(other p)", "other(p)"])
def test_a_phase_that_ends_repetitions_is_not_entered_for_ever(entry: str, after: str) -> None:
    known = facts(model_of(rules(entry, after))).terminates
    assert known.holds is True
    assert "'play' ends plays that repeat themselves" in known.how


@pytest.mark.parametrize("entry", RECURRENCE_OPEN)
def test_what_does_not_always_end_them_proves_nothing(entry: str) -> None:
    assert facts(model_of(rules(entry))).terminates.holds is not True


def test_another_way_round_is_another_question() -> None:
    """One that does not come past the phase which counts."""
    text = rules("if repetitions(lamp) >= 3: end draw", "other(p)") + "        move wait: go other(p)\n"
    assert facts(model_of(text)).terminates.holds is None


CONDITIONS = (
    "repetitions(lamp) >= 2", "repetitions(lamp) == 2", "repetitions(lamp, steps) > 1", "2 <= repetitions(steps)",
    "repetitions(lamp) < 2", "repetitions(lamp) != 1", "not (repetitions(steps) < 2)", "again(2)", "not again(1)",
    "repetitions(lamp) >= 2 or lamp[p]", "repetitions(lamp) >= 2 and steps == 1", "lamp[A]", "steps == 2",
)  # fmt: skip
BODIES = ("end draw", "end win p", "steps := 1", "go other(other p)", "lamp[A] := not lamp[A]")


def made_up(random: Random) -> str:
    """Rules whose first statements look like a count of repetitions, or are one."""
    lines = []
    for _ in range(random.choice((1, 1, 2, 3))):
        condition = random.choice(CONDITIONS)
        lines.append(
            f"if {condition}: {random.choice(BODIES)}" if random.random() < 0.8 else random.choice(BODIES[2::2])
        )
    return rules("\n    ".join(lines), random.choice(("play(other p)", "other(p)")))


@pytest.mark.random
def test_random_rules_that_are_proved_to_end_do() -> None:
    """A play has no more turns than there are positions, twice each, and a turn of the other phase after each."""
    most, proved = 2 * 2 * (4 * 3 * 2) * 2, 0
    for seed in seeds(150):
        random = Random(seed)
        model = model_of(made_up(random))
        if facts(model).terminates.holds:
            proved += 1
            for _ in range(5):
                assert length(ReferenceMachine(model), random, most + 1) <= most, seed
    assert proved > 20


def length(machine: ReferenceMachine, random: Random, most: int) -> int:
    """How many moves a play takes in which nobody stops unless they must."""
    state = machine.initial()
    for number in range(most):
        if machine.actor(state) == END:
            return number
        moves = [move for move in machine.moves(state) if move.name != "stop"]
        state = machine.after(state, random.choice(moves))
    return most


# Claims that plays end by a measure: one that names phases and their parameters, and what entering a phase changes.


PHASES = """\
game "Phases"
players A, B
claim terminates by {measure}
var spare: 0..9 = 3
start at one(5)
phase one(k: 0..9):
    turn A:
        move m(n in 1..2) if n <= k:
            {first}
    otherwise: end draw
phase two(k: 0..9, p: Player):
    turn p:
        move m if k > 0:
            {second}
    otherwise: end draw
"""

NAMES_A_PHASE = [
    ("{one: k, two: k}", "go two(k - n, A)", "go one(k - 1)", True),
    ("{one: (k, 1), two: (k, 0)}", "go two(k, A)", "go one(k - 1)", True),
    ("{one: 2 * k + 1, two: 2 * k}", "go two(k, A)", "go one(k - 1)", True),
    ("{one: k + spare, two: k + spare}", "go two(k - 1, A)", "go one(k - 1)", True),
    ("{one: k + spare, two: k + spare}", "go two(k - n, A)", "spare += 1\n            go one(k - 1)", None),
    ("{one: k, two: k}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: k, two: k}", "go two(k + 1 - n, A)", "go one(k - 1)", None),
    ("{one: (k, 0), two: (k, 1)}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: 1, two: 0}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: k, two: k}", "go two(spare, A)", "spare := k\n            go one(k - 1)", None),
    ("{one: k, two: k}", "let s = spare\n            spare += 1\n            go two(s, A)", "go one(k - 1)", None),
    ("{one: spare, two: k}", "let s = spare - 1\n            spare += 1\n            go two(s, A)", "go one(3)", None),
    ("{one: spare, two: k}", "go two(spare - 1, A)", "spare := k - 1\n            go one(3)", None),
    ("{one: sum c in 1..k: 1, two: k}", "go two(k - n, A)", "go one(k - 1)", None),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "first", "second", "holds"), NAMES_A_PHASE)
def test_a_measure_may_name_the_phase_and_its_parameters(measure, first, second, holds):
    model = model_of(PHASES.format(measure=measure, first=first, second=second))
    assert verdict(model.claims[0], facts(model), model).holds is holds


def test_the_parameters_of_a_phase_are_not_those_of_an_action():
    text = PHASES.format(measure="{one: k, two: k}", first="go two(k - n, A)", second="leave(9)")
    text += "action leave(k: 0..9):\n    go one(k - 1)\n"
    model = model_of(text)
    assert verdict(model.claims[0], facts(model), model).holds is None


RISES = """\
game "Rises"
players A
claim terminates by (left)
var left: 0..9 = 3
start at play
phase play:
    left += 1
    turn A:
        move m if left > 0:
            left -= 1
            go play
    otherwise: end payoff {A: 0}
"""


def test_what_rises_on_entry_does_not_fall():
    model = model_of(RISES)
    assert verdict(model.claims[0], facts(model), model).holds is None
    assert facts(model).terminates.holds is None
