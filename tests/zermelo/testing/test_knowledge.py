"""What players know, compared with an enumeration of all plays."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.solvers.common.limits import Limits
from zermelo.testing.expectations import counterexample, doubt, indistinguishable

HIDDEN = """\
game "Hidden moves"
players Ann, Bob
var coin: Bool = false   hidden
var pot: 0..9 = 0
var turns: 0..9 = 0   hidden
endless draw
start at toss
phase toss:
    chance:
        outcome heads prob 1/3:
            coin := true
            go first(turns)
        outcome tails prob 2/3: go first(turns)
phase first(secret n: 0..9):
    let old = pot
    turn Ann:
        move quiet secret:
            turns := min(turns + 1, 9)
            go second(old)
        move loud:
            pot := min(pot + 1, 9)
            go draw
phase draw:
    chance:
        outcome more:
            pot := min(pot + 1, 9)
            tell Bob that up
            go second(0)
        outcome less: go second(1)
phase second(secret before: 0..9):
    turn Bob:
        move stop: end win Ann
        move on(secret b in Bool) if pot < 3: go first(before)

test "asked":
    play tails, quiet
    expect knows(Ann, turns == 1)
    expect knows(Ann, coin)
    expect knows(Bob, pot == 0)
    expect knows(Ann, pot + turns < 3)
    expect knows(Bob, turns > 0)
"""


def all_states(game: zermelo.Game, most: int) -> list[State]:
    """Every state of every play of at most so many moves and draws."""
    found = [game.initial]
    for state in found:
        if len(state.play) < most:
            found += [state.after(move) for move in choices_at(game.machine, state.machine_state)]
    return found


@pytest.mark.parametrize("machine", ["reference", "auto"])
@pytest.mark.parametrize("text", [HIDDEN])
def test_knowledge_is_what_holds_in_all_plays_that_look_the_same(text, machine):
    game = zermelo.loads(text).on(machine)
    (asked,) = game.model.tests
    lines = [line for line in asked.lines if hasattr(line, "condition")]
    every = all_states(game, 7)
    looks = {
        player: [(tuple(state.information_state(player)), state.actor == zermelo.CHANCE) for state in every]
        for player in game.players
    }
    values = [[game.machine.evaluate(state.machine_state, line.condition) for state in every] for line in lines]
    answers, compared = set(), 0
    for here, state in enumerate(every):
        if len(state.play) > 4:
            break
        for player, seen in looks.items():
            known, is_draw = seen[here]
            same = [k for k, (other, draws) in enumerate(seen) if other == known and (is_draw or not draws)]
            met = {other.play for other in indistinguishable(state, player)}
            assert {every[k].play for k in same} <= met
            for line, value in zip(lines, values, strict=True):
                found = {value[k] for k in same}
                if counterexample(state, player, line.condition) is None:
                    assert found == {True}
                if doubt(state, player, line.condition) is None:
                    assert len(found) == 1
                if len(met) == len(same):  # no play of greater length looks the same
                    compared += 1
                    assert (counterexample(state, player, line.condition) is None) == (found == {True})
                    assert (doubt(state, player, line.condition) is None) == (len(found) == 1)
                answers.add((found == {True}, len(found) == 1))
    assert compared > 100
    assert answers == {(True, True), (False, True), (False, False)}


def test_what_a_player_knows_is_asked_within_memory(monkeypatch):
    state = zermelo.load("goofspiel", cards=6).initial
    for number in range(8):  # One bids the highest card, and Two a card unknown to One
        state = state.after(state.moves[number % 2 - 1])
    assert len(list(indistinguishable(state, "One"))) > 1
    monkeypatch.setattr("zermelo.testing.expectations.Limits", lambda: Limits(memory=4 << 10))
    with pytest.raises(ZermeloError) as refused:
        list(indistinguishable(state, "One"))
    assert refused.value.code == "out-of-memory"
