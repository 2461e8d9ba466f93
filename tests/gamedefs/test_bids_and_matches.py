"""Oshi-Zumo, against a second program in plain Python that shares nothing with the project."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial

import pytest
from referee.matrix_games import matrix_game

import zermelo

COINS, SIZE = 3, 1

State = tuple[int, int, int]
"""Where the wrestler stands, and the coins of Left and of Right."""


def settled(state: State, least: int) -> Fraction | None:
    """What a state pays Left in which nobody bids any more."""
    wrestler, mine, theirs = state
    if abs(wrestler) > SIZE or max(mine, theirs) < max(least, 1):
        return Fraction((wrestler > 0) - (wrestler < 0))
    return None


def bids(coins: int, least: int) -> range:
    return range(least, coins + 1) if coins >= least else range(1)


def later(state: State, mine: int, theirs: int) -> State:
    wrestler, left, right = state
    return wrestler + (mine > theirs) - (theirs > mine), left - mine, right - theirs


def matrix(state: State, least: int, value: Callable[[State], Fraction]) -> list[list[Fraction]]:
    _, left, right = state
    return [[value(later(state, mine, theirs)) for theirs in bids(right, least)] for mine in bids(left, least)]


@cache
def limited(state: State, least: int, rounds: int) -> Fraction:
    """What Left gets if the place counts after some more rounds."""
    paid = settled(state, least)
    if paid is not None:
        return paid
    if rounds == 0:
        return Fraction((state[0] > 0) - (state[0] < 0))
    return matrix_game(matrix(state, least, lambda there: limited(there, least, rounds - 1)))[0]


@cache
def unlimited(state: State) -> Fraction:
    """Without a limit, and with bids of nothing: if both bid that, all is as it was. By Newton's method from 0, what
    endless plays pay, one comes to the number nearest to 0 that the round brings back (Everett, Recursive games, 1957).
    """
    paid = settled(state, 0)
    if paid is not None:
        return paid
    guess = Fraction(0)
    for _ in range(30):
        behind = partial(unlimited_but, state, guess)
        value, rows, columns = matrix_game(matrix(state, 0, behind))
        again = rows[0] * columns[0]
        if abs(value - guess) < Fraction(1, 10**14) or again == 1:
            return value
        guess = (guess + (value - guess) / (1 - again)).limit_denominator(10**18)
    raise AssertionError("Newton's method takes few steps")


def unlimited_but(state: State, number: Fraction, there: State) -> Fraction:
    """What a state is worth if one of them is worth this number."""
    return number if there == state else unlimited(there)


STARTS = [(0, 3, 2), (1, 2, 3), (-1, 3, 1), (0, 1, 2), (1, 1, 3)]
"""Uneven ones."""


def loaded(state: State, **parameters: int) -> zermelo.Game:
    wrestler, left, right = state
    setup = f"setup:\n    wrestler := {wrestler}\n    left[Left] := {left}\n    left[Right] := {right}\n"
    return zermelo.load_position("oshi_zumo", setup, coins=COINS, size=SIZE, **parameters)


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("start", STARTS)
def test_a_few_rounds(start: State, least: int) -> None:
    found = zermelo.solve(loaded(start, least=least, rounds=3))
    assert found.exact
    assert found.value[0] == limited(start, least, 3)


@pytest.mark.parametrize("start", STARTS)
def test_until_the_coins_are_gone(start: State) -> None:
    found = zermelo.solve(loaded(start, least=1))
    assert found.exact
    assert found.value[0] == limited(start, 1, 2 * COINS)


@pytest.mark.parametrize("start", STARTS)
def test_without_a_limit_to_bids_of_nothing(start: State) -> None:
    low, high = zermelo.solve(loaded(start)).interval
    assert high - low < 1e-12
    assert low - Fraction(1, 10**12) < unlimited(start) < high + Fraction(1, 10**12)


@pytest.mark.parametrize("parameters", [{"rounds": 7}, {"least": 1}, {"coins": 10, "least": 1}])
def test_whoever_has_as_much_gets_as_much(parameters: dict[str, int]) -> None:
    assert zermelo.solve(zermelo.load("oshi_zumo", **parameters)).value == (0, 0)


def test_one_coin_more_wins_for_certain_if_every_bid_costs_something() -> None:
    text = "setup:\n    left[Left] := 5\n    left[Right] := 4\n"
    assert zermelo.solve(zermelo.load_position("oshi_zumo", text, least=1)).value == (1, -1)


# Rock, paper, scissors until somebody has won so often.


BEATS = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


@cache
def value(ahead: int, behind: int) -> Fraction:
    """What the match is worth to somebody who needs so many points, when the other needs so many.

    All three throws are equally good. If both choose them at random, each of the two wins a throw that counts with
    probability 1/2.
    """
    if 0 in (ahead, behind):
        return Fraction(1 if ahead == 0 else -1)
    return (value(ahead - 1, behind) + value(ahead, behind - 1)) / 2


@pytest.mark.parametrize("one", BEATS)
@pytest.mark.parametrize("two", BEATS)
def test_a_throw_counts_unless_both_are_alike(start, one, two):
    play = start("rock_paper_scissors_match", goal=1)
    assert play.legal == {f"show({throw})" for throw in BEATS}
    play = play.then(f"show({one})", f"show({two})")
    if one == two:
        assert not play.ended
        assert play.machine.position(play.state) == play.machine.position(play.machine.initial())
    else:
        assert play.payoff == ((1, -1) if BEATS[one] == two else (-1, 1))


def test_the_match_goes_on_until_somebody_has_won_twice(start):
    play = start("rock_paper_scissors_match").then("show(rock)", "show(paper)", "show(rock)", "show(rock)")
    assert play.actor == "One"
    assert play.then("show(rock)", "show(scissors)", "show(paper)", "show(scissors)").payoff == (-1, 1)
    assert play.then("show(rock)", "show(scissors)", "show(paper)", "show(rock)").payoff == (1, -1)


@pytest.mark.parametrize("goal", [1, 2, 3])
def test_a_match_is_worth_nothing_at_its_beginning(goal):
    assert value(goal, goal) == 0
    low, high = zermelo.solve(zermelo.load("rock_paper_scissors_match", goal=goal)).interval or (0, 0)
    assert low <= 0 <= high and high - low < Fraction(1, 10**9)


def test_whoever_is_ahead_by_one_is_ahead_by_half_a_match():
    assert value(1, 2) == Fraction(1, 2)
    ahead = zermelo.load("rock_paper_scissors_match").initial.after("show(rock)").after("show(scissors)")
    low, high = zermelo.solve(ahead).interval or (Fraction(1, 2), Fraction(1, 2))
    assert low <= Fraction(1, 2) <= high and high - low < Fraction(1, 10**9)


# Brinkmanship: a threat that leaves something to chance.


def brinkmanship_value(steps: int, harm: int) -> tuple[Fraction, Fraction]:
    """By backward induction: who is to move before a step yields, unless they do better by taking it.

    Nobody takes the last step. Somebody takes a step before which the other would yield if the risk is worth it:
    with so small a chance r of disaster that -harm * r + (1 - r) > -1, that is r * (harm + 1) < 2.
    """
    mover, other = Fraction(-1), Fraction(1)
    for step in range(steps - 1, 0, -1):
        risk = Fraction(step, steps)
        taken = -harm * risk + (1 - risk) * other, -harm * risk + (1 - risk) * mover
        assert taken[0] != -1, "a tie"
        mover, other = taken if taken[0] > -1 else (Fraction(-1), Fraction(1))
    return mover, other


@pytest.mark.parametrize(("steps", "harm"), [(10, 5), (10, 2), (12, 6), (20, 8), (2, 1), (100, 100)])
def test_the_value(solution, steps, harm):
    assert solution("brinkmanship", ends=True, steps=steps, harm=harm).value == brinkmanship_value(steps, harm)


@pytest.mark.parametrize(("steps", "harm"), [(10, 5), (12, 6), (20, 8), (100, 100)])
def test_the_crisis_is_short(steps, harm):
    """If the harm is at least 5, at most one step is taken, by East: if the number of steps worth their risk is odd."""
    worth = sum(Fraction(step, steps) * (harm + 1) < 2 for step in range(1, steps))
    risk = Fraction(1, steps)
    begins = (1 - risk - harm * risk, -(1 - risk) - harm * risk)
    assert brinkmanship_value(steps, harm) == (begins if worth % 2 == 1 else (-1, 1))


def test_disaster_is_certain_at_the_last_step(start):
    play = start("brinkmanship", steps=2, harm=7).then("escalate", "luck", "escalate")
    assert play.legal == {"disaster"}
    assert play.then("disaster").payoff == (-7, -7)
