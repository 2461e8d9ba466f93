"""Models and machines of games in the tests, and machines of bundled ones."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from textwrap import dedent

import pytest
import written_games

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine

Build = Callable[..., ReferenceMachine]


def _machine(name: str, text: str, settings: dict[str, object]) -> ReferenceMachine:
    model, findings = check(Source(name, text), settings)
    assert model is not None, [(finding.code, finding.message, finding.span.line) for finding in findings]
    return ReferenceMachine(model)


@pytest.fixture(scope="session")
def model_of() -> Callable[[str], Model]:
    """Makes the model of a text; parameters may be set by name."""
    return written_games.model_of


@pytest.fixture(scope="session")
def machine_of() -> Build:
    """The machine of the game of a text; parameters by name."""

    def build(text: str, **settings: object) -> ReferenceMachine:
        return _machine("test.game", dedent(text), settings)

    return build


@pytest.fixture(scope="session")
def bundled() -> Build:
    """The machine of a bundled game; parameters by name."""
    built: dict[object, ReferenceMachine] = {}

    def build(name: str, **settings: object) -> ReferenceMachine:
        key = name, tuple(sorted(settings.items()))
        if key not in built:
            text = files("zermelo.gamedefs").joinpath(f"{name}.game").read_text(encoding="utf-8")
            built[key] = _machine(f"{name}.game", text, settings)
        return built[key]

    return build


@pytest.fixture(scope="session")
def follow() -> Callable[..., object]:
    """The state after written moves from the beginning."""

    def walk(machine: ReferenceMachine, *moves: str) -> object:
        state = machine.initial()
        for move in moves:
            state = machine.after(state, machine.find_move(state, move))
        return state

    return walk


@pytest.fixture(scope="session")
def construct() -> Callable[[str], str]:
    """The text of a game of ``alike/``, by its folder and name."""
    return lambda name: (Path(__file__).parent / "alike" / f"{name}.game").read_text(encoding="utf-8")
