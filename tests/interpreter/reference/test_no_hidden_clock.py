"""There is no hidden clock: decisions that a player does not perceive leave no trace in their information state,
however many they are, and whatever comes before and after them."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from random_cases import seeds
from random_games.paused import with_and_without
from written_games import model_of

from zermelo.interpreter.checks.game_facts import count_information_sets
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.machine import CHANCE, END, Asked, Told
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

TRIALS = Path(__file__).parents[2] / "trial" / "proofs"
CY = 2


def lowered(model: Model) -> LoweredMachine:
    return machine_over(lower(model))


def states(machine: Any) -> dict[tuple[str, ...], Any]:
    """All decisions and ends, by their plays without the moves of Cy; plays that differ only in these are numbered."""
    found: dict[tuple[str, ...], Any] = {}
    waiting: list[tuple[tuple[str, ...], Any]] = [((), machine.initial())]
    while waiting:
        play, state = waiting.pop()
        actor = machine.actor(state)
        if actor not in (CHANCE, CY):
            found[(*play, str(len(found)))] = state
        moves = [move for move, _ in machine.outcomes(state)] if actor == CHANCE else machine.moves(state)
        for move in moves:
            waiting.append((play if actor == CY else (*play, f"{actor}: {move}"), machine.after(state, move)))
    return found


@pytest.mark.parametrize("on", [ReferenceMachine, lowered])
@pytest.mark.parametrize("seed", seeds(60))
def test_secret_decisions_of_another_leave_no_trace(seed: int, on: Any) -> None:
    plain, paused = map(model_of, with_and_without(Random(seed)))
    without, with_cy = on(plain), on(paused)
    expected = {play[:-1]: state for play, state in states(without).items()}
    met = states(with_cy)
    same_there: dict[Hashable, Hashable] = {}
    same_here: dict[Hashable, Hashable] = {}
    assert {play[:-1] for play in met} == expected.keys()
    for (*play, _), state in met.items():
        there = expected[tuple(play)]
        assert with_cy.actor(state) == without.actor(there)
        for player in (0, 1):
            known, in_plain = with_cy.information_state(state, player), without.information_state(there, player)
            assert list(map(str, known)) == list(map(str, in_plain)), play
            assert same_there.setdefault((player, known), in_plain) == in_plain
            assert same_here.setdefault((player, in_plain), known) == known
    if isinstance(with_cy, LoweredMachine):
        assert "machine" not in with_cy._twin.__dict__, "the lowered machine needs no fallback"


def test_the_random_games_have_secret_decisions_before_others() -> None:
    asked = 0
    for seed in range(60):
        machine = ReferenceMachine(model_of(with_and_without(Random(seed))[1]))
        for state in states(machine).values():
            before = state.before
            while before is not None and before.actor == CHANCE:
                before = before.before
            asked += state.actor != END and before is not None and before.actor == CY
    assert asked > 200


@pytest.mark.parametrize("name", ["02_label_split", "02b_hidden_clock_phases"])
def test_trials(name: str) -> None:
    model = model_of((TRIALS / f"{name}.game").read_text())
    for machine in (ReferenceMachine(model), lowered(model)):
        known: set[Hashable] = set()
        asked = 0
        for play, state in states(machine).items():
            if machine.actor(state) == 0 and len(play) > 1:
                known.add(machine.information_state(state, 0))
                asked += 1
        assert (asked, len(known)) == (2, 1)
        assert count_information_sets(machine, 100).count == 3


def test_what_comes_first_in_a_step_may_as_well_have_come_in_the_step_before(machine_of: Any, follow: Any) -> None:
    """A message by the move itself or by a secret move after it: the same observations in the same order."""
    machine = machine_of("""
        game "One step or two"
        players A, B
        start at p
        phase p:
            turn A:
                move at_once secret:
                    tell B that one
                    tell B that two
                    go answer
                move slowly secret:
                    tell B that one
                    go more
        phase more:
            turn A:
                move on secret:
                    tell B that two
                    go answer
        phase answer:
            turn B:
                move guess(n in 1..2): end draw
    """)
    one, two = follow(machine, "at_once"), follow(machine, "slowly", "on")
    assert machine.information_state(one, 1) == machine.information_state(two, 1)
    assert machine.information_state(one, 1) == (Told("one", ()), Told("two", ()), Asked("answer", ()))


def test_values_that_change_one_after_the_other_are_told_apart(machine_of: Any, follow: Any) -> None:
    machine = machine_of("""
        game "At once or not"
        players A, B
        var x: 0..1 = 0
        var y: 0..1 = 0
        start at p
        phase p:
            turn A:
                move both secret:
                    x := 1
                    y := 1
                    go answer
                move slowly secret:
                    x := 1
                    go more
                move back secret:
                    x := 1
                    go again
        phase more:
            turn A:
                move on secret:
                    y := 1
                    go answer
        phase again:
            turn A:
                move back secret:
                    x := 0
                    go answer
        phase answer:
            turn B:
                move guess(n in 1..2): end draw
    """)

    def seen(*play: str) -> list[str]:
        return list(map(str, machine.information_state(follow(machine, *play), 1)))

    assert seen("both") == ["x = 1; y = 1", "to decide: answer"]
    assert seen("slowly", "on") == ["x = 1", "y = 1", "to decide: answer"]
    assert seen("back", "back") == ["x = 1", "x = 0", "to decide: answer"]


def test_observations_of_different_kinds_are_never_equal() -> None:
    """A message may have the name of a phase."""
    assert Told("answer", ()) != Asked("answer", ())
    assert len({Told("answer", ()), Asked("answer", ())}) == 2
