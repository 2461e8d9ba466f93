"""Gambler's ruin: the fifth problem of Huygens, De ratiociniis in ludo aleae, 1657."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from second_program import Edge, Node, agree, bounds, end

THROWS = [sum(dice) for dice in product(range(1, 7), repeat=3)]


def program(counters: int):
    """Positions are the counters of the first player."""

    def node(mine: int) -> Node:
        if mine in (0, 2 * counters):
            return end(1 if mine else -1)
        ways = {"eleven": (-1, THROWS.count(11)), "fourteen": (1, THROWS.count(14))}
        ways["another"] = 0, 216 - sum(count for _, count in ways.values())
        return Node("chance", {name: Edge(mine + won, Fraction(count, 216)) for name, (won, count) in ways.items()})

    return node


def chance_of_the_first(counters: int) -> Fraction:
    """To Ann's 15 throws there are Bob's 27: the odds are the power of their ratio, as Huygens says."""
    odds = Fraction(15, 27) ** counters
    return odds / (1 + odds)


def test_the_rules_are_those_of_the_second_program(start):
    assert agree(start("gamblers_ruin"), program(12), 12) == 23


def test_the_odds_are_those_that_huygens_gave():
    chance = chance_of_the_first(12)
    assert chance / (1 - chance) == Fraction(244_140_625, 282_429_536_481)


@pytest.mark.parametrize("counters", [1, 2, 5])
def test_value_iteration_agrees_with_the_closed_form(counters):
    low, high = bounds(program(counters), counters, "Ann", (-1, 1))
    assert high - low < 1e-9
    assert low - 1e-12 < 2 * chance_of_the_first(counters) - 1 < high + 1e-12


@pytest.mark.parametrize("counters", [1, 2, 5, 12])
def test_the_value_is_exact(solution, counters):
    value = 2 * chance_of_the_first(counters) - 1
    assert solution("gamblers_ruin", counters=counters).value == (value, -value)
