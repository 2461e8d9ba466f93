"""Chance: listing, drawing, and refusal of too many outcomes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, Move, PlayError
from zermelo.interpreter.reference import chance
from zermelo.interpreter.values import weighted_choice

DICE = """
    game "Dice"
    players A
    param sides: 0..6 = 3
    var total: -99..99 = 0
    start at roll
    phase roll:
        chance:
            outcome rolled(a in 1..sides, b in 1..sides) if a <= b weight (if a == b then 1 else 2):
                end payoff {A: a + b}
            outcome bonus(n in 1..2) weight n / 2 - 1/2:
                end payoff {A: 9}
        otherwise:
            end payoff {A: -1}
"""


def test_weights_are_normalised_and_zero_is_not_offered(machine_of) -> None:
    machine = machine_of(DICE, sides=2)
    outcomes = {str(move): weight for move, weight in machine.outcomes(machine.initial())}
    assert outcomes == {
        "rolled(1, 1)": Fraction(2, 9),
        "rolled(1, 2)": Fraction(4, 9),
        "rolled(2, 2)": Fraction(2, 9),
        "bonus(2)": Fraction(1, 9),
    }


def test_outcomes_are_followed_without_a_list(machine_of) -> None:
    machine = machine_of(DICE)
    state = machine.initial()
    assert machine.payoff(machine.after(state, Move("rolled", (1, 3)))) == (4,)
    for impossible in (Move("rolled", (3, 1)), Move("rolled", (1, 4)), Move("bonus", (1,)), Move("rolled", (None, 1))):
        with pytest.raises(ZermeloError) as caught:
            machine.after(state, impossible)
        assert caught.value.code == "illegal-move"


PROBABILITIES = """
    game "Probabilities"
    players A
    param half: 0..1 by 1/10 = 1/2
    param shift: -2..2 = 0
    start at flip
    phase flip:
        chance:
            outcome heads(n in 1..2) prob half / 2 + (n - 1) * shift:
                end payoff {A: n}
            outcome tails prob 1/2:
                end payoff {A: -1}
"""


def test_probabilities_are_taken_as_they_are(machine_of) -> None:
    machine = machine_of(PROBABILITIES)
    assert [weight for _, weight in machine.outcomes(machine.initial())] == [
        Fraction(1, 4),
        Fraction(1, 4),
        Fraction(1, 2),
    ]


@pytest.mark.parametrize(
    ("settings", "code", "says"),
    [
        ({"half": Fraction(2, 5)}, "bad-probabilities", "sum to 9/10"),
        ({"shift": -1}, "negative-weight", "heads gets -3/4"),
    ],
)
def test_probabilities_must_be_right(machine_of, settings, code, says) -> None:
    machine = machine_of(PROBABILITIES, **settings)
    for ask in (machine.outcomes, lambda state: machine.draw(state, Random(0))):
        with pytest.raises(PlayError) as caught:
            ask(machine.initial())
        assert caught.value.code == code
        assert says in caught.value.message


DEAL = """
    game "Deal"
    players A, B
    type Card = 1..cards
    param cards: 2..40 = 5
    param each: 0..10 = 2
    var hand[Player]: set of Card = {} private
    start at deal
    phase deal:
        chance:
            outcome deal(h in subsets(Card, each), k in subsets(Card - h, each)) if no c in h: c == 40:
                hand[A] := h
                hand[B] := k
                end draw
"""


def test_a_deal_of_millions_is_drawn_but_not_listed(machine_of, bundled) -> None:
    machine = machine_of(DEAL, cards=40, each=10)
    state = machine.initial()
    drawn = machine.draw(state, Random(1))
    h, k = drawn.arguments
    assert len(h) == len(k) == 10
    assert not h.members & k.members
    assert h.items == tuple(sorted(h.items))
    machine.after(state, drawn)
    with pytest.raises(ZermeloError) as caught:
        machine.outcomes(state)
    assert caught.value.code == "too-many-outcomes"
    whist = bundled("four_card_whist")
    assert len({str(whist.draw(whist.initial(), Random(seed))) for seed in range(20)}) == 20


UNEVEN = """
    game "Uneven"
    players A
    start at draw_lots
    phase draw_lots:
        chance:
            outcome pair(a in 1..4, b in a..4, c in {x in 1..4 if x != b}) if a + c > 2
                    weight (if b == 2 then 3 else b):
                end draw
            outcome single(s in subsets({1, 2, 3}, 2)) weight 1/2:
                end draw
"""


@pytest.mark.parametrize("text", [UNEVEN, DEAL, DICE])
def test_drawing_by_rejection_has_the_listed_distribution(machine_of, monkeypatch, text) -> None:
    monkeypatch.setattr(chance, "DRAW_LISTING_LIMIT", 0)
    listing = machine_of(text)
    expected = {str(move): weight for move, weight in listing.outcomes(listing.initial())}
    machine = machine_of(text)  # one that has listed no outcomes yet
    state = machine.initial()
    random = Random(7)
    count = 6000
    drawn = Counter(str(machine.draw(state, random)) for _ in range(count))
    assert state.outcomes is None
    assert set(drawn) <= set(expected)
    squares = sum((drawn[move] - count * weight) ** 2 / (count * weight) for move, weight in expected.items())
    freedom = len(expected) - 1
    assert squares < freedom + 5 * (2 * freedom) ** 0.5  # chi-squared: mean and five standard deviations


@given(st.lists(st.fractions(0, 3, max_denominator=7), min_size=1, max_size=6).filter(any), st.randoms())
def test_choose_never_takes_what_weighs_nothing(weights: list[Fraction], random: Random) -> None:
    assert weights[weighted_choice(weights, random)] > 0 or len(weights) == 1


def test_the_actor_is_chance(machine_of) -> None:
    machine = machine_of(DICE)
    assert machine.actor(machine.initial()) == CHANCE
    assert machine.moves(machine.initial()) == ()


def test_a_domain_that_goes_wrong_is_not_needed_where_the_guard_fails(machine_of) -> None:
    machine = machine_of("""
        game "A domain that goes wrong"
        players A
        var k: 0..3 = 1
        start at roll
        phase roll:
            chance:
                outcome small(n in 1..2):
                    k := n
                    end payoff {A: n}
                outcome odd(n in (reach m from {-2} + ((-1)..(-1)): (-5..-1) - {-3})) if k > 2:
                    end payoff {A: n}
    """)
    assert [str(move) for move, _ in machine.outcomes(machine.initial())] == ["small(1)", "small(2)"]
