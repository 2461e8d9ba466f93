"""Two taxis that share what they earn."""

from __future__ import annotations

from fractions import Fraction

import pytest
from second_program import Edge, Node, agree, bounds, uniform

DISCOUNT = Fraction(9, 10)
BEGINNING = ("Ann", 0, 0, 2)


def program(places: int):
    """A position is whose turn it is, where the two taxis are, and where somebody waits, or None before a call."""

    def node(position: tuple[str, int, int, int | None]) -> Node:
        player, ann, bob, caller = position
        if caller is None:
            return uniform({f"call({s})": (player, ann, bob, s) for s in range(places) if s not in (ann, bob)})
        edges = {}
        for way in (-1, 0, 1):
            here = ((ann if player == "Ann" else bob) + way) % places
            after = ("Bob", here, bob) if player == "Ann" else ("Ann", ann, here)
            arrives = here == caller
            edges[f"drive({way})"] = Edge((*after, None if arrives else caller), earns=Fraction(arrives))
        return Node(player, edges)

    return node


@pytest.mark.parametrize("places", [4, 5])
def test_the_rules_are_those_of_the_second_program(start, places):
    agree(start("two_taxis", places=places), program(places), BEGINNING, DISCOUNT)


def test_all_that_is_earned_is_shared(start):
    play = start("two_taxis").then("drive(1)", "drive(-1)", "drive(1)")
    assert play.actor == "chance"
    assert play.machine.earned(play.state) == (DISCOUNT**2, DISCOUNT**2)


def value(places: int) -> float:
    """Both want the same, so that one of them may as well decide for both."""

    def as_one(position):
        node = program(places)(position)
        return node if node.actor == "chance" else Node("both", node.edges)

    low, high = bounds(as_one, BEGINNING, "both", (0, 10), discount=0.9)
    assert high - low < 1e-9
    return low


def test_a_longer_road_is_worth_less():
    values = [value(places) for places in (4, 5, 6)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize("places", [4, 5])
def test_the_value(solution, places):
    found = solution("two_taxis", places=places).value
    assert found[0] == found[1]
    assert float(found[0]) == pytest.approx(value(places), abs=1e-9)
