"""Looking for a parking place: the rule that is best, and what it brings."""

from __future__ import annotations

from fractions import Fraction

import pytest
from second_program import Edge, Node, agree, bounds, end

BEYOND = (-1, "passing")


def program(taken: Fraction):
    """A position is how far ahead the destination is, and what the driver does: passing, looking at a free place, or
    parked."""

    def edge(to: tuple[int, str], probability: Fraction = Fraction(1)) -> Edge:
        return Edge(to, probability, Fraction(-1 if to == BEYOND else 0))

    def node(position: tuple[int, str]) -> Node:
        ahead, doing = position
        following = (ahead - 1, "passing") if ahead >= 0 else BEYOND
        if doing == "parked":
            return end(-ahead)
        if doing == "looking":
            return Node("Driver", {"park": edge((ahead, "parked")), "pass": edge(following)})
        found = (ahead, "looking") if ahead >= 0 else (0, "parked")
        return Node("chance", {"free": edge(found, 1 - taken), "occupied": edge(following, taken)})

    return node


def reach(taken: Fraction) -> int:
    """So many places before the destination the first free one is taken: the least r with taken ** (r + 1) <= 1/2
    (Ferguson, Optimal stopping and applications, chapter 2)."""
    return next(r for r in range(1000) if taken ** (r + 1) <= Fraction(1, 2))


def mean_way(places: int, taken: Fraction) -> Fraction:
    """From the place that is taken if all places up to the destination are occupied, one way on is 1 / (1 - taken)."""
    first = min(places - 1, reach(taken))
    before = sum(((1 - taken) * taken ** (first - ahead) * ahead for ahead in range(first + 1)), Fraction(0))
    return before + taken ** (first + 1) / (1 - taken)


def test_nine_places_of_ten_are_taken():
    """The example of Ferguson: begin six places before the destination."""
    assert reach(Fraction(9, 10)) == 6
    assert reach(Fraction(1, 2)) == 0


@pytest.mark.parametrize("taken", ["1/4", "9/10"])
def test_the_rules_are_those_of_the_second_program(start, taken):
    play = start("parking", taken=Fraction(taken))
    agree(play, program(Fraction(taken)), (11, "passing"))


@pytest.mark.parametrize(("places", "taken"), [(12, "9/10"), (3, "9/10"), (5, "3/4"), (2, "1/4"), (2, "1/2")])
def test_value_iteration_agrees_with_the_closed_form(places, taken):
    low, high = bounds(program(Fraction(taken)), (places - 1, "passing"), "Driver", (-100, 0))
    assert high - low < 1e-9
    assert low - 1e-12 < -mean_way(places, Fraction(taken)) < high + 1e-12


@pytest.mark.parametrize(("places", "taken"), [(12, "9/10"), (3, "9/10"), (5, "3/4"), (2, "1/4"), (50, "19/20")])
def test_the_value_is_exact(solution, places, taken):
    assert solution("parking", places=places, taken=taken).value == (-mean_way(places, Fraction(taken)),)
