"""The race with two dice: its exact value, computed a second time."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest


@pytest.mark.parametrize("goal", [2])
def test_the_value_is_exact(solution, goal):
    chance = chance_of_the_first(goal)
    assert solution("dice_race", goal=goal).value == (2 * chance - 1, 1 - 2 * chance)


@pytest.mark.parametrize("goal", [5, 8, 11])
def test_the_rules_are_those_of_the_second_program(start, goal):
    """By expectiminimax with a table of positions."""
    values: dict = {}

    def value(play) -> Fraction:
        if play.ended:
            return play.payoff[0]
        position = play.machine.position(play.state)
        if position not in values:
            if play.actor == "chance":
                outcomes = play.machine.outcomes(play.state)
                values[position] = sum(probability * value(play.go_on(outcome)) for outcome, probability in outcomes)
            else:
                choose = max if play.actor == "Ann" else min
                values[position] = choose(value(play.go_on(move)) for move in play.moves)
        return values[position]

    assert value(start("dice_race", goal=goal)) == 2 * chance_of_the_first(goal) - 1


def chance_of_the_first(goal: int) -> Fraction:
    """The first player's probability of winning, over all 36 throws of two distinguishable dice."""

    def arrival(square: int, die: int) -> int:
        there = square + die
        return min(goal, there + die if there % 5 == 0 else there)

    @cache
    def chance(mine: int, others: int) -> Fraction:
        """The probability for the player to throw."""
        total = Fraction(0)
        for throw in product(range(1, 7), repeat=2):
            places = {arrival(mine, die) for die in throw}
            total += 1 if goal in places else max(1 - chance(others, place) for place in places)
        return total / 36

    return chance(0, 0)


def test_a_goose_doubles_the_step(start):
    play = start("dice_race", goal=20).then("thrown(2, 5)")
    assert play.legal == {"run(2)", "run(5)"}
    squares = {seen.value for seen in play.then("run(5)").machine.view(play.then("run(5)").state, 0)}
    assert 10 in squares
