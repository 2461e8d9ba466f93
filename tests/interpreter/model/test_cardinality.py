"""Bounds on the sizes of sets, from their structure and their types."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.interpreter.model.cardinality import member_counts, most_members, values_of_type
from zermelo.interpreter.types import NumberType, OptionalType, SetType, TupleType

_GAME = """
game "Sets"
players Ann, Bob
type Card = 1..9
type Board = grid(3, 3)
var hand: set of Card = {}
var table: set of Card = {1, 2}

define whole = Card
define few = {x in {1, 2, 3} if x in hand}
define either = if 1 in hand then {1, 2} else {1, 2, 3, 4}
define both = few + {5}
define common = hand * few
define rest = hand - table
define pairs = {(x, y) for x in {1, 2} for y in few}
define named = few
define threes = subsets(Card, 3)
define up_to_two = subsets(Card, size(hand * {1, 2}))
define joined = {h + {9} for h in subsets(Card, 2)}
define part = {h in subsets(hand, 2) if 1 in h}
define steps = {2 * d for d in directions(Board) if 1 in hand}

start at play
phase play:
    turn Ann:
        move stop:
            end
"""

_MOST = {
    "whole": 9, "few": 3, "either": 4, "both": 4, "common": 3, "rest": 9, "pairs": 6, "named": 3, "threes": 84,
    "up_to_two": 1 + 9 + 36, "joined": 36, "part": 36,
}  # fmt: skip


@pytest.fixture(scope="module")
def bodies():
    return {define.name: define.body for define in zermelo.loads(_GAME).model.defines}


@pytest.mark.parametrize("name", _MOST)
def test_the_most_members(bodies, name):
    assert most_members(bodies[name]) == _MOST[name]


def test_directions_are_not_counted_by_their_type(bodies):
    assert most_members(bodies["steps"]) == 8


@pytest.mark.parametrize(
    ("name", "counts"), [("threes", (3, 3)), ("up_to_two", (0, 2)), ("joined", (0, 3)), ("part", (2, 2))]
)
def test_the_members_of_the_sets_in_a_set_of_sets(bodies, name, counts):
    assert member_counts(bodies[name]) == counts


@pytest.mark.parametrize(
    ("type", "count"),
    [
        (OptionalType(NumberType(1, 3, 1)), 4),
        (SetType(NumberType(1, 3, 1)), 8),
        (TupleType((OptionalType(NumberType(1, 3, 1)), NumberType(0, 1, 1))), 8),
    ],
)
def test_a_type_has_so_many_values(type, count):
    """None is a value, and the empty set is one."""
    assert values_of_type(type) == count
