"""Random plays of two games that kernels make: alike where the games are, and suspect where the games differ."""

from __future__ import annotations

import pytest
from all_machines import compiled_machine, python_machine
from written_games import bundled_model, model_of

from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.validation.difference import compare
from zermelo.solvers.validation.situations import LONGEST, Aspect, Side, TracedPlays

LOCK = """
    game "Lock"
    players Ann, Bob
    param prize: 1..9 = 1
    var digits: 0..9 = 0
    var paid: 0..9 = 0
    start at turning(Ann)
    phase turning(who: Player):
        turn who:
            move turn_to(n in 0..9):
                if n != 3: end draw
                digits += 1
                if digits == 7: go opened(who)
                go turning(other who)
    phase opened(who: Player):
        turn who:
            move take(n in 1..3):
                paid := n
                if n == 2: end payoff {who: prize, other who: -prize}
                end win who
"""
COMBINATION = ("turn_to(3)",) * 7

WALK = """
    game "Walk"
    players Ann, Bob
    param length: 1..99 = 30
    var at: 0..99 = 0
    start at toss(Ann)
    phase toss(who: Player):
        chance:
            outcome far weight 2: go walk(who, 2)
            outcome near weight 1: go walk(who, 1)
    phase walk(who: Player, most: 1..2):
        turn who:
            move step(n in 1..most):
                at += n
                if at >= length: end win who
                go toss(next who)
"""
MACHINES = [python_machine, compiled_machine]


def suspect(first, second, plays=300, beginnings=()):
    """What the kernels suspect, and after how many plays."""
    order = tuple(range(len(first.player_names)))
    sides = Side(first, order, str), Side(second, order, str)
    roots = []
    for beginning in ((), *beginnings):
        states = [machine.initial() for machine in (first, second)]
        for text in beginning:
            pairs = zip((first, second), states, strict=True)
            states = [machine.after(state, machine.find_move(state, text)) for machine, state in pairs]
        roots.append((beginning, *states))
    traced = TracedPlays(*sides, roots)
    return traced.suspect(plays, Limits(), ignore_progress, 0.0), traced.played


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "pig", "colonel_blotto", "rock_paper_scissors_match"])
def test_nothing_is_suspect_in_one_game(machine, name):
    models = bundled_model(name), bundled_model(name)
    assert suspect(*map(machine, models), plays=20) == ((), 20)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_short_play_to_where_the_games_differ(machine):
    """At 30 or more one game ends, at 29 the other, too: plays to 29 take from 15 steps to 29, with as many draws."""
    models = model_of(WALK), model_of(WALK, length=29)
    moves, played = suspect(*map(machine, models))
    assert played == 300 and 2 * 15 <= len(moves) < 2 * 22
    assert sum(int(move[5]) for move in moves if move.startswith("step")) == 29


def test_plays_are_the_same_in_python_and_as_machine_code():
    models = model_of(WALK), model_of(WALK, length=29)
    assert suspect(*map(python_machine, models)) == suspect(*map(compiled_machine, models))


@pytest.mark.parametrize("machine", MACHINES)
def test_other_chances(machine):
    changed = WALK.replace("weight 2", "weight 3")
    moves, _ = suspect(machine(model_of(WALK)), machine(model_of(changed)))
    assert moves == (), "the root itself is other"
    found = compare(machine(model_of(WALK)), machine(model_of(changed)), {}, False, Limits(), 1)
    assert found.difference is not None and found.difference.aspect is Aspect.CHANCE


@pytest.mark.parametrize("machine", MACHINES)
def test_from_where_given_moves_lead(machine):
    """A lock opens for one combination in ten millions; what differs comes after it."""
    first, second = machine(model_of(LOCK)), machine(model_of(LOCK, prize=2))
    assert suspect(first, second)[0] == ()
    assert suspect(first, second, beginnings=[COMBINATION])[0] == (*COMBINATION, "take(2)")
    found = compare(first, second, {}, False, Limits(), 3, plays=300, beginnings=[COMBINATION])
    assert found.difference is not None and found.difference.aspect is Aspect.PAYOFFS
    assert [str(move) for move in found.difference.plays[0]] == [*COMBINATION, "take(2)"]
    assert compare(first, second, {}, False, Limits(), 3, plays=300).difference is None


def test_given_moves_on_the_reference_machine():
    """Random plays begin with them there, too."""
    first, second = ReferenceMachine(model_of(LOCK)), ReferenceMachine(model_of(LOCK, prize=2))
    given = [COMBINATION, ("turn_to(10)", "nonsense")]
    found = compare(first, second, {}, False, Limits(), 3, beginnings=given)
    assert found.difference is not None and found.difference.said == ("Ann 1, Bob -1", "Ann 2, Bob -2")
    found = compare(first, second, {}, False, Limits(), 3, plays=1, beginnings=[(*COMBINATION, "take(2)")])
    assert found.difference is not None, "the given moves alone"


@pytest.mark.parametrize("machine", MACHINES)
def test_a_rule_that_fails_in_one_game(machine):
    changed = LOCK.replace("paid := n", "paid := n + 7")
    moves, _ = suspect(machine(model_of(LOCK)), machine(model_of(changed)), beginnings=[COMBINATION])
    assert moves == (*COMBINATION, "take(3)")


def test_what_kernels_cannot_tell():
    """Other units of payoffs, or no kernels at all."""
    thirds = LOCK.replace("{who: prize, other who: -prize}", "{who: prize / 3, other who: -prize / 3}")
    for other in (python_machine(model_of(thirds)), ReferenceMachine(model_of(LOCK))):
        assert suspect(python_machine(model_of(LOCK)), other) == ((), 0)


def test_plays_without_an_end():
    """Each is given up after as many moves as a play may have."""
    text = """
        game "Round"
        players Ann, Bob
        endless draw
        var at: 0..3 = 0
        start at turning(Ann)
        phase turning(who: Player):
            turn who:
                move on:
                    at := (at + 2) % 4
                    go turning(next who)
                move stop if at == 1: end draw
    """
    moves, played = suspect(compiled_machine(model_of(text)), compiled_machine(model_of(text)), plays=100)
    assert moves == () and 100 * 100 / (LONGEST + 1) <= played <= 100
