"""Plays counted by kernels."""

from __future__ import annotations

import pytest
from all_machines import MAKERS, native_machine, needs_llvm
from overstepping import overstepping

import zermelo
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.search import counting
from zermelo.solvers.search import counting as walk
from zermelo.solvers.search.counting import count_plays

WAITING = """\
game "Waiting"
players Ann, Bob
endless draw
start at play(Ann)
phase play(p: Player):
    turn p:
        move wait(n in 1..100): go play(other p)
        move stop: end win p
"""


def count(machine, length, threads=1, limits=None):
    return count_plays(machine, machine.initial(), length, ignore_progress, limits or Limits(), threads)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "name, parameters, length",
    [
        ("tic_tac_toe", {}, 5),
        ("connect_four", {"rows": 3, "columns": 3, "run": 3}, 9),
        ("kuhn_poker", {}, 4),
        ("nim", {}, 9),
        ("pig", {}, 5),
        ("go", {"size": 2}, 5),
    ],
)
def test_plays_are_counted_as_by_the_machine(make, name, parameters, length):
    game = zermelo.load(name, **parameters)
    machine = make(game.model)
    for moves in range(length + 1):
        expected = counting.count_exactly(game.machine, game.machine.initial(), moves)
        assert count(machine, moves) == expected
    assert count(machine, length, threads=2) == expected


@needs_llvm
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_count_the_same(threads):
    machine = native_machine(zermelo.load("tic_tac_toe").model)
    assert count(machine, 9, threads).plays == 127_872


@pytest.mark.parametrize("make", MAKERS)
def test_more_plays_than_a_kernel_can_count(make):
    game = zermelo.loads(WAITING)
    machine = make(game.model)
    with pytest.raises(BeyondKernel):
        walk.count_by_kernel(machine, machine.initial(), 12, ignore_progress, Limits(), 1)
    assert count(machine, 12).plays == 101 * 100**11


@pytest.mark.parametrize("make", MAKERS)
def test_a_count_that_is_stopped_says_what_it_has(make, clock):
    """A play takes a second."""
    game = zermelo.load("checkers")
    machine = make(game.model)

    def tick(plays):
        clock[0] = float(plays)

    found = count_plays(machine, machine.initial(), 30, tick, Limits(seconds=1, begin=0.0), threads=2)
    assert found.stopped == "after 1 s"
    assert found.plays > 1
    by_machine = counting.count_exactly(game.machine, game.machine.initial(), 30, limits=Limits(memory=1 << 14))
    assert by_machine == counting.Count(0, "at 16K of memory")


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_that_goes_wrong_on_the_way(make, threads):
    game = zermelo.loads(overstepping(5))
    with pytest.raises(PlayError) as expected:
        counting.count_exactly(game.machine, game.machine.initial(), 5)
    with pytest.raises(PlayError) as found:
        count(make(game.model), 5, threads)
    assert found.value.code == expected.value.code == "assigned-out-of-range"
    assert len(found.value.play) >= len(expected.value.play)
