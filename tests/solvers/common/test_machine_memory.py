"""The default of the memory follows the computer, and never what is found."""

from __future__ import annotations

import os

import pytest

from zermelo.solvers.common import limits
from zermelo.solvers.common.limits import Limits


@pytest.mark.parametrize(
    ("installed", "granted", "found"),
    [
        (16 << 30, "max", 4 << 30),
        (16 << 30, str(8 << 30), 2 << 30),
        (16 << 30, None, 4 << 30),
        (256 << 20, "max", limits.LEAST),
        (None, None, limits.LEAST),
    ],
)
def test_a_quarter_of_the_memory_of_the_machine_or_the_container(installed, granted, found, tmp_path, monkeypatch):
    def sysconf(name):
        if installed is None:
            raise ValueError("unrecognized configuration name")
        return 4096 if name == "SC_PAGE_SIZE" else installed // 4096

    monkeypatch.setattr(os, "sysconf", sysconf)
    monkeypatch.setattr(limits, "_CONTAINER", tmp_path / "memory.max")
    if granted is not None:
        (tmp_path / "memory.max").write_text(f"{granted}\n")
    assert limits.measured() == found


def test_limits_have_it_by_default_and_say_how_to_get_more(monkeypatch):
    monkeypatch.setattr(limits, "quarter_of_memory", lambda: 3 << 30)
    assert Limits().memory == 3 << 30
    assert Limits().out_of_memory({}).help == "--memory 12G allows 4 times as much"
    assert Limits(memory=1 << 20).out_of_memory({}).help == "--memory 4M allows 4 times as much"
