"""Records: every class of fields in the packages is one of attrs, as are all that inherit from it."""

from __future__ import annotations

import gc
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import attrs
import pytest

import zermelo
from zermelo import grammar, interpreter, solvers
from zermelo.foundation.records import ByValue

PACKAGES = (grammar, interpreter, solvers, zermelo)


def classes():
    """The classes of fields of the packages, and all that inherit from them."""
    for package in PACKAGES:
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith("zermelo.solvers.kernels.") and not module.name.endswith("__main__"):
                with suppress(zermelo.ZermeloError):  # an adapter for a program that is not there
                    import_module(module.name)
    gc.collect()  # attrs makes a class with slots anew; the first one goes
    waiting, found = [object], set()
    while waiting:
        for kind in type.__subclasses__(waiting.pop()):
            if kind not in found:
                found.add(kind)
                waiting.append(kind)
    ours = tuple(f"{package.__name__}." for package in PACKAGES)
    return sorted((kind for kind in found if attrs.has(kind) and kind.__module__.startswith(ours)), key=str)


@pytest.fixture(scope="module")
def records():
    return classes()


def test_who_inherits_from_a_record_is_one(records):
    assert len(records) > 300
    assert [kind for kind in records if "__attrs_attrs__" not in kind.__dict__] == []


def test_records_keep_their_fields_in_slots(records):
    loose = [kind for kind in records if kind.__dictoffset__ and not issubclass(kind, BaseException)]
    assert [kind for kind in loose if all("__slots__" in base.__dict__ for base in kind.__mro__[:-1])] == []
    assert [kind for kind in records if "__slots__" not in kind.__dict__] == []


def test_a_record_has_an_equality_of_its_own_or_none(records):
    """One that is inherited compares the fields of the base alone: two enumerations would be equal. What records have
    in common compares all fields of the class at hand."""
    known = (object.__eq__, ByValue.__eq__)
    inherits = [kind for kind in records if "__eq__" not in kind.__dict__ and kind.__eq__ not in known]
    assert [kind for kind in inherits if not issubclass(kind, BaseException)] == []


def test_records_with_one_equality_in_common_compare_plain_fields(records):
    """It knows neither keys to compare a field by, nor fields that are compared and not hashed."""
    common = [kind for kind in records if kind.__eq__ is ByValue.__eq__]
    assert len(common) > 20
    assert [
        (kind, each.name)
        for kind in common
        for each in attrs.fields(kind)
        if each.eq_key is not None or each.hash is not None
    ] == []
