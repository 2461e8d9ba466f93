"""Where moves are clicked follows from the rules and from what is drawn: every game here is the least that shows it."""

from __future__ import annotations

import zermelo
from zermelo.drawing.clicks import clicks_of
from zermelo.drawing.positions import cells_changed, draw_position

HEADER = """
game "Least"
players Ann, Bob
endless draw
"""


def clicks(rules, viewer="Ann", play=(), header=HEADER):
    """Where the moves of a game are clicked, by their texts: the spots, and those that tell them from others."""
    state = zermelo.loads(header + rules).initial
    for move in play:
        state = state.after(move)
    picture = draw_position(state, viewer)
    spots = (*picture.spots, *picture.entries)
    names = {spot.name for spot in spots}
    found = clicks_of(state, state.moves, state.view(viewer), spots, cells_changed(state))
    assert all(name in names for each in found for name in (*each.spots, *each.further))
    return {str(move): (*each.spots, *each.further) for move, each in zip(state.moves, found, strict=True)}


def one_turn(*moves, variables):
    """A game whose only turn has these moves, each with its effects on lines of their own."""
    lines = []
    for head, *effects in (move.split("\n") for move in moves):
        lines += [f"        move {head}:", *(f"            {each.strip()}" for each in (*effects, "end draw"))]
    return "\n".join([variables, "start at play(Ann)", "phase play(p: Player):", "    turn p:", *lines, ""])


HEAPS = "var left[1..2]: 0..2 = 2\ndrawn left as disc"


def test_an_argument_that_is_an_index_is_clicked_at_its_entry_and_an_amount_is_not():
    rules = one_turn("take(h in 1..2, n in 1..left[h])\nleft[h] -= n", variables=HEAPS)
    found = clicks(rules)
    assert found["take(1, 1)"] == found["take(1, 2)"] == ("left[1]",)
    assert found["take(2, 1)"] == ("left[2]",)


def test_what_a_rule_calls_uses_its_arguments_too():
    full = "define full(k: 1..2) = left[k] > 0\n"
    assert clicks(one_turn("touch(h in 1..2) if full(h)\nleft := 0", variables=full + HEAPS))["touch(2)"] == (
        "left[2]",
    )
    drop = "action drop(k: 1..2):\n    left[k] := 0\n"
    rules = one_turn("touch(h in 1..2)\ndrop(h)", variables=drop + HEAPS)
    assert clicks(rules)["touch(1)"] == ("left[1]",)


def test_two_entries_are_two_clicks_in_the_order_of_the_arguments():
    rules = one_turn("pour(a in 1..2, b in 1..2) if left[b] < 2 or left[a] > 0\nleft := 0", variables=HEAPS)
    assert clicks(rules)["pour(2, 1)"] == ("left[2]", "left[1]")


def test_two_indices_of_one_entry_are_one_click():
    table = "var at[1..2, 1..2]: Player? = none"
    rules = one_turn("mark(r in 1..2, c in 1..2) if at[r, c] is none\nat := none", variables=table)
    assert clicks(rules)["mark(2, 1)"] == ("at[2, 1]",)


HANDS = """
type Card = 1..3
var hand[Player]: set of Card = {1, 2}
var shown: set of Card = {1, 2, 3}
drawn hand as card
drawn shown as card
"""


def test_a_card_is_clicked_in_the_hand_of_the_player_and_not_where_the_same_one_lies():
    found = clicks(one_turn("play(c in hand[p])\nhand := {}\nshown := {}", "pass", variables=HANDS))
    assert found == {"play(1)": ("hand[Ann]: 1",), "play(2)": ("hand[Ann]: 2",), "pass": ()}


def test_a_card_is_found_through_guards_and_defines():
    own = "define cards(p: Player) = hand[p]\n"
    assert clicks(one_turn("play(c in cards(p))\nhand := {}", variables=HANDS + own))["play(2)"] == ("hand[Ann]: 2",)
    assert clicks(one_turn("play(c in Card) if c in hand[p]\nhand := {}", variables=HANDS))["play(2)"] == (
        "hand[Ann]: 2",
    )


def test_a_number_is_no_card_that_happens_to_be_the_same():
    assert clicks(one_turn("bid(n in 1..3)\nhand := {}\nshown := {}", variables=HANDS))["bid(1)"] == ()


def test_a_card_face_down_is_clicked_by_its_place():
    hidden = """
var hand[p: Player, k: 1..2]: 1..3 = 1      seen by {q in Player if q != p}
drawn hand as card
"""
    rules = one_turn("play(k in 1..2)\nhand[p, k] := 2", variables=hidden)
    assert clicks(rules)["play(2)"] == ("hand[Ann, 2]",)


TRACK = """
claim zero_sum, perfect_information
var at[Player, 0..4]: 0..2 = 0
var dice[1..2]: 0..1 = 1
drawn at as disc
drawn dice as die
setup:
    for p in Player: at[p, 3] := 1
"""


STEP = """step(q in 1..4, d in 1..2) if at[p, q] > 0 and dice[d] > 0
    at[p, q] -= 1
    at[p, max(0, q - d)] += 1
    dice[d] -= 1"""


def test_a_step_is_clicked_from_where_to_where_and_the_die_only_tells_it_from_others():
    assert clicks(one_turn(STEP, variables=TRACK)) == {
        "step(3, 1)": ("at[Ann, 3]", "at[Ann, 2]", "dice[1]"),
        "step(3, 2)": ("at[Ann, 3]", "at[Ann, 1]", "dice[2]"),
    }


def test_what_a_move_of_one_argument_changes_besides_is_no_click():
    rules = one_turn("push(q in 1..4) if at[p, q] > 0\nat[p, q] -= 1\nat[p, q - 1] += 1", variables=TRACK)
    assert clicks(rules) == {"push(3)": ("at[Ann, 3]",)}


def test_where_a_move_leads_is_not_told_if_something_is_hidden():
    hidden = TRACK.replace("claim zero_sum, perfect_information", "var trap: 0..1 = 0    hidden")
    draw = "start at draw\nphase draw:\n    chance:\n        outcome laid(t in 0..1):\n            trap := t\n"
    step = STEP.replace("max(0, q - d)", "if trap == 0 then 0 else q - d")
    rules = one_turn(step, variables=hidden).replace("start at play(Ann)", f"{draw}            go play(Ann)")
    assert clicks(rules, play=["laid(0)"])["step(3, 1)"] == ("at[Ann, 3]", "dice[1]")
