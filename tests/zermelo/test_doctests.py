"""The examples in docstrings of the public package are run."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import zermelo

MODULES = [
    module.name
    for module in pkgutil.walk_packages(zermelo.__path__, "zermelo.")
    if not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", ["zermelo", *MODULES])
def test_examples(name):
    try:
        module = import_module(name)
    except zermelo.ZermeloError as error:  # an adapter for a program that is not there
        assert error.code == "library-missing"
        pytest.skip(error.message)
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", ["zermelo", "zermelo.game", "zermelo.loading", "zermelo.report", "zermelo.questions"])
def test_what_users_meet_has_examples(name):
    assert any(found.examples for found in doctest.DocTestFinder().find(import_module(name)))


def test_every_public_name_is_documented():
    for name in zermelo.__all__:
        value = getattr(zermelo, name)
        if callable(value):
            assert value.__doc__, name
