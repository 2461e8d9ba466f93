"""What has been earned and how long it took is no part of a position, and a player may not know it: what they can get
is asked of all the plays that fit, and of no one play to each position."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.decisions import average_deals, move_values
from zermelo.solvers.common.limits import Limits, ignore_progress

ALONE = """\
game "Found money"
players Ann
var coin: 0..1 = 0   hidden
start at find
phase find:
    chance:
        outcome rich prob 1/4:
            earn Ann: 4
            go flip
        outcome poor prob 3/4: go flip
phase flip:
    chance:
        outcome heads prob 1/3:
            coin := 1
            go play
        outcome tails prob 2/3: go play
phase play:
    turn Ann:
        move guess(n in 0..1): end payoff {Ann: if n == coin then 2 else 0}
        move leave: end payoff {Ann: 1}
"""

AGAINST_ANOTHER = """\
game "Found money, and somebody who waits"
players Ann, Bob
claim zero_sum
discount 1/2
var coin: 0..1 = 0   hidden
start at find
phase find:
    chance:
        outcome rich prob 1/4:
            earn Ann: 4
            earn Bob: -4
            go hide(true)
        outcome poor prob 3/4: go hide(true)
phase hide(secret may_wait: Bool):
    turn Bob:
        move put(n in 0..1) secret:
            coin := n
            go play
        move wait secret if may_wait: go hide(false)
phase play:
    turn Ann:
        move guess(n in 0..1):
            let won = if n == coin then 2 else 0
            end payoff (won, -won)
        move leave: end payoff (1, -1)
"""


def after(text, *play):
    state = zermelo.loads(text).initial
    for move in play:
        state = state.after(move)
    return state


@pytest.mark.parametrize("found", ["rich", "poor"])
def test_nobody_can_count_on_money_they_may_not_have(found):
    forced = zermelo.force(after(ALONE, found, "heads"), "Ann")
    assert forced.amount == 1
    assert zermelo.force(after(ALONE, found, "heads"), "Ann", 2).plan is None


@pytest.mark.parametrize("wait", [("wait",), ()])
def test_nobody_can_count_on_an_early_payment(wait):
    """The game pays a half or a quarter of 1 to who leaves, and only the poor are sure to have found nothing."""
    assert zermelo.force(after(AGAINST_ANOTHER, "rich", *wait, "put(0)"), "Ann").amount == Fraction(1, 4)


@pytest.mark.parametrize("found", ["rich", "poor"])
def test_the_money_that_may_be_there_counts_by_its_probability(found):
    values = move_values(after(ALONE, found, "heads"), None, Limits(), ignore_progress)
    worths = {str(each.move): each.payoff for each in values.worths}
    assert worths == {"guess(0)": (Fraction(7, 3),), "guess(1)": (Fraction(5, 3),), "leave": (Fraction(2),)}


@pytest.mark.parametrize("method", ["pimc", "alphamu"])
def test_deals_differ_by_what_was_earned_and_by_the_time(method):
    """A fourth of 4 has been found. Bob, who makes all moves alike, waits in a third of all plays: 1 is then worth a
    fourth, and else a half; and a guess is as good."""
    found = average_deals(after(AGAINST_ANOTHER, "rich", "put(0)"), method, 100, 2, 0, Limits(), ignore_progress)
    expected = 1 + Fraction(2, 3) * Fraction(1, 2) + Fraction(1, 3) * Fraction(1, 4)
    assert {each.payoff[0] for each in found.worths} == {expected}


def test_a_belief_is_about_positions():
    assert len(zermelo.belief(after(ALONE, "rich", "heads"), "Ann").positions) == 2
