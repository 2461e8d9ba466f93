""""""

from __future__ import annotations

import pytest
from all_machines import MAKERS, native_machine, needs_llvm
from overstepping import overstepping

import zermelo
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.running.backend import BeyondKernel
from zermelo.solvers.search import counting
from zermelo.solvers.search import counting as walk
from zermelo.solvers.search.counting import count_exactly, count_plays, plies
from zermelo.solvers.tree_building.building import build_tree


def test_plays_of_each_length(tree):
    machine = tree([0, 1, [1, 2, 3], [CHANCE, ("1/2", 4), ("1/4", 5), ("1/4", [0, 1])]])
    assert [count_exactly(machine, machine.initial(), n).plays for n in range(5)] == [1, 3, 5, 1, 0]


@pytest.mark.parametrize("length", [0, 1, 7, 60])
def test_ways_to_one_position_are_counted_together(toy, length):
    machine = toy(0, lambda k: (END, (0, 0)) if k == 100 else (k % 2, {"l": k + 1, "r": k + 1, "wait": k}))
    assert count_exactly(machine, machine.initial(), length).plays == 3**length


def test_progress_counts_positions(toy):
    seen: list[int] = []
    machine = toy(0, lambda k: (0, {"a": k + 1, "b": k + 2}))
    count_exactly(machine, machine.initial(), 4, seen.append)
    assert seen == [3, 6, 10]


# Plays counted by kernels.


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


# Plays, positions and information sets by ply, held against published numbers, counts of plays, and the tree.


def counted(name, most=10_000, **parameters):
    game = zermelo.load(name, **parameters)
    is_hidden = game.facts.perfect_information.holds is not True
    return [*plies(game.machine, game.machine.initial(), is_hidden, most, Limits())]


def test_tic_tac_toe():
    """The numbers that everybody knows: 255,168 plays, 549,946 histories, 5,478 positions."""
    found = counted("tic_tac_toe")
    assert [ply.positions for ply in found] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert sum(ply.ended for ply in found) == 255_168 and sum(ply.plays for ply in found) == 549_946
    assert sum(ply.positions for ply in found) == 5_478


def test_connect_four():
    """The positions after n moves: sequence A212693 of the encyclopedia of integer sequences."""
    assert [ply.positions for ply in counted("connect_four", 5_000)] == [1, 7, 49, 238, 1120, 4263]


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "goofspiel", "four_card_hand", "rock_paper_scissors", "beer_or_quiche"]
)
def test_where_something_is_hidden_the_tree_has_as_many(name):
    """Each information set is met at one ply in these games."""
    game = zermelo.load(name)
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), lambda _: None)
    found = counted(name)
    assert sum(ply.plays for ply in found) == tree.histories
    assert sum(ply.information_sets for ply in found) == len(tree.information_sets)


@pytest.mark.parametrize("name", ["kuhn_poker", "nim", "pig", "dark_hex", "backgammon", "three_player_tree"])
def test_plays_are_those_that_are_counted_one_by_one(name):
    game = zermelo.load(name)
    for ply in counted(name, 500)[:5]:
        plays = count_plays(game.machine, game.machine.initial(), ply.number, lambda _: None, Limits(), 1).plays
        assert ply.plays == plays


def test_a_ply_that_is_too_large_is_left_out_whole():
    assert counted("tic_tac_toe", 300) == counted("tic_tac_toe")[:4]
