"""Null moves: what they do not change, where they are impossible, and that all machines agree."""

from __future__ import annotations

from random import Random

import pytest
from all_machines import native_machine, python_machine

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END, NULL_MOVE
from zermelo.interpreter.reference.machine import ReferenceMachine

# `stop` ends the play, and only A may say it; B is stuck where `total` is 3.
COUNTING = """
game "Counting"
players A, B
claim zero_sum, perfect_information, terminates
var total: 0..9 = 0
var entered: 0..99 = 0
start at {start}
phase play(p: Player):
    entered += 1
    {names}turn p:
        move add(n in 1..3) if total + n <= 9 and not (p == B and total == 3):
            total += n
            go play(other p)
        move stop if p == A and total == 9:
            end win A
    otherwise:
        end win other p
phase sit(p: Player, of: 0..3):
    turn p:
        move rise: go play(other p)
phase stand:
    turn A:
        move walk: go play(B)
"""


@pytest.fixture(scope="module")
def machine():
    def load(start="play(A)", names=""):
        return zermelo.loads(COUNTING.format(start=start, names=names)).machine

    return load


def test_nothing_but_the_mover_changes(machine):
    machine = machine()
    state = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(2)"))
    passed = machine.passed(state)
    assert machine.actor(state) == 1
    assert machine.actor(passed) == 0
    assert machine.entries(passed) == machine.entries(state), "entry statements do not run again"
    assert machine.play(passed) == (*machine.play(state), NULL_MOVE)
    assert machine.passed(passed) is None, "nobody passes behind a pass"
    after = machine.after(passed, machine.find_move(passed, "add(3)"))
    assert machine.actor(after) == 1


def test_who_has_no_move_cannot_be_passed_to(machine):
    machine = machine()
    state = machine.after(machine.initial(), machine.find_move(machine.initial(), "add(1)"))
    state = machine.after(state, machine.find_move(state, "add(2)"))
    assert machine.actor(state) == 0
    assert machine.passed(state) is None


@pytest.mark.parametrize(
    ("start", "names", "why"),
    [
        ("sit(A, 1)", "", "argument of phase 'play'"),
        ("stand", "", "argument of phase 'play'"),
        ("play(A)", "let twice = 2 * total\n    ", "no phase has the player to move"),
    ],
)
def test_no_pass_where_a_phase_says_more_than_whose_turn_it_is(machine, start, names, why):
    machine = machine(start, names)
    assert machine.passed(machine.initial()) is None
    assert why in facts(machine.model).can_pass.how


def test_three_players_do_not_pass():
    game = zermelo.load("three_player_tree")
    assert game.facts.can_pass.holds is False
    assert game.machine.passed(game.machine.initial()) is None


@pytest.mark.parametrize(
    "name", ["othello", "chess", "checkers", "connect_four", "nim", "go", "horizon_effect", "template"]
)
@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_machines_agree_about_passes(name, make):
    model = zermelo.load(name).model
    reference, machine, random = ReferenceMachine(model), make(model), Random(7)
    here, there = reference.initial(), machine.initial()
    passes = 0
    for _ in range(12):
        if reference.actor(here) == END:
            break
        passed, also = reference.passed(here), machine.passed(there)
        assert (passed is None) == (also is None)
        if passed is not None:
            passes += 1
            assert machine.actor(also) == reference.actor(passed)
            assert machine.moves(also) == reference.moves(passed)
            move = random.choice(reference.moves(passed))
            behind, also_behind = reference.after(passed, move), machine.after(also, move)
            assert machine.actor(also_behind) == reference.actor(behind)
            assert machine.moves(also_behind) == reference.moves(behind)
            assert machine.entries(also_behind) == reference.entries(behind)
        move = random.choice(reference.moves(here))
        here, there = reference.after(here, move), machine.after(there, move)
    assert bool(passes) == bool(facts(model).can_pass.holds)
