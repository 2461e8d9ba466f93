"""The contract of every machine, tested by random plays of every bundled game."""

from __future__ import annotations

from importlib.resources import files
from itertools import pairwise
from random import Random
from textwrap import dedent, indent

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


# What a player perceives in full restricts the outcomes of chance; a walk through all plays says what is right.


GAME = """
    game "Dealt and perceived"
    players A, B
    type Card = 1..4
    var hand[Player]: set of Card = {{}}   private
    var card[Player]: 0..4 = 0   private
    var top: 0..4 = 0
    var shown: Bool = false
    var open[Player]: 0..4 = 0   seen by {{p in Player if shown}}
    start at {start}
{phases}
    phase ask(p: Player):
        turn p:
            move go_on if top != 4:
                if p == A: go ask(B)
                end draw
            move stop: end draw
"""

TIGHT = {
    "two hands": """
        phase deal:
            chance:
                outcome deal(h in subsets(Card, 2), k in subsets(Card - h, 1)):
                    hand[A] := h
                    hand[B] := k
                    go ask(A)
    """,
    "two rules": """
        phase deal:
            chance:
                outcome to_a(c in 1..4) weight 2:
                    card[A] := c
                    go ask(A)
                outcome to_b(c in 1..3):
                    card[B] := c
                    go ask(B)
    """,
    "of an argument": """
        phase first:
            chance:
                outcome who(p in Player):
                    top := if p == A then 1 else 2
                    go deal(p)
        phase deal(p: Player):
            chance:
                outcome deal(c in Card):
                    card[p] := c
                    go ask(A)
    """,
}

TRAPS = {
    "the same value is not noticed": """
        phase deal:
            chance:
                outcome deal(c in 0..2):
                    card[A] := c
                    go ask(A)
    """,
    "back to the value before": """
        phase deal:
            chance:
                outcome deal(c in 1..2):
                    card[A] := c
                    go again
        phase again:
            chance:
                outcome deal(c in 0..1):
                    card[A] := c
                    go ask(A)
    """,
    "dealt over": """
        phase deal:
            chance:
                outcome deal(c in 1..4):
                    card[A] := c
                    top := 2
                    if c == 2: go ask(A)
                    go over
        phase over:
            if card[A] == 3: card[A] := 4
            go ask(A)
    """,
    "the same rule again": """
        phase deal(n: 0..2):
            chance:
                outcome deal(c in 1..3):
                    card[A] := c
                    if n == 1: go ask(A)
                    go deal(n + 1)
    """,
    "one after the other": """
        phase deal(p: Player):
            chance:
                outcome deal(c in Card):
                    card[p] := c
                    if p == A: go deal(B)
                    go ask(A)
    """,
    "left before it is dealt": """
        phase deal:
            chance:
                outcome deal(c in Card):
                    if c == 3: go ask(A)
                    card[A] := c
                    go ask(A)
    """,
    "all at once": """
        phase deal:
            chance:
                outcome deal(c in Card):
                    card[A] := c
                    card := 2
                    go ask(A)
    """,
    "by a name": """
        phase deal:
            chance:
                outcome deal(c in Card, p in Player):
                    card[A] := c
                    card[p] := 1
                    go ask(A)
    """,
    "seen by some at times": """
        phase deal:
            chance:
                outcome deal(c in Card, d in 0..1):
                    open[A] := c
                    if d == 1: shown := true
                    go ask(A)
    """,
    "through otherwise": """
        phase deal:
            chance:
                outcome deal(c in Card):
                    top := c
                    go nobody
        phase nobody:
            turn A:
                move never if top == 1: end draw
            otherwise:
                top := 3
                go ask(B)
    """,
}

STARTS = {"of an argument": "first", "the same rule again": "deal(0)", "one after the other": "deal(A)"}


def machine_for(machine_of, name, phases):
    return machine_of(GAME.format(start=STARTS.get(name, "deal"), phases=indent(dedent(phases).strip("\n"), " " * 4)))


def plays_through(machine):
    """For every chance state and player: what the player may know later -> the outcomes behind which they may."""
    found = {}

    def walk(state, passed):
        actor = machine.actor(state)
        if actor != CHANCE:
            for player in range(2):
                known = tuple(machine.information_state(state, player))
                for before, outcome in passed:
                    found.setdefault((before, player), {}).setdefault(known, set()).add(outcome)
        if actor == CHANCE:
            for outcome, _ in machine.outcomes(state):
                walk(machine.after(state, outcome), [*passed, (state, outcome)])
        else:
            for move in machine.moves(state):
                walk(machine.after(state, move), passed)

    walk(machine.initial(), [])
    return found


@pytest.mark.parametrize(("name", "phases"), [*TIGHT.items(), *TRAPS.items()], ids=[*TIGHT, *TRAPS])
def test_no_consistent_outcome_is_left_out(machine_of, name, phases) -> None:
    machine = machine_for(machine_of, name, phases)
    found = plays_through(machine)
    assert found
    for (state, player), by_knowledge in found.items():
        all_outcomes = dict(machine.outcomes(state))
        for known, consistent in by_knowledge.items():
            space = machine.consistent_outcomes(state, player, known)
            kept = {outcome for outcome, _ in space}
            assert consistent <= kept
            assert space.mass == sum(all_outcomes[outcome] for outcome in kept)
            for outcome, probability in space:
                assert space.mass * probability == all_outcomes[outcome]


@pytest.mark.parametrize(("name", "phases"), TIGHT.items(), ids=TIGHT)
def test_what_is_perceived_whole_is_given(machine_of, name, phases) -> None:
    machine = machine_for(machine_of, name, phases)
    sizes = [
        (machine.consistent_outcomes(state, player, known).count, len(consistent), machine.sample_space(state).count)
        for (state, player), by_knowledge in plays_through(machine).items()
        for known, consistent in by_knowledge.items()
    ]
    assert any(kept < all_outcomes for kept, _, all_outcomes in sizes)
    if name == "two hands":
        assert all(kept == consistent for kept, consistent, _ in sizes)


def test_a_hand_of_whist_leaves_the_other(bundled) -> None:
    machine = bundled("four_card_whist")
    state = machine.initial()
    deal = machine.sample_space(state).unrank(700_000_000)
    for player in (0, 1):
        known = machine.information_state(machine.after(state, deal), player)
        space = machine.consistent_outcomes(state, player, known)
        assert space.count == 20_475  # 28 cards over 4
        assert 1 / space.mass == 35_960  # 32 cards over 4
        assert space.rank(deal) is not None
        assert all(outcome.arguments[player] == deal.arguments[player] for outcome, _ in space)
