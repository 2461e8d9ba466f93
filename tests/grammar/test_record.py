"""Records: made from their fields, never changed, equal by kind and fields unless they say otherwise."""

from __future__ import annotations

import copy
import pickle

import pytest
from attrs import evolve, field, fields, frozen


@frozen
class Node:
    span: int = field(default=0, kw_only=True, eq=False, repr=False)


class Pair(Node):
    left: str
    right: str = "r"


class Other(Node):
    left: str
    right: str = "r"


class Table(Node):
    entries: dict[str, int] = field(eq=lambda entries: tuple(entries.items()))
    name: str = field(eq=False)


@frozen(eq=False)
class Declared:
    name: str


class DeclaredTwice(Declared):
    number: int = 1


@frozen
class Empty:
    """Without any field."""


def test_fields_are_given_in_order_or_by_name():
    assert Pair("a") == Pair("a", "r") == Pair(right="r", left="a", span=7)
    assert fields(Pair) == ("span", "left", "right")
    assert (DeclaredTwice("n", 2).name, DeclaredTwice("n", 2).number) == ("n", 2)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((), {}),
        (("a", "b", "c"), {}),
        (("a",), {"left": "b"}),
        (("a",), {"wrong": 1}),
        ((), {"right": "b", "wrong": 1}),
    ],
)
def test_each_field_is_given_once(values, named):
    with pytest.raises(TypeError, match="Pair is made from span, left, right"):
        Pair(*values, **named)


def test_a_record_never_changes():
    pair = Pair("a")
    with pytest.raises(AttributeError, match=r"never changes: Pair\.left"):
        pair.left = "b"
    with pytest.raises(AttributeError, match=r"never changes: Pair\.left"):
        del pair.left
    assert evolve(pair, left="b") == Pair("b")
    assert pair == Pair("a")


def test_equality_and_hash_go_by_kind_and_compared_fields():
    assert Pair("a") != Other("a")
    assert Pair("a") != Pair("b")
    assert Pair("a") != "a"
    assert len({Pair("a", span=1), Pair("a", span=2), Pair("b"), Empty(), Empty()}) == 3
    assert Table({"a": 1}, "one") == Table({"a": 1}, "two")
    assert hash(Table({"a": 1}, "one")) == hash(Table({"a": 1}, "two"))
    assert Table({"a": 1}, "one") != Table({"a": 2}, "one")


def test_a_record_without_equality_is_itself_alone():
    assert Declared("a") != Declared("a")
    assert DeclaredTwice("a") != DeclaredTwice("a")
    one = DeclaredTwice("a")
    assert one == one
    assert len({one, one, DeclaredTwice("a")}) == 2


def test_repr_leaves_out_what_is_not_for_reading():
    assert repr(Pair("a", span=3)) == "Pair(left='a', right='r')"


def test_patterns_match_by_place_and_by_name():
    match Pair("a", "b", span=3):
        case Pair(left, right, span=span):
            assert (left, right, span) == ("a", "b", 3)


def test_records_are_kept_and_copied():
    pair = Pair("a", span=3)
    for same in (pickle.loads(pickle.dumps(pair)), copy.deepcopy(pair)):
        assert same == pair
        assert same.span == 3
