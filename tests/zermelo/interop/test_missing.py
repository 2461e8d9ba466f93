"""A program that is not installed is named with the extra that brings it."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from zermelo.grammar.diagnostics import ZermeloError


@pytest.mark.parametrize(
    ("adapter", "library", "extra"),
    [
        ("open_spiel", "pyspiel", "openspiel"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "gymnasium"),
        ("pygambit", "pygambit", "gambit"),
    ],
)
def test_the_message_names_the_extra(adapter, library, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"zermelo.interop.{adapter}", raising=False)
    with pytest.raises(ZermeloError, match=f"the library {library} is needed for") as missing:
        import_module(f"zermelo.interop.{adapter}")
    assert (missing.value.code, missing.value.help) == ("library-missing", f"pip install 'zermelo[{extra}]'")
