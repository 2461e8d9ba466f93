"""Landlords: streets, rent and bankruptcy."""

from __future__ import annotations

import pytest
from second_program import Node, agree, bounds, choice, end, uniform


def program(streets: int, price: int, rent: int):
    """A position is the player to throw or to decide, what they have thrown, and of both where they are, what they have
    and their streets."""

    def node(position) -> Node:
        mover, thrown, places, purses, owners = position
        here, other = places[mover], 1 - mover
        if thrown == "bankrupt":
            return end(-1 if mover == 0 else 1)
        if thrown is None:
            return uniform({f"thrown({n})": arrival(position, n) for n in (1, 2)})
        left = (other, None, places, purses, owners)
        paid = tuple(purse - price * (player == mover) for player, purse in enumerate(purses))
        bought = (other, None, places, paid, (*owners[:here], mover, *owners[here + 1 :]))
        return choice(("Ann", "Bob")[mover], {"buy": bought, "leave": left})

    def arrival(position, n: int):
        mover, _, places, purses, owners = position
        other, here = 1 - mover, (places[mover] + n) % streets
        places = tuple(here if player == mover else place for player, place in enumerate(places))
        if owners[here] == other:
            if purses[mover] < rent:
                return (mover, "bankrupt", places, purses, owners)
            purses = tuple(purse + (-rent if player == mover else rent) for player, purse in enumerate(purses))
        if owners[here] is None and purses[mover] >= price:
            return (mover, "there", places, purses, owners)
        return (other, None, places, purses, owners)

    return node


def beginning(streets: int, money: int):
    return (0, None, (0, 0), (money, money), (None,) * streets)


@pytest.mark.parametrize(("streets", "money", "price", "rent"), [(3, 3, 2, 1), (3, 4, 2, 2), (4, 3, 1, 1)])
def test_the_rules_are_those_of_the_second_program(start, streets, money, price, rent):
    play = start("landlords", streets=streets, money=money, price=price, rent=rent)
    assert agree(play, program(streets, price, rent), beginning(streets, money)) > 1000


@pytest.mark.parametrize(("streets", "money", "price", "rent"), [(3, 2, 1, 1), (3, 3, 2, 1), (3, 4, 2, 2)])
def test_the_value_lies_within_bounds(solution, streets, money, price, rent):
    low, high = bounds(program(streets, price, rent), beginning(streets, money), "Ann", (-1, 1))
    assert high - low < 1e-9
    found = solution("landlords", streets=streets, money=money, price=price, rent=rent)
    assert low - 1e-12 < found.value[0] < high + 1e-12
