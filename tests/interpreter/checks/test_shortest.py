from __future__ import annotations

import pytest

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import shortest_failure, survey
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.reference.machine import ReferenceMachine

RUNS_OVER = """
game "Runs over"
players Ann, Bob
var n: 0..5 = 0
start at go_on(Ann)
phase go_on(p: Player):
    turn p:
        move add(k in 1..3):
            n += k
            if n == 5: end win p
            go go_on(other p)
"""


@pytest.fixture
def machine():
    model, _ = check(Source("runs_over.game", RUNS_OVER))
    return ReferenceMachine(model)


def test_a_long_way_to_an_error_is_made_short(machine):
    with pytest.raises(PlayError) as found:
        survey(machine, 1_000, 60.0)
    assert len(found.value.play) > 2
    assert list(map(str, shortest_failure(machine, found.value).play)) == ["add(3)", "add(3)"]


def test_a_play_that_cannot_be_shorter_is_kept(machine):
    after = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(3)"))
    with pytest.raises(PlayError) as found:
        machine.after(after, machine.find_move(after, "add(3)"))
    assert shortest_failure(machine, found.value) is found.value
