"""Machines of small games and of bundled ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from written_games import bundled_model, model_of

from zermelo.interpreter.reference.machine import ReferenceMachine

Build = Callable[..., ReferenceMachine]


@pytest.fixture(scope="session")
def machine_of() -> Build:
    """The machine of the game that a text describes; parameters by name."""

    def build(text: str, **settings: object) -> ReferenceMachine:
        return ReferenceMachine(model_of(text, **settings))

    return build


@pytest.fixture(scope="session")
def bundled() -> Build:
    """The machine of a bundled game; parameters by name."""
    built: dict[object, ReferenceMachine] = {}

    def build(name: str, **settings: object) -> ReferenceMachine:
        key = name, tuple(sorted(settings.items()))
        if key not in built:
            built[key] = ReferenceMachine(bundled_model(name, **settings))
        return built[key]

    return build


@pytest.fixture(scope="session")
def follow() -> Callable[..., object]:
    """The state that written moves lead to from the beginning."""

    def walk(machine: ReferenceMachine, *moves: str) -> object:
        state = machine.initial()
        for move in moves:
            state = machine.after(state, machine.find_move(state, move))
        return state

    return walk
