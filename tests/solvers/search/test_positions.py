"""Positions counted by kernels, on one thread and on several."""

from __future__ import annotations

import pytest
from all_machines import MAKERS, native_machine, needs_llvm
from small_games import ADDING

import zermelo
from zermelo.interpreter.checks.game_facts import survey
from zermelo.interpreter.machine import PlayError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.search import positions
from zermelo.solvers.search.positions import measure

WALKING = """\
game "Walking"
players Ann, Bob
type Room = hall | cellar | attic | garden
var at: Room = hall
var steps: 0..2 = 0
start at play(Ann)
phase play(p: Player):
    turn p:
        move begin if steps < 2:
            steps += 1
            go play(other p)
        move climb if at == hall and steps == 2:
            at := attic
            go play(other p)
        move back if at == attic:
            at := hall
            go play(other p)
        move leave if steps == 2: end win p
"""

HOPPING = """\
game "Hopping"
players Ann, Bob
param ways: 1..4 = 3
param back: Bool = true
type Place = 0..4002
var at: Place = 0
endless draw
start at hop(Ann)
phase hop(p: Player):
    turn p:
        move on(n in 1..ways) if at < 4000:
            if back and (at + n) % 50 == 0: at := at * n % 997
            else: at := at + 1 + (at * at * n + 7 * n) % 3
            go hop(other p)
        move stop if at >= 4000: end win p
"""


def count(machine, threads=1, limits=None, limit_positions=float("inf")):
    return measure(machine, limit_positions, limits or Limits(), ignore_progress, threads)


@pytest.fixture
def small_tables(monkeypatch):
    """Tables that grow early, so that all threads take part early."""
    monkeypatch.setattr(positions, "_FIRST", 16)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", ["tic_tac_toe", "nim", "template", "two_ply_tree", "tug_of_war", "coin_flip_tree"])
def test_positions_are_counted_as_by_a_survey(make, name, small_tables):
    game = zermelo.load(name)
    machine, visited = make(game.model), survey(game.machine, 100_000, 600.0)
    for threads in (1, 2, 3):
        size = count(machine, threads)
        assert size.finished and visited.finished
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, visited.longest)
        assert str(size.loop) == str(visited.loop)


@needs_llvm
@pytest.mark.parametrize("back", [False, True], ids=["onwards", "back"])
def test_threads_that_get_in_each_others_way_count_the_same(back, small_tables):
    game = zermelo.loads(HOPPING, ways=4, back=back)
    machine, visited = native_machine(game.model), survey(game.machine, 100_000, 600.0)
    assert (visited.loop is not None) == back
    assert (visited.longest is None) == back
    for threads in (1, 2, 2, 2, 3, 5, 8, 8, 8):
        size = count(machine, threads)
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, visited.longest)
        assert str(size.loop) == str(visited.loop)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("first", [4, 8, 1 << 18])
def test_a_count_goes_on_where_a_play_comes_back(make, first, monkeypatch):
    monkeypatch.setattr(positions, "_FIRST", first)
    game = zermelo.loads(WALKING)
    visited = survey(game.machine, 100_000, 600.0)
    for threads in (1, 3):
        size = count(make(game.model), threads)
        assert str(size.loop) == str(visited.loop) == "after begin, begin, climb, back lead back to the same position"
        assert (size.positions, size.terminals, size.longest) == (visited.positions, visited.terminals, None)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_a_count_of_positions_is_stopped_by_its_limits(make, threads):
    machine = make(zermelo.load("connect_four").model)
    by_number = count(machine, threads, limit_positions=1000)
    assert (by_number.positions, by_number.stopped) == (1000, "at 1,000")
    by_memory = count(machine, threads, Limits(memory=1 << 14))
    assert by_memory.positions > 20 and by_memory.longest is None and by_memory.stopped == "at 16K of memory"
    assert count(machine, threads, Limits(seconds=0.0)).stopped == "after 0 s"
    assert count(machine, threads, Limits(memory=10)).stopped == "at 10 of memory"


@needs_llvm
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_team_stops_at_the_very_position_that_a_limit_names(threads, small_tables):
    machine = native_machine(zermelo.load("connect_four").model)
    for limit in (1, 11, 12, 13, 5000):
        size = count(machine, threads, limit_positions=limit)
        assert (size.positions, size.stopped, size.longest) == (limit, f"at {limit:,}", None)


@needs_llvm
def test_tables_beside_each_other_fit_in_memory(small_tables):
    machine = native_machine(zermelo.load("connect_four").model)
    kernels = machine.load(positions.source())
    for memory in (1 << 12, 3 << 12, 1 << 16, 5 << 16):
        counting = positions._Count(machine, kernels, float("inf"), Limits(memory=memory), print, 3)
        sizes = counting._sizes()
        assert sizes[0] <= max(16, sizes[-1])
        assert sum(sizes[-2:]) * 8 * counting._row_length <= memory
        assert sizes[-1] * 8 * counting._row_length > memory * 0.8


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_that_goes_wrong_ends_the_count(make, threads, small_tables):
    with pytest.raises(PlayError) as found:
        count(make(zermelo.loads(ADDING).model), threads)
    assert found.value.code == "assigned-out-of-range"
