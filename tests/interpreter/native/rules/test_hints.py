"""The hints for search on the lowered machines, against the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from all_machines import native_machine, needs_llvm, python_machine
from kernel_modules import modules

from zermelo import gamedefs
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.cardinality import with_weights
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

ASK = """
from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State, {hint}

class Question:
    rules: Context
    state: State

def ask(question: Question, player: int) -> int:
    return {hint}(question.rules, question.state{player})
"""
"""A kernel that queries a hint."""


def load(name: str) -> Model:
    file = gamedefs.path(name)
    model, findings = check(Source(file.name, file.read_text(encoding="utf-8")))
    assert model is not None, findings
    return model


@pytest.fixture
def module(monkeypatch, tmp_path):
    return modules(tmp_path, monkeypatch)


def compare(model: Model, machine: LoweredMachine, length: int, module: Callable[[str, str], Any]) -> None:
    """Play at random and compare both machines in every position."""
    reference = ReferenceMachine(model)
    program = machine.program
    hints = {"estimate": model.estimate, "unsettled": model.unsettled, "order_key": model.order_moves}
    given = {name: hint for name, hint in hints.items() if hint is not None}
    assert program.estimate_denominator is not None
    made = {name: module(ASK.format(hint=name, player=", player" * (name == "estimate")), "") for name in given}
    kernels = {name: machine.load(kernel(each.ask)) for name, each in made.items()}
    questions = {name: kernels[name].new(each.Question) for name, each in made.items()}
    random = Random(3)
    one, two = reference.initial(), machine.initial()
    for _ in range(length):
        if reference.actor(one) == END:
            break
        moves = machine.moves(two) if reference.actor(one) != CHANCE else (reference.draw(one, random),)
        move = random.choice(moves)
        one, two = reference.after(one, move), machine.after(two, move)
        assert two.packed is not None
        for name, hint in given.items():
            kernels[name].put(questions[name].state, two.packed)
            for number, player in enumerate(model.players):
                found = kernels[name].call(made[name].ask, questions[name], number)
                scale = program.estimate_denominator if name == "estimate" else 1
                assert Fraction(found, scale) == reference.evaluate(one, hint, *([player] * (name == "estimate")))


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_hints_are_lowered(name: str, make: Callable[[Model], LoweredMachine], module) -> None:
    model = load(name)
    compare(model, make(model), 60, module)


@pytest.mark.parametrize("name", ["checkers", "chess"])
def test_hints_of_long_rules_are_lowered(name: str, module) -> None:
    model = load(name)
    compare(model, python_machine(model), 25, module)


def test_other_weights_are_lowered(module) -> None:
    model = with_weights(load("connect_four"), {"threats": Fraction(1, 3), "open_lines": "-1/7"})
    machine = python_machine(model)
    assert machine.program.estimate_denominator == 21
    compare(model, machine, 40, module)
