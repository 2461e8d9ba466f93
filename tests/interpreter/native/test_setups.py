"""Errors in ``setup`` are the same on every machine."""

from __future__ import annotations

import pytest
from all_machines import native_machine, python_machine

import zermelo
from zermelo.grammar.diagnostics import ZermeloError

WRONG = """
game "Wrong"
players A, B
var place: 0..9 = 9
var size: 0..9 = 0
setup:
    place := 7 // size
start at play
phase play:
    turn A:
        move stop: end win A
"""


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_a_setup_that_goes_wrong(make):
    game = zermelo.loads(WRONG)
    with pytest.raises(ZermeloError) as wanted:
        game.machine.initial()
    with pytest.raises(ZermeloError) as found:
        make(game.model).initial()
    assert str(found.value) == str(wanted.value)
