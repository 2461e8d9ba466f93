"""Chance: listing, drawing, and refusal of too many outcomes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, Move, PlayError
from zermelo.interpreter.reference import chance
from zermelo.interpreter.reference.chance import DealtOutcomes, ListedOutcomes
from zermelo.interpreter.values import OrderedSet, weighted_choice

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


MANY = """
    game "Draws of many"
    players Ann, Bob
    var deck: set of 1..6 = 1..6
    var hand[Player]: set of 1..6 = {}
    var shows[1..3]: 0..4 = 0
    start at deal
    phase deal:
        chance for p in Player:
            outcome deal(h in subsets(deck, 2)):
                hand[p] := h
                deck -= h
        then: go roll
    phase roll:
        chance for d in 1..3 if d < 3 or 1 in hand[Ann]:
            outcome roll(n in 1..4) weight n: shows[d] := n
        then: end payoff (sum d in 1..3: shows[d], 0)
"""


def test_many_draws_are_drawn_one_after_the_other(machine_of) -> None:
    """Hands are equally likely, also where several are dealt; dice are independent, with their weights."""
    machine = machine_of(MANY)
    found: Counter[tuple] = Counter()
    waiting = [(machine.initial(), Fraction(1))]
    while waiting:
        state, probability = waiting.pop()
        if machine.actor(state) == CHANCE:
            waiting += [(machine.after(state, o), probability * share) for o, share in machine.outcomes(state)]
        else:
            found[tuple(move.arguments for move in machine.play(state)), machine.payoff(state)[0]] += probability
    wanted = {}
    for ann, bob in product(combinations(range(1, 7), 2), repeat=2):
        if set(ann).isdisjoint(bob):
            for dice in product(range(1, 5), repeat=3 if 1 in ann else 2):
                play = (OrderedSet(ann),), (OrderedSet(bob),), *((n,) for n in dice)
                wanted[play, sum(dice)] = Fraction(prod(dice), comb(6, 2) * comb(4, 2) * 10 ** len(dice))
    assert found == wanted


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


# Payoffs at the end.


WIN = """
    game "Win"
    players 1..5 = 3
    start at play
    phase play:
        turn P1:
            move one: end win P1
            move first(n in 1..size(Player)): end win {p in Player if number(p) <= n}
            move nobody: end win {p in Player if number(p) > 9}
            move most(a in 0..2, b in 0..2, c in 0..2):
                end by {p: if p == P1 then a / 2 else if number(p) == 2 then b / 2 else c / 2 for p in Player}
            move draw: end draw
            move nothing: end
"""


@pytest.mark.parametrize(
    ("players", "move", "payoff"),
    [
        (1, "one", [1]),
        (2, "one", [1, -1]),
        (3, "one", [1, Fraction(-1, 2), Fraction(-1, 2)]),
        (3, "first(2)", [Fraction(1, 2), Fraction(1, 2), -1]),
        (3, "most(2, 2, 1)", [Fraction(1, 2), Fraction(1, 2), -1]),
        (3, "most(0, 2, 1)", [Fraction(-1, 2), 1, Fraction(-1, 2)]),
        (3, "most(1, 1, 1)", [0, 0, 0]),
        (2, "most(1, 2, 0)", [-1, 1]),
        (1, "most(1, 2, 0)", [0]),
        (3, "draw", [0, 0, 0]),
        (3, "nothing", [0, 0, 0]),
    ],
)
def test_winners_share_what_the_others_lose(machine_of, follow, players, move, payoff) -> None:
    machine = machine_of(WIN, players=players)
    assert machine.payoff(follow(machine, move)) == tuple(payoff)


@pytest.mark.parametrize(("move", "says"), [("nobody", "nobody wins"), ("first(3)", "everybody wins")])
def test_some_must_win_and_others_lose(machine_of, follow, move, says) -> None:
    machine = machine_of(WIN)
    with pytest.raises(PlayError) as caught:
        follow(machine, move)
    assert caught.value.code == "no-payoff"
    assert says in caught.value.message


PAY = """
    game "Pay"
    players A, B
    var who: Player = A
    start at play
    phase play:
        turn A:
            move both(p in Player): end payoff {p: 3, other p: 1/2}
            move pair(p in Player, n in 1..2): end payoff {A: 1, p: n, B: 2}
            move for_some(n in 0..2): end payoff {p: number(p) for p in Player if number(p) <= n}
            move largest_of_some(n in 0..2): end by {p: number(p) for p in Player if number(p) <= n}
            move largest_of_both(p in Player): end by {p: 3, other p: number(p)}
            move largest_of_pair(p in Player, n in 1..2): end by {A: 1, p: n, B: 2}
            move for_one(p in Player, n in 1..2): end payoff p: n / 2
"""


def test_payoffs_stand_in_the_order_of_the_players(machine_of, follow) -> None:
    machine = machine_of(PAY)
    assert machine.payoff(follow(machine, "both(B)")) == (Fraction(1, 2), 3)
    assert machine.payoff(follow(machine, "for_some(2)")) == (1, 2)
    assert machine.payoff(follow(machine, "pair(A, 1)")) == (1, 2)
    assert machine.payoff(follow(machine, "largest_of_both(B)")) == (-1, 1)
    assert machine.payoff(follow(machine, "largest_of_some(2)")) == (-1, 1)
    assert machine.payoff(follow(machine, "for_one(B, 1)")) == (Fraction(-1, 2), Fraction(1, 2))


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("pair(A, 2)", "conflicting-payoffs", "A is given two payoffs, 1 and 2"),
        ("largest_of_pair(A, 2)", "conflicting-payoffs", "A is given two numbers, 1 and 2"),
        ("largest_of_some(1)", "no-payoff", "B is given no number"),
        ("for_some(1)", "no-payoff", "B is given no payoff"),
        ("for_some(0)", "no-payoff", "A and B are given no payoff"),
    ],
)
def test_each_player_gets_one_payoff(machine_of, follow, move, code, says) -> None:
    machine = machine_of(PAY)
    with pytest.raises(PlayError) as caught:
        follow(machine, move)
    assert caught.value.code == code
    assert says in caught.value.message


# Deals are counted, numbered, drawn and restricted without a list; here, the list says what is right.


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
