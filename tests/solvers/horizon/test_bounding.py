"""Bounds by a horizon: against published values, closed forms, and the same games written so that all is public."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.solution import Certainty

TIGER = """\
game "The tiger for ever"
players Seeker
discount {discount}
type Side = left | right
var tiger: Side   hidden
start at hide
phase hide:
    chance:
        outcome hide(s in Side):
            tiger := s
            go act
phase act:
    turn Seeker:
        move listen:
            earn Seeker: -1
            go hear
        move open(s in Side):
            earn Seeker: if s == tiger then -100 else 10
            go hide
phase hear:
    chance:
        outcome rightly prob 17 / 20:
            tell Seeker that growl(tiger)
            go act
        outcome wrongly prob 3 / 20:
            tell Seeker that growl(if tiger == left then right else left)
            go act
"""

HIDDEN = """\
game "Hide and guess for ever"
players Ann, Bob
discount 1/2
type Side = heads | tails
var kept: Side = heads  hidden
start at hide
phase hide:
    turn Ann:
        move put(s in Side) secret:
            kept := s
            go guess
phase guess:
    turn Bob:
        move say(s in Side):
            let paid = if s == kept then (if s == heads then {both_heads} else {both_tails}) else {apart}
            earn Ann: paid
            earn Bob: -paid
            reveal kept
            go hide
"""

UNCOUNTED = """\
game "Nobody knows how long"
players Ann, Bob
discount 1/2
var steps: 0..1 = 0   hidden
start at wait
phase wait:
    chance:
        outcome short: go choose
        outcome long: go pause
phase pause:
    chance:
        outcome on: go choose
        outcome off: go choose
phase choose:
    turn Ann:
        move left secret: go answer(0)
        move right secret: go answer(1)
phase answer(secret n: 0..1):
    turn Bob:
        move left secret:
            earn Ann: if n == 0 then 3 else -1
            earn Bob: if n == 0 then -3 else 1
            go wait
        move right secret:
            earn Ann: if n == 1 then 2 else -1
            earn Bob: if n == 1 then -2 else 1
            go wait
"""


SEARCH = """\
game "Somebody hides once"
players Ann, Bob
discount 1/2
type Place = here | there | elsewhere
var hidden: Place = here  hidden
start at hide
phase hide:
    turn Ann:
        move hide(s in Place) secret:
            hidden := s
            go search
phase search:
    turn Bob:
        move look(s in Place):
            if s == hidden:
                earn Bob: 1
                earn Ann: -1
            go search
"""

OPPOSITE = """\
game "What chance takes comes later"
players Ann
discount 1/2
var coin: 0..1 = 0  hidden
start at act
phase act:
    turn Ann:
        move take:
            earn Ann: 10
            go draw
phase draw:
    chance:
        outcome one:
            coin := 0
            earn Ann: -8
            go act
        outcome other:
            coin := 1
            earn Ann: -8
            go act
"""

EARNED = "            earn Ann: paid\n            earn Bob: -paid\n"
ENDING = HIDDEN.replace("discount 1/2\n", "").format(both_heads=1, both_tails=1, apart=-1)

ENDLESS = ENDING.replace("start at", "endless draw\nstart at")


def solved(text: str, depth: int | None = None, solver: str | None = None):
    game = zermelo.loads(text)
    limits = Limits() if depth is None else Limits(depth=depth)
    return solve(game.searching, game.facts, solver, limits=limits)


def bounds(solution) -> tuple[Fraction, Fraction]:
    return (solution.value[0],) * 2 if solution.interval is None else solution.interval


@pytest.mark.parametrize(("discount", "published", "depth"), [("3/4", 1.93, 8), ("19/20", 19.37, 16)])
def test_the_tiger_lies_within_the_bounds(discount, published, depth):
    """The values of the uniform belief for ever: 1.93 with a discount of 0.75 (Cassandra's file), 19.37 with 0.95 (what
    point-based solvers report)."""
    found = solved(TIGER.format(discount=discount), depth)
    low, high = bounds(found)
    assert found.solver == "belief_horizon" and found.certainty is Certainty.BOUNDED
    assert low - Fraction("0.01") < Fraction(str(published)) < high


def test_deeper_bounds_lie_within_those_before():
    for text in (TIGER.format(discount="3/4"), HIDDEN.format(both_heads=2, both_tails=1, apart=-1), UNCOUNTED):
        found = [bounds(solved(text, depth)) for depth in range(1, 4)]
        for (low, high), (lower, higher) in zip(found[1:], found, strict=False):
            assert lower <= low <= high <= higher
        assert found[-1][1] - found[-1][0] < (found[0][1] - found[0][0]) * Fraction(2, 3)


@given(st.tuples(*[st.integers(-3, 3)] * 3))
@settings(max_examples=many(12), deadline=None)
def test_a_game_that_is_repeated_is_worth_the_sum_of_its_rounds(paid):
    """A round of two decisions pays the value v of its matrix behind the first one: d v + d^3 v + ... = d v / (1 - d^2)
    with the discount d = 1/2."""
    heads, tails, apart = map(Fraction, paid)
    saddle = max(min(heads, apart), min(apart, tails))
    if saddle == min(max(heads, apart), max(apart, tails)):
        value = saddle
    else:
        value = (heads * tails - apart * apart) / (heads + tails - 2 * apart)
    low, high = bounds(solved(HIDDEN.format(both_heads=heads, both_tails=tails, apart=apart), 8))
    assert low <= value * Fraction(1, 2) / (1 - Fraction(1, 4)) <= high
    assert high - low <= Fraction(1, 10)


def test_the_default_stops_where_it_always_does():
    text = HIDDEN.format(both_heads=2, both_tails=1, apart=-1)
    one, again = solved(text), solved(text)
    assert one.solver == "horizon" and one.interval == again.interval
    low, high = one.interval
    assert low <= Fraction(1, 5) * Fraction(2, 3) <= high and high - low < Fraction(1, 50)


def test_each_strategy_secures_its_bound():
    """Against the strategies found, exact best responses in the cut games bring just the bounds: so say the losses."""
    found = solved(HIDDEN.format(both_heads=2, both_tails=1, apart=-1), 2)
    assert [strategy.player for strategy in found.strategies] == ["Ann", "Bob"]
    for strategy in found.strategies:
        for decision in strategy.decisions.met:
            assert decision.losses is not None
            assert all(not loss for loss, made in zip(decision.losses, decision.probabilities, strict=True) if made)


@pytest.mark.parametrize("name", ["kuhn_poker", "four_card_hand"])
def test_a_horizon_behind_all_ends_gives_the_value(name):
    game = zermelo.load(name)
    found = solve(game.searching, game.facts, "horizon", limits=Limits(depth=30))
    assert found.exact and found.value == zermelo.solve(game).value
    assert found.interval is None


def test_without_a_discount_the_payoffs_bound_the_rest():
    ending = ENDLESS.replace(EARNED, "            if paid > 0: end win Ann\n")
    low, high = bounds(solved(ending, 6))
    assert (low, high) == (Fraction(3, 4), 1), "Ann wins a round with probability 1/2; three are over, or it goes on"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENDING.replace(EARNED, EARNED + "            if paid > 0: end\n"), "what an endless play is worth"),
        (ENDLESS.replace(EARNED, EARNED + "            if paid > 0: end\n"), "what an endless play is worth"),
        (ENDING.replace(EARNED, "            if paid > 0: end win Ann\n"), "what an endless play is worth"),
        (UNCOUNTED.replace("outcome off: go choose", "outcome off: go pause"), "can go round without a decision"),
    ],
)
def test_what_has_no_bounds_is_refused(text, said):
    with pytest.raises(ZermeloError, match=said) as refused:
        solved(text, 3, "horizon")
    assert refused.value.code == "needs-bounds"


def test_what_chance_takes_behind_a_decision_counts_less():
    """10 for each move and then -8, discounted by 1/2: a row of steps of 10 - 4, so 6 / (1 - 1/2)."""
    for depth in (1, 4, 8):
        low, high = bounds(solved(OPPOSITE, depth, "belief_horizon"))
        assert low <= 12 <= high and high - low <= 8 * Fraction(1, 2) ** depth


def test_a_player_who_decides_once_does_not_keep_the_tree_from_ending():
    """Ann hides and Bob looks, again and again: he gains something, and no more than 1/2 + 1/4 + ..., by which his
    looks count, as if he knew."""
    low, high = bounds(solved(SEARCH, 4))
    assert -1 <= low <= high < 0


def test_three_players_are_refused():
    with pytest.raises(ZermeloError) as refused:
        solved(HIDDEN.replace("Bob", "Bob, Carol", 1).format(both_heads=1, both_tails=1, apart=-1), 2, "horizon")
    assert refused.value.code == "needs-two-players"
