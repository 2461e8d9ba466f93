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
