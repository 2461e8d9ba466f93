"""Random games over most of the language: the lowered text against the reference machine, errors included."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.diagnostics import ZermeloError
from grammar.source import Source
from interpreter.check import check
from interpreter.machine import CHANCE, END
from interpreter.native.machine import python_machine
from interpreter.native.unsupported import Unsupported
from interpreter.reference.machine import ReferenceMachine


def observed(machine: Any, choices: Random) -> list[Any]:
    """One random play: what a solver sees of it, and the error that ends it, if one does."""
    seen: list[Any] = []
    try:
        state = machine.initial()
        for _ in range(12):
            actor = machine.actor(state)
            seen.append(actor)
            if actor == END:
                seen.append(machine.payoff(state))
                break
            if actor == CHANCE:
                seen.append(machine.outcomes(state))
                moves = [move for move, _ in seen[-1]]
            else:
                moves = list(machine.moves(state))
                seen.append(moves)
            state = machine.after(state, choices.choice(moves))
    except ZermeloError as error:
        seen.append(str(error))
    return seen


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.integers(0, 5))
def test_random_games_play_alike(random_game: Callable[[Random], str], number: int, seed: int) -> None:
    model, _ = check(Source("random.game", random_game(Random(number))))
    if model is None:
        return
    try:
        machine = python_machine(model)
    except Unsupported:
        return
    found = observed(machine, Random(seed))
    if str(found[-1]).find("goes beyond what this machine can hold") < 0:
        assert found == observed(ReferenceMachine(model), Random(seed))
