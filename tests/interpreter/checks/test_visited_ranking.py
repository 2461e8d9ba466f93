"""Visits of positions for a claim ``terminates by``."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest
from written_games import model_of

import zermelo
from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.checks.visited_ranking import survey_measure

DETOUR = """\
game "Detour"
players Ann, Bob
claim terminates by (left)
var left: 0..9 = 6
start at play(Ann)
phase play(p: Player):
    turn p:
        move one if left > 0:
            left -= 1
            go play(other p)
        move two if left > 1:
            left -= 2
            go play(other p)
        move back if left == 2:
            left := 5
            go play(other p)
    otherwise:
        end draw
"""


def survey(text, most=inf, memory=inf):
    model = model_of(text)
    return survey_measure(model, model.claims[0], most, inf, memory)


def test_the_play_that_refutes_is_a_shortest_one():
    found = survey(DETOUR)
    assert found.holds is False
    assert found.how == "after two, two, back in phase 'play' leads from (2) to (5), which is not less"


def test_a_visit_of_all_positions_is_a_proof():
    assert survey(DETOUR.replace("left == 2", "left > 9")).holds


def test_a_visit_that_is_stopped_says_where_and_how_to_go_on():
    text = DETOUR.replace("left == 2", "left > 9")
    found = survey(text, most=3)
    assert found.holds is None
    assert found.how.endswith("the visit was stopped after 3 positions, and --time and --memory allow more")
    assert survey(text.replace("0..9 = 6", "0..900 = 900"), memory=1).holds is None


PROOFS = Path(__file__).parents[2] / "trial" / "proofs"


def parking(claim):
    text = (PROOFS / "16_parking_by_phase.game").read_text(encoding="utf-8")
    return text.replace("perfect_information, terminates by {approach: (k, 1), decide: (k, 0)}", claim)


def test_a_measure_is_that_of_the_phase_in_which_somebody_decides():
    assert survey(parking("terminates by {approach: (k, 1), decide: (k, 0)}")).holds
    found = survey(parking("terminates by {approach: (k, 0), decide: (k, 1)}"))
    assert found.how == "vacant in phase 'approach' leads from (10, 0) to (10, 1), which is not less"
    found = survey(parking("terminates by {approach: 20 - k, decide: -k}"))
    assert found.how == "taken in phase 'approach' leads from (10) to (11), which is not less"


def test_the_phases_of_a_measure_are_proved_by_the_rules():
    for name in ("16_parking_by_phase.game", "17_amazons_by_phase.game"):
        game = zermelo.load(PROOFS / name)
        assert verdict(game.model.claims[-1], game.facts, game.model).holds
        assert game.facts.terminates.holds


# Claims that plays end by a measure, one for each condition of the proof: what the proof takes for granted where the
# condition is gone, a visit of all positions refutes.


GAME = """\
game "Falls"
players A, B
claim terminates by ({measure})
type Cell = ring(2)
type Card = 1..4
type Man = (rank: 0..3, moved: Bool)
var board[Cell]: Player? = none
var men[Cell]: Man? = none
var marked[Cell]: Bool = false
var tally[Player]: 0..30 = 9
var left: 0..9 = 9
var who: Player = B
var hand[Player]: set of Card = {{1, 2}}
start at play
phase play:
    turn A:
        move m(c in Cell, x in Card){rule}
            go play
    otherwise: {otherwise}
phase rest:
    turn A:
        move n if tally[A] > 0:
            tally[A] -= 1
            go play
    otherwise: end draw
"""

LEFT = " if left > 0:\n    left -= 1\n    "

PROVED = [
    ("left", LEFT),
    ("left + tally[A]", LEFT + "tally[B] += 1"),
    ("left + 3 * tally[A]", " if left > 3:\n    left -= 4\n    tally[A] += 1"),
    ("count d in Cell: board[d] is none", " if board[c] is none:\n    board[c] := A"),
    ("count d in Cell: not marked[d]", " if not marked[c]:\n    marked[c] := true"),
    ("left - (count d in Cell: men[d] is none)", LEFT + "if men[c] is not none: men[c].rank := 3"),
    ("size(hand[A])", " if x in hand[A]:\n    hand[A] -= {x}"),
    ("-size(hand[A])", " if x not in hand[A]:\n    hand[A] += {x}"),
    ("sum q in Player: tally[q]", " if tally[who] > 0:\n    tally[who] -= 1"),
]

FALSE = {
    "what is behind changes, too": ("left + 2 * repetitions(who)", LEFT),
    "a factor counts": ("left + 3 * tally[A]", " if left > 1:\n    left -= 2\n    tally[A] += 1"),
    "all entries may be filled in a loop": (
        "count d in Cell: board[d] is none",
        " if board[c] is none:\n    board[c] := A\n    for d in Cell: board := none",
    ),
    "all entries may be filled": ("left + tally[A]", LEFT + "tally := 20"),
    "the entry meant may change": ("left + tally[who]", LEFT + "tally[A] := 0\n    who := other who"),
    "the entry meant may be the one assigned": ("left + tally[who]", LEFT + "tally[B] += 2"),
    "the entry assigned may be the one meant": ("left + tally[B]", LEFT + "tally[who] += 2"),
    "a sum may be of some entries": ("sum q in {A}: tally[q]", " if tally[B] > 0:\n    tally[B] -= 1"),
    "a sum may be of one entry": ("sum q in Player: tally[A]", " if tally[B] > 0:\n    tally[B] -= 1"),
    "a sum may be of changing entries": (
        "sum q in {r in Player if r == who}: tally[q]",
        " if tally[A] > 0:\n    tally[A] -= 1",
    ),
    "a sum may be of entries elsewhere": ("sum q in {B}: tally[other q]", " if tally[B] > 0:\n    tally[B] -= 1"),
    "other numbers may change": ("left + max(tally[A], 1)", LEFT + "tally[A] += 3"),
    "an entry is filled once": (
        "tally[A] + (count d in Cell: board[d] is none)",
        " if board[c] is none and tally[A] < 30:\n    board[c] := A\n    board[c] := B\n    tally[A] += 1",
    ),
    "a member is taken once": (
        "tally[A] + size(hand[A])",
        " if x in hand[A] and tally[A] < 30:\n    hand[A] -= {x}\n    hand[A] -= {x}\n    tally[A] += 1",
    ),
    "an entry may be full": ("count d in Cell: board[d] is none", ":\n    board[c] := A"),
    "an entry may be true": ("count d in Cell: not marked[d]", ":\n    marked[c] := true"),
    "what is false may stay so": ("count d in Cell: not marked[d]", " if not marked[c]:\n    marked[c] := false"),
    "what is empty may stay so": ("count d in Cell: board[d] is none", " if board[c] is none:\n    board[c] := none"),
    "an entry may be emptied": (
        "left + (count d in Cell: board[d] is none)",
        " if left > 0:\n    if board[c] is none:\n        board[c] := A\n    else:\n        left -= 1\n"
        "        board[c] := none",
    ),
    "an entry may turn false": (
        "left + (count d in Cell: not marked[d])",
        " if left > 0:\n    if not marked[c]:\n        marked[c] := true\n    else:\n        left -= 1\n"
        "        marked[c] := false",
    ),
    "a member may be missing": ("size(hand[A])", ":\n    hand[A] -= {x}"),
    "a member may be there": ("-size(hand[A])", ":\n    hand[A] += {x}"),
    "a set may be another one": ("left + size(hand[A])", LEFT + "hand[A] := {1, 2, 3}"),
    "a set may grow by more than one": ("left + size(hand[A])", " if left > 1:\n    left -= 2\n    hand[A] += {3, 4}"),
    "a set may shrink by more than one": (
        "left - size(hand[A])",
        " if left > 1:\n    left -= 2\n    hand[A] -= {1, 2}",
    ),
}


def rules(measure, rule, otherwise="end draw"):
    return GAME.format(measure=measure, rule=rule.rstrip().replace("\n", "\n        "), otherwise=otherwise)


def judged(text):
    """What the rules prove about the claim of a game, and what a visit of all positions finds."""
    model = model_of(text)
    return verdict(model.claims[0], facts(model), model).holds, survey_measure(model, model.claims[0], inf, inf, inf)


@pytest.mark.parametrize(("measure", "rule"), PROVED, ids=[measure for measure, _ in PROVED])
def test_what_falls(measure, rule):
    holds, found = judged(rules(measure, rule))
    assert holds
    assert found.holds, found.how


@pytest.mark.parametrize(("measure", "rule"), FALSE.values(), ids=FALSE)
def test_what_is_not_so_is_not_proved(measure, rule):
    holds, found = judged(rules(measure, rule))
    assert found.holds is False, found.how
    assert holds is None


def test_no_number_rises_between_decisions():
    """One decision lowers it, and the way to the next raises it again."""
    again = "tally[A] += 1\n        go rest"
    holds, found = judged(rules("left, tally[A]", LEFT, otherwise="\n        " + again))
    assert found.holds is False, found.how
    assert holds is None
    assert judged(rules("left, tally[A]", LEFT, otherwise="\n        go rest"))[0]


PHASES = """\
game "Falls from phase to phase"
players A, B
claim terminates by {{one: {one}, two: {two}}}
var spare: 0..9 = 3
var tally[Player]: 0..9 = 9
start at one(5, 0, A)
phase one(k: 0..9, j: 0..9, p: Player):
    turn A:
        move m(n in 1..9) if n <= k:
            {rule}
    otherwise: end draw
phase two(k: 0..9, j: 0..9, p: Player):
    turn A:
        move m: {then}
    otherwise: end draw
phase over:
    end draw
action leave(k: 0..9):
    go two(k, 0, A)
action start_again(k: 0..9):
    go two(0, 9, A)
"""

PROVED_OF_PHASES = [
    ("k", "k", "go two(k - n, 0, p)"),
    ("k", "k", "let s = k - n\n            go two(s, 0, p)"),
    ("spare", "k", "if spare == 0: end draw\n            spare -= 1\n            go two(spare, 0, p)"),
    ("k + 1", "k", "start_again(9)"),
]

FALSE_OF_PHASES = {
    "bound names are others": ("(sum c in 0..1: c, 1)", "(sum c in 0..1: k, 0)", "go two(n, 0, p)"),
    "a name means what it meant when it was bound": (
        "spare",
        "k",
        "if spare == 0: end draw\n            let s = spare\n            spare -= 1\n            go two(s, 0, p)",
    ),
    "a variable name may change": (
        "(0, 1)",
        "(k - j, 0)",
        "var v: 0..9 = 3\n            let s = v\n            v := 9\n            go two(v, s, p)",
    ),
    "names of an action are others": ("(k, 1)", "(k, 0)", "leave(9)"),
    "a sum may be of one entry many times": (
        "sum q in Player: tally[p]",
        "0",
        "if tally[B] == 0: end draw\n            tally[B] -= 1\n            go one(k, j, p)",
    ),
}


def judged_of_phases(one, two, rule, then="end draw"):
    return judged(PHASES.format(one=one, two=two, rule=rule, then=then))


@pytest.mark.parametrize(("one", "two", "rule"), PROVED_OF_PHASES)
def test_what_falls_from_phase_to_phase(one, two, rule):
    holds, found = judged_of_phases(one, two, rule)
    assert holds
    assert found.holds, found.how


@pytest.mark.parametrize(("one", "two", "rule"), FALSE_OF_PHASES.values(), ids=FALSE_OF_PHASES)
def test_what_is_not_so_from_phase_to_phase_is_not_proved(one, two, rule):
    holds, found = judged_of_phases(one, two, rule)
    assert found.holds is False, found.how
    assert holds is None


def test_a_phase_without_a_decision_has_no_measure():
    holds, found = judged_of_phases("k", "k", "go over")
    assert holds is None
    assert found.holds
