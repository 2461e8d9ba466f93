"""Deals are counted, numbered, drawn and restricted without a list; here, the list says what is right."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, PlayError
from zermelo.interpreter.reference.chance import DealtOutcomes, ListedOutcomes

GAME = """
    game "Deals"
    players A, B
    type Card = 1..7
    type Wide = 1..60
    type Piece = pawn | rook | king
    param on: 0..1 = 1
    param size: 0..9 = 2
    var table: set of Card = {{5, 2, 7}}
    start at deal
    phase deal:
        chance:
            {}
"""

DEALT = [
    ["deal(h in subsets(Card, 2), k in subsets(Card - h, 3))"],
    ["deal(h in subsets(Card - {4}, 2), k in subsets(Card - h - {4}, 2), m in Card - (h + k) - {4})"],
    ["deal(a in Card, b in Card - {a}, c in subsets(Card - {a, b}, 2))"],
    ["deal(a in Card, b in Card) if a != b", "none_at_all weight 5"],
    ["deal(a in Piece, b in Piece - {a}, c in Piece - {a, b})"],
    ["deal(a in 1..3, h in subsets(table, size), p in Piece)"],
    ["deal(h in subsets(Card, 2), k in subsets({1, 2, 3}, 1))"],
    ["deal(h in subsets({1, 2, 3}, 2), k in subsets(Card - h, 2)) weight 1/3", "other(p in Piece) if on == 1 weight 2"],
    ["deal(h in subsets(Card, 1), p in Piece) prob on / 42", "other(p in Piece) prob 1/6"],
    ["deal(h in subsets(Card, size * 4), k in Card)", "other(h in subsets(Card, 7))"],
    ["deal(h in subsets({6, 7}, 1), k in subsets({1, 2, 3} - h, 1))"],
]

LISTED = [
    ["deal(h in subsets({1, 2, 3}, 2), k in subsets({3, 4, 5} - h, 1))"],  # the choices for k depend on h
    ["deal(h in subsets(Card, 2), k in subsets(Card, 2), m in Card - (h + k))"],  # h and k may meet
    ["deal(a in Card, b in Card) if a < b"],
    ["deal(a in Card) weight a"],
    ["deal(h in subsets(Card, 2), a in h)"],
    ["deal(a in 1..2, h in subsets(Card, a))"],
    ["deal(h in subsets(Card, 2), a in Card) if a not in h"],
]


def text_of(rules: list[str]) -> str:
    return GAME.format("\n            ".join(f"outcome {rule}:\n                end draw" for rule in rules))


@pytest.mark.parametrize("rules", DEALT + LISTED, ids=lambda rules: rules[0])
def test_outcomes_are_those_of_the_list_in_its_order(machine_of, rules) -> None:
    machine = machine_of(text_of(rules))
    state = machine.initial()
    space, listed = machine.sample_space(state), machine.outcomes(state)
    assert isinstance(space, DealtOutcomes if rules in DEALT else ListedOutcomes)
    assert tuple(space) == listed
    assert space.count == len(listed)
    assert space.mass == 1
    for number, (outcome, probability) in enumerate(listed):
        assert space.unrank(number) == outcome
        assert space.rank(outcome) == number
        assert space.probability(outcome) == probability
    for number in (-1, len(listed)):
        with pytest.raises(IndexError):
            space.unrank(number)


@pytest.mark.parametrize("rules", DEALT + LISTED, ids=lambda rules: rules[0])
def test_what_is_given_restricts_the_outcomes(machine_of, rules) -> None:
    machine = machine_of(text_of(rules))
    state = machine.initial()
    space, listed = machine.sample_space(state), machine.outcomes(state)
    for example, _ in Random(1).sample(listed, min(4, len(listed))):
        for chosen in product((False, True), repeat=len(example.arguments)):
            known = {k: value for k, value in enumerate(example.arguments) if chosen[k]}
            event = space.given({example.name: known})
            expected = {
                outcome: probability
                for outcome, probability in listed
                if outcome.name == example.name and all(outcome.arguments[k] == known[k] for k in known)
            }
            assert event is not None
            assert [outcome for outcome, _ in event] == list(expected)
            assert event.mass == sum(expected.values())
            assert all(event.probability(each) == chance / event.mass for each, chance in expected.items())
            assert event.draw(Random(2)) in expected


def test_what_cannot_be_is_not_counted(machine_of) -> None:
    machine = machine_of(text_of(DEALT[0]))
    space = machine.sample_space(machine.initial())
    h, k = space.unrank(0).arguments
    wrong = [("deal", (h, h)), ("deal", (k, h)), ("deal", (h,)), ("other", (h, k)), ("deal", (1, k))]
    for name, arguments in wrong:
        assert space.rank(Move(name, arguments)) is None
        assert space.probability(Move(name, arguments)) == 0
    for known in ({0: k}, {0: h, 1: h}, {0: 1}):
        event = space.given({"deal": known})
        assert (event.count, event.mass, list(event)) == (0, 0, [])
    event = space.given({"deal": {0: h}})
    assert event.given({"deal": {1: k}}).mass == Fraction(1, space.count)
    assert event.given({"deal": {0: k}}).mass == 0


@given(st.integers(0, 736_281_000 - 1))
def test_ranks_of_a_deal_of_millions(number: int) -> None:
    space = whist()
    deal = space.unrank(number)
    assert space.rank(deal) == number
    assert space.probability(deal) == Fraction(1, 736_281_000)


@given(st.integers(0, comb(32, 4) - 1))
def test_a_known_hand_leaves_the_other_to_be_drawn(number: int) -> None:
    space = whist()
    cards = space.unrank(number * comb(28, 4)).arguments[0]
    for k in (0, 1):
        event = space.given({"deal": {k: cards}})
        assert event.count == comb(28, 4)
        assert event.mass == Fraction(1, comb(32, 4))
        drawn = event.draw(Random(number))
        assert drawn.arguments[k] == cards
        assert not drawn.arguments[1 - k].members & cards.members
        assert event.unrank(event.rank(drawn)) == drawn


_WHIST = []


def whist():
    if not _WHIST:
        import zermelo

        machine = zermelo.load("four_card_whist").machine
        _WHIST.append(machine.sample_space(machine.initial()))
    return _WHIST[0]


def test_counts_of_whist() -> None:
    assert whist().count == comb(32, 4) * comb(28, 4) == 736_281_000


@pytest.mark.parametrize("rules", [DEALT[k] for k in (0, 1, 2, 3, 4, 7, 8)], ids=lambda rules: rules[0])
def test_draws_have_the_listed_distribution(machine_of, rules) -> None:
    machine = machine_of(text_of(rules))
    space = machine.sample_space(machine.initial())
    expected = dict(machine.outcomes(machine.initial()))
    random, count = Random(3), 40 * len(expected)
    drawn = Counter(space.draw(random) for _ in range(count))
    assert set(drawn) <= set(expected)
    squares = sum((drawn[move] - count * weight) ** 2 / (count * weight) for move, weight in expected.items())
    freedom = len(expected) - 1
    assert squares < freedom + 5 * (2 * freedom) ** 0.5  # chi-squared: mean and five standard deviations


def test_probabilities_of_deals_are_checked(machine_of) -> None:
    machine = machine_of(text_of(["deal(h in subsets(Card, 3), k in subsets(Card - h, 2)) prob 1/100"]))
    with pytest.raises(PlayError) as raised:
        machine.sample_space(machine.initial())
    assert raised.value.code == "bad-probabilities"


def test_only_chance_has_outcomes(machine_of) -> None:
    machine = machine_of(text_of(DEALT[0]))
    ended = machine.after(machine.initial(), machine.sample_space(machine.initial()).unrank(0))
    with pytest.raises(ZermeloError) as raised:
        machine.sample_space(ended)
    assert raised.value.code == "illegal-move"


def test_what_is_neither_dealt_nor_short_is_refused(machine_of) -> None:
    wide = "deal(h in subsets(Wide, 4), k in subsets(Wide - h, 4)) if all c in h: c > 2"
    machine = machine_of(text_of([wide]))
    with pytest.raises(ZermeloError) as raised:
        machine.sample_space(machine.initial())
    assert raised.value.code == "too-many-outcomes"
    assert machine.draw(machine.initial(), Random(0)).name == "deal"
