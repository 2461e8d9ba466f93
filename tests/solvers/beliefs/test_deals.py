"""Beliefs about hands of cards, of which the deals are too many to list; the numbers are those of combinations."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import pytest

import zermelo
from zermelo.solvers.beliefs import consistent_plays, particles

DEAL = "deal({(two, clubs), (three, clubs), (four, hearts)}, {(six, clubs), (nine, clubs), (nine, spades)})"


@pytest.fixture(scope="module")
def whist():
    return zermelo.load("four_card_whist", each=3).initial


def hand_of_east(state):
    """The cards that East holds."""
    (hand,) = (entry.value for entry in state.view("East") if entry.variable == "hand")
    return frozenset(hand)


def test_deals_are_too_many_to_list(whist):
    assert whist.sample_space.count == comb(32, 3) * comb(29, 3) == 18_123_840


@pytest.mark.parametrize(
    ("played", "player", "positions"),
    [("", "North", comb(29, 3)), ("", "East", comb(29, 3)), ("; lead((two, clubs))", "East", comb(28, 2))],
)
def test_what_the_others_may_hold(whist, played, player, positions):
    state = whist.after(DEAL)
    if played:
        state = state.after("lead((two, clubs))")
    belief = zermelo.belief(state, player)
    assert belief.is_exact
    assert len(belief.positions) == positions
    assert {position.probability for position in belief.positions} == {Fraction(1, positions)}


def test_what_a_card_says_of_the_rest(whist):
    """Who follows with a club at random does so the less probably, the more clubs they hold."""
    state = whist.after(DEAL).after("lead((two, clubs))").after("follow((six, clubs))")
    space = whist.sample_space
    deck = {card for k in range(0, space.count, comb(29, 3)) for card in space.unrank(k).arguments[0]}
    assert len(deck) == 32
    own, theirs = (hand.members for hand in whist.find(DEAL).arguments)
    six = next(card for card in theirs if str(card) == "(six, clubs)")
    rests = list(map(frozenset, combinations(deck - own - {six}, 2)))
    weights = {rest: Fraction(1, 1 + sum(card[1] is six[1] for card in rest)) for rest in rests}
    belief = zermelo.belief(state, "North")
    assert belief.is_exact
    assert {hand_of_east(each.state): each.probability for each in belief.positions} == {
        rest: weight / sum(weights.values()) for rest, weight in weights.items()
    }


def test_samples_where_not_even_the_deals_that_fit_are_listed(whist, monkeypatch):
    """All deals that are drawn fit, so all samples weigh the same: as one of all first hands."""
    monkeypatch.setattr(consistent_plays, "MOST_STATES", 1_000)
    monkeypatch.setattr(particles, "_MOST_LISTED", 1_000)
    state = whist.after(DEAL)
    belief = zermelo.belief(state, "North", samples=50)
    assert not belief.is_exact
    assert (belief.drawn, belief.effective) == (50, 50)
    assert {position.state.view("North") for position in belief.positions} == {state.view("North")}
    assert zermelo.belief(state, "North", seed=1).effective == particles.SAMPLES


def test_deals_that_nobody_counts_are_drawn():
    """What does not fit is a dead end."""
    game = zermelo.loads(
        """\
game "Uncounted"
players A, B
type Card = 1..60
var level: 0..600 = 0
start at deal
phase deal:
    chance:
        outcome deal(h in subsets(Card, 5)) if no c in h: c == 60:
            level := if some c in h: c < 4 then 1 else 2
            go guess
phase guess:
    turn A:
        move stop: end draw
"""
    )
    state = game.initial.after(game.initial.draw(Random(3)))
    belief = zermelo.belief(state, "A", samples=40)
    assert not belief.is_exact
    assert 0 < belief.effective <= 40
