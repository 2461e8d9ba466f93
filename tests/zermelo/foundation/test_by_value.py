"""Records with one equality in common."""

from __future__ import annotations

from attrs import field, frozen

from zermelo.foundation.records import ByValue


@frozen(eq=False, repr=False)
class Point(ByValue):
    x: int
    name: str = field(eq=False)


@frozen(eq=False, repr=False)
class Deep(Point):
    z: int = 0


@frozen(eq=False, repr=False)
class Nothing(ByValue):
    pass


def test_records_are_equal_if_the_fields_that_count_are():
    assert Point(1, "a") == Point(1, "b")
    assert Point(1, "a") != Point(2, "a")
    assert len({Point(1, "a"), Point(1, "b"), Point(2, "a")}) == 2
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1


def test_fields_of_a_heir_count_too():
    assert Deep(1, "a", 2) != Deep(1, "a", 3)
    assert Deep(1, "a", 2) == Deep(1, "b", 2)


def test_a_record_is_equal_to_none_of_another_class():
    assert Deep(1, "a") != Point(1, "a")
    assert Point(1, "a") != Deep(1, "a")
    assert Point(1, "a") != 1
    assert Nothing() != Point(1, "a")
    assert repr(Deep(1, "a")) == "Deep(x=1, name='a', z=0)"
