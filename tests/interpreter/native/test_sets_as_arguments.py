"""Moves and outcomes whose argument is a set: their numbers hold its mask."""

from __future__ import annotations

from random import Random

import pytest
from all_machines import native_machine, python_machine
from played_alike import play_alike

import zermelo

DEAL = """
game "Deal"
players A, B
type Card = J < Q < K < X
var deck: set of Card = {K, Q, X}
var hand[Player]: set of Card = {}
var kept: set of Card = {}
start at deal
phase deal:
    chance:
        outcome cards(mine in subsets(Card, 2), theirs in subsets(deck, 2)) if no c in mine: c in theirs:
            hand[A] := mine
            hand[B] := theirs
            go play
phase play:
    turn A:
        move keep(cards in subsets(Card, 3)) if not any(hand[A] - cards) ensuring K in kept:
            kept := cards
            go show(B)
        move fold:
            go show(B)
phase show(p: Player):
    turn p:
        move show(card in hand[p]):
            end win (if card in kept then A else p)
"""


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_deals_and_choices_of_sets(make):
    game = zermelo.loads(DEAL)
    reference, machine = game.machine, make(game.model)
    assert machine.outcomes(machine.initial()) == reference.outcomes(reference.initial())
    random = Random(1)
    for _ in range(30):
        one, two = reference.initial(), machine.initial()
        move = random.choice(reference.outcomes(one))[0]
        one, two = reference.after(one, move), machine.after(two, move)
        play_alike(reference, machine, one, two, random)
