"""Plays drawn by a particle filter, held against lists of all plays that fit."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

import zermelo
from tests.helpers.small_games import HIDDEN_DIE
from zermelo.solvers.beliefs import particles
from zermelo.solvers.beliefs.consistent_plays import Following, enumerate_belief, uniform_behaviour
from zermelo.solvers.beliefs.particles import GuidedDraws, SharedWays, draw_plays, move_particle
from zermelo.solvers.common.limits import Limits

HANDS = """\
game "Two hands and a stock"
players Ann, Bob
type Card = 1..8
var hand[Player]: set of Card = {}    private
start at deal
phase deal:
    chance:
        outcome deal(h in subsets(Card, 3), k in subsets(Card - h, 3)):
            hand[Ann] := h
            hand[Bob] := k
            go play(Bob)
phase play(p: Player):
    if size(hand[p]) == 1: end payoff {Ann: 0, Bob: 0}
    turn p:
        move play(c in hand[p]) if c % 2 == 0 or no d in hand[p]: d % 2 == 0:
            hand[p] -= {c}
            go play(other p)
"""

CARD_BY_CARD = """\
game "Cards dealt one by one"
players Ann, Bob
type Card = 1..7
var hand[Player]: set of Card = {}    private
define dealt = size(hand[Ann]) + size(hand[Bob])
start at deal
phase deal:
    if dealt == 4: go WHAT_FOLLOWS
    chance:
        outcome deal(c in {c in Card if no p in Player: c in hand[p]}) weight c:
            hand[Player(dealt % 2 + 1)] += {c}
            go deal
phase exchange:
    chance:
        outcome exchange:
            hand[Ann] := hand[Bob]
            hand[Bob] := hand[Ann]
            go play(Bob)
        outcome keep weight 3: go play(Bob)
phase play(p: Player):
    if size(hand[p]) == 1: end payoff {Ann: 0, Bob: 0}
    turn p:
        move play(c in hand[p]) if c % 2 == 0 or no d in hand[p]: d % 2 == 0:
            hand[p] -= {c}
            go play(other p)
"""

REFILLED = """\
game "A hand is refilled after a move"
players Ann, Bob
type Card = 1..9
var hand[Player]: set of Card = {}    private
var gone: set of Card = {}
define stock = {c in Card if c not in gone and no p in Player: c in hand[p]}
start at deal
phase deal:
    chance:
        outcome deal(a in Card, b in Card) if a != b:
            hand[Ann] := {a}
            hand[Bob] := {b}
            go play(Ann)
phase play(p: Player):
    turn p:
        move fill: go draw(p)
        move away:
            gone += hand[p]
            hand[p] := {}
            go draw(p)
phase draw(p: Player):
    if size(hand[p]) == 3:
        if size(hand[other p]) < 3: go play(other p)
        go look(p)
    chance:
        outcome draw(c in stock):
            hand[p] += {c}
            go draw(p)
phase look(p: Player):
    turn p:
        move look: end draw
"""


def played(game, seed, moves):
    """A state after a random deal and so many random moves."""
    random = Random(seed)
    state = game.initial
    while state.actor == zermelo.CHANCE:
        state = state.after(state.sample_space.draw(random))
    for _ in range(moves):
        state = state.after(random.choice(state.moves))
    return state


def following(state):
    game, player = state.game, state.actor
    return Following(game.machine, game.number(player), state.information_state(player), uniform_behaviour)


def hidden_cards(machine_state, machine, player):
    """The cards that the other player holds."""
    deal = machine.play(machine_state)[0]
    return deal.arguments[1 - player].members


@pytest.mark.parametrize("moves", [1, 2, 3, 4])
def test_moves_leave_a_belief_as_it_is(moves):
    """Of plays that are distributed as the belief, each moved once, the same share holds each card."""
    state = played(zermelo.load("four_card_whist", each=3), 5, moves)
    here = following(state)
    exact = enumerate_belief(here, Limits())
    random = Random(1)
    chances = [float(each.probability) for each in exact.positions]
    drawn = random.choices(exact.positions, chances, k=800)
    after = [move_particle(SharedWays(here), each.state, here.is_there, random) for each in drawn]
    assert sum(a is not b.state for a, b in zip(after, drawn, strict=True)) > 150
    shares = Counter(card for each in after for card in hidden_cards(each, here.machine, here.player))
    expected = Counter()
    for each in exact.positions:
        for card in hidden_cards(each.state, here.machine, here.player):
            expected[card] += each.probability
    assert shares.keys() <= expected.keys()
    for card, probability in expected.items():
        assert abs(shares[card] / 800 - probability) <= 4.5 * sqrt(probability * (1 - probability) / 800) + 0.001


def test_moves_keep_to_the_weights_of_deals():
    """Ann is likely to have the 8, and remains so after cards have changed places."""
    deal = "outcome deal(h in subsets(Card, 3), k in subsets(Card - h, 3))"
    state = played(zermelo.loads(HANDS.replace(deal, f"{deal} weight (if 8 in h then 20 else 1)")), 0, 0)
    here, random = following(state), Random(2)
    plays = enumerate_belief(here, Limits()).positions
    drawn = random.choices(plays, [float(each.probability) for each in plays], k=150)
    after = [move_particle(SharedWays(here), each.state, here.is_there, random) for each in drawn]
    assert sum(a is not b.state for a, b in zip(after, drawn, strict=True)) > 50
    assert sum(8 in hidden_cards(each, here.machine, here.player) for each in after) / 150 > 0.9, "it is 30/31"


UNCOUNTED = """\
game "A draw among too many outcomes to count"
players Ann, Bob
var most: 1..1001 = 1    hidden
start at choose
phase choose:
    turn Bob:
        move few secret: go draw
        move many secret:
            most := 1001
            go draw
phase draw:
    chance:
        outcome draw(a in 1..most, b in 1..most) if (a + b) % 2 == 0: go hide
phase hide:
    turn Bob:
        move left secret: go guess
        move right secret: go guess
phase guess:
    turn Ann:
        move guess: end draw
"""


@pytest.mark.parametrize("choice", ["few", "many"])
def test_what_lies_before_a_draw_that_cannot_be_counted_stays(choice):
    """After either choice the draw may be the same, but nothing would lead back from few outcomes to many."""
    state = zermelo.loads(UNCOUNTED).initial.after(choice).after("draw(1, 1)").after("left")
    here, random = following(state), Random(1)
    moved = (move_particle(SharedWays(here), state.machine_state, here.is_there, random) for _ in range(20))
    plays = {", ".join(map(str, here.machine.play(each))) for each in moved}
    assert plays == {f"{choice}, draw(1, 1), {side}" for side in ("left", "right")}


@pytest.mark.parametrize("moves", [3, 4])
def test_a_hand_of_cards_late_in_a_play(moves):
    """Hardly a deal that is drawn blindly would fit what has been played; the particles come near the exact belief."""
    here = following(played(zermelo.load("four_card_whist", each=3), 0, moves))
    exact = {here.machine.position(each.state): each for each in enumerate_belief(here, Limits()).positions}
    expected, by_card = Counter(), Counter()
    for each in exact.values():
        for card in hidden_cards(each.state, here.machine, here.player):
            expected[card] += each.probability
    for seed in range(5):
        drawn = draw_plays(here, Random(seed), 100, Limits())
        assert all(here.is_there(state) and here.machine.position(state) in exact for state, _ in drawn.states)
        assert sum(weight for _, weight in drawn.states) == 1 and 0 < drawn.effective <= 100
        for state, weight in drawn.states:
            for card in hidden_cards(state, here.machine, here.player):
                by_card[card] += weight / 5
    for card, probability in expected.items():
        assert abs(by_card[card] - probability) <= 5 * sqrt(probability * (1 - probability) / 125)


def test_there_are_deals_at_every_decision_of_a_long_play():
    game = zermelo.load("four_card_whist", each=6)
    random = Random(2)
    state, drawn = game.initial, 0
    while not state.is_over:
        if state.actor == zermelo.CHANCE:
            state = state.after(state.sample_space.draw(random))
            continue
        found = draw_plays(following(state), random, 40, Limits())
        assert found.states and sum((weight for _, weight in found.states), Fraction(0)) == 1
        drawn += 1
        state = state.after(random.choice(state.moves))
    assert drawn >= 4


def test_the_same_seed_draws_the_same():
    here = following(played(zermelo.load("four_card_whist", each=4), 1, 5))
    first, second = (draw_plays(here, Random(7), 50, Limits()) for _ in range(2))
    plays = [[(here.machine.play(state), weight) for state, weight in each.states] for each in (first, second)]
    assert plays[0] == plays[1]


def test_what_is_kept_of_other_plays_changes_nothing(monkeypatch):
    """A particle that goes a way by itself comes to the same as one that shares it with others."""
    here = following(played(zermelo.loads(CARD_BY_CARD.replace("WHAT_FOLLOWS", "play(Bob)")), 2, 1))
    shared = draw_plays(here, Random(5), 60, Limits())
    monkeypatch.setattr(particles, "_MOST_KEPT", 1)
    alone = draw_plays(here, Random(5), 60, Limits())
    plays = [[(here.machine.play(state), weight) for state, weight in each.states] for each in (shared, alone)]
    assert plays[0] == plays[1] and shared.effective == alone.effective


def test_single_values_and_sets_are_exchanged():
    """Dice are drawn anew or exchanged, hands card by card; both come near the exact belief."""
    for game, moves in ((zermelo.loads(HIDDEN_DIE), 0), (zermelo.loads(HANDS), 3)):
        here = following(played(game, 3, moves))
        exact = {
            here.machine.position(each.state): each.probability for each in enumerate_belief(here, Limits()).positions
        }
        drawn = draw_plays(here, Random(1), 800, Limits())
        near = Counter()
        for state, weight in drawn.states:
            near[here.machine.position(state)] += weight
        assert near.keys() <= exact.keys()
        for position, probability in exact.items():
            assert abs(near[position] - probability) <= 5 * sqrt(probability * (1 - probability) / 400) + 0.01


@pytest.mark.parametrize("follows", ["play(Bob)", "exchange"])
@pytest.mark.parametrize("moves", [0, 1])
def test_cards_dealt_one_by_one(follows, moves):
    """Each card is guided to the hand that is seen after the last one. If hands may then be exchanged, the guide is
    wrong, and the belief none the worse."""
    here = following(played(zermelo.loads(CARD_BY_CARD.replace("WHAT_FOLLOWS", follows)), 2, moves))
    exact, near = Counter(), Counter()
    for each in enumerate_belief(here, Limits()).positions:
        exact[here.machine.position(each.state)] = each.probability
    drawn = draw_plays(here, Random(4), 1000, Limits())
    for state, weight in drawn.states:
        near[here.machine.position(state)] += weight
    assert drawn.effective >= 100 and near.keys() <= exact.keys()
    for position, probability in exact.items():
        assert abs(near[position] - probability) <= 5 * sqrt(probability * (1 - probability) / 100) + 0.01


@pytest.mark.parametrize("chosen", [("fill",), ("away",), ("away", "fill")])
def test_cards_drawn_after_a_move(chosen):
    """A row of draws may be too much to look at together where it follows a decision, too."""
    random, state = Random(3), played(zermelo.loads(REFILLED), 3, 0)
    for move in chosen:
        state = state.after(move)
        while state.actor == zermelo.CHANCE:
            state = state.after(state.sample_space.draw(random))
    here = following(state)
    exact, near = Counter(), Counter()
    for each in enumerate_belief(here, Limits()).positions:
        exact.update(dict.fromkeys(hidden_hand(here, each.state), each.probability))
    for seed in range(4):
        for each, weight in draw_plays(here, Random(seed), 200, Limits()).states:
            near.update(dict.fromkeys(hidden_hand(here, each), weight / 4))
    assert near.keys() <= exact.keys()
    for card, probability in exact.items():
        assert abs(near[card] - probability) <= 5 * sqrt(probability * (1 - probability) / 200) + 0.01


def hidden_hand(here, state):
    """The cards that the other player holds now."""
    hands = {e.indices[0].index: e.value for e in here.machine.entries(state) if e.variable == "hand"}
    return hands[1 - here.player].members


def test_a_guided_draw_weighs_what_it_was_made_more_likely_by():
    """On average over the draw, an outcome counts for its probability."""
    guide = GuidedDraws(following(played(zermelo.loads(CARD_BY_CARD.replace("WHAT_FOLLOWS", "exchange")), 2, 0)))
    machine = guide.following.machine
    mean, draws, random = Counter(), 20_000, Random(0)
    for _ in range(draws):
        state, factor = guide.drawn(machine.initial(), random)
        mean[machine.play(state)[0]] += factor / draws
    assert len(mean) == 7
    for outcome, chance in machine.outcomes(machine.initial()):
        assert abs(mean[outcome] / chance - 1) <= 0.35
