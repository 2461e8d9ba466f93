"""The contract of every machine, tested by random plays of every bundled game."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_cases import many
from reaching import reached

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END

GAMES = sorted(
    entry.name.removesuffix(".game") for entry in files("zermelo.gamedefs").iterdir() if entry.name.endswith(".game")
)
STEPS = 12


def random_play(machine, random: Random, steps: int):
    """The states of a random play."""
    state = machine.initial()
    states = [state]
    for _ in range(steps):
        if machine.actor(state) == END:
            break
        chance = machine.actor(state) == CHANCE
        move = machine.draw(state, random) if chance else random.choice(machine.moves(state))
        state = machine.after(state, move)
        states.append(state)
    return states


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=many(4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_states_keep_the_contract(bundled, name: str, seed: int) -> None:
    machine = bundled(name)
    random = Random(seed)
    states = random_play(machine, random, STEPS)
    for number, state in enumerate(states):
        assert len(machine.play(state)) == number
        actor = machine.actor(state)
        if actor == END:
            assert len(machine.payoff(state)) == len(machine.player_names)
            assert machine.moves(state) == ()
        elif actor == CHANCE:
            check_chance(machine, state, random)
        else:
            moves = machine.moves(state)
            assert moves and len(set(moves)) == len(moves)
            for move in random.sample(moves, min(3, len(moves))):
                assert machine.find_move(state, str(move)) == move
                assert machine.play(machine.after(state, move)) == (*machine.play(state), move)


def check_chance(machine, state, random: Random) -> None:
    """Probabilities are positive and sum to 1; draws are listed outcomes."""
    try:
        outcomes = dict(machine.outcomes(state))
    except ZermeloError as error:
        assert error.code == "too-many-outcomes"
        return
    assert sum(outcomes.values()) == 1
    assert min(outcomes.values()) > 0
    assert machine.draw(state, random) in outcomes


@pytest.mark.parametrize("name", GAMES)
def test_nobody_forgets(bundled, name: str) -> None:
    machine = bundled(name)
    states = random_play(machine, Random(3), STEPS)
    for player in range(len(machine.player_names)):
        known = ()
        for before, state in pairwise(states):
            now = machine.information_state(state, player)
            assert now[: len(known)] == known
            if machine.actor(before) == player and machine.actor(state) != CHANCE:
                assert len(now) > len(known), "one's own move leaves a trace"
            known = now


@pytest.mark.parametrize("name", GAMES)
def test_one_information_set_offers_the_same_moves_and_one_position_the_same_future(bundled, name: str) -> None:
    machine = bundled(name)
    offered: dict[object, object] = {}
    futures: dict[object, object] = {}
    for seed in range(12):
        for state in random_play(machine, Random(seed), 6):
            actor, moves = machine.actor(state), machine.moves(state)
            if actor >= 0:
                key = actor, machine.information_state(state, actor)
                assert offered.setdefault(key, moves) == moves
            outcome: object = moves
            if actor == END:  # what has been earned before is no part of a position
                outcome = tuple(p - e for p, e in zip(machine.payoff(state), machine.earned(state), strict=True))
            assert futures.setdefault(machine.position(state), (actor, outcome)) == (actor, outcome)


@pytest.mark.parametrize("name", GAMES)
def test_plays_can_be_played_again(bundled, name: str) -> None:
    machine = bundled(name)
    end = random_play(machine, Random(5), STEPS)[-1]
    state = reached(machine, machine.play(end))
    assert machine.position(state) == machine.position(end)
    for player in range(len(machine.player_names)):
        assert machine.information_state(state, player) == machine.information_state(end, player)
        assert machine.view(state, player) == machine.view(end, player)
