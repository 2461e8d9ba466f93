"""Reading values and moves from text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.interpreter.functions import grid
from zermelo.interpreter.reference.why_not import read_value, split_move
from zermelo.interpreter.types import (
    BOOL,
    DIRECTION,
    INTEGER,
    MemberType,
    NumberType,
    OptionalType,
    SetType,
    TupleType,
    Type,
)
from zermelo.interpreter.values import Member, format_value

RANK = MemberType("Rank", tuple(Member("Rank", name, k) for k, name in enumerate("JQK")))
TYPES: list[Type] = [
    BOOL,
    DIRECTION,
    RANK,
    NumberType(0, 1, Fraction(1, 4)),
    grid("Square", 3, 2),
    OptionalType(RANK),
    TupleType((RANK, NumberType(1, 3))),
    SetType(TupleType((RANK, BOOL))),
]


@given(st.sampled_from(TYPES), st.data())
def test_what_is_written_is_read(type: Type, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(list(type.generate())))
    assert read_value(type, format_value(value).replace(" ", "")) == value


@pytest.mark.parametrize(
    ("type", "text"),
    [(RANK, "A"), (BOOL, "yes"), (INTEGER, "x"), (SetType(RANK), "J"), (TupleType((RANK, RANK)), "(J)"), (RANK, "")],
)
def test_what_writes_no_value_is_refused(type: Type, text: str) -> None:
    with pytest.raises(ValueError):
        read_value(type, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass", ("pass", ())),
        ("pass()", ("pass", ())),
        (" go_to ( a1 , b2 )", ("go_to", ("a1", "b2"))),
        ("deal({(two, clubs), (six, clubs)}, {})", ("deal", ("{(two,clubs),(six,clubs)}", "{}"))),
    ],
)
def test_moves_are_split_at_their_own_commas(text: str, expected: tuple) -> None:
    assert split_move(text) == expected
