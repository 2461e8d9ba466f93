"""The hints for search on the lowered machines, against the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from zermelo import gamedefs
from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.lowered_machines import native_machine, python_machine
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.weights import reweighed
from zermelo.interpreter.native.dialect.kernel_source import KernelText
from zermelo.interpreter.native.llvm.engine import is_available
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine

HEAD = "def ask_{}(C: ints[CONTEXT], stack: states[1], p: int) -> int:\n    return {}\n"
ASK = {
    "estimate": HEAD.format("estimate", "estimate(C, stack[0], p)"),
    "unsettled": HEAD.format("unsettled", "unsettled(C, stack[0])"),
    "order_key": HEAD.format("order_key", "order_key(C, stack[0])"),
}
"""Kernels that query one hint for the state at the bottom of their stack."""

needs_llvm = pytest.mark.skipif(not is_available(), reason="llvmlite is not installed")


def load(name: str) -> Model:
    file = gamedefs.path(name)
    model, findings = check(Source(file.name, file.read_text(encoding="utf-8")))
    assert model is not None, findings
    return model


def compare(model: Model, machine: LoweredMachine, length: int) -> None:
    """Play at random and compare both machines in every position."""
    reference = ReferenceMachine(model)
    program = machine.program
    hints = {"estimate": model.estimate, "unsettled": model.unsettled, "order_key": model.order_moves}
    given = {name: hint for name, hint in hints.items() if hint is not None}
    assert program.estimate_denominator is not None
    text = "\n".join(ASK[name] for name in given)
    kernels = machine.load(KernelText(text, tuple(f"ask_{name}" for name in given)))
    stack = kernels.states(1)
    random = Random(3)
    one, two = reference.initial(), machine.initial()
    for _ in range(length):
        if reference.actor(one) == END:
            break
        moves = machine.moves(two) if reference.actor(one) != CHANCE else (reference.draw(one, random),)
        move = random.choice(moves)
        one, two = reference.after(one, move), machine.after(two, move)
        kernels.put_at(stack, 0, two.packed)
        for name, hint in given.items():
            for number, player in enumerate(model.players):
                found = kernels.call_by_name(f"ask_{name}", stack, number)
                scale = program.estimate_denominator if name == "estimate" else 1
                assert Fraction(found, scale) == reference.evaluate(one, hint, *([player] * (name == "estimate")))


@pytest.mark.parametrize("make", [python_machine, pytest.param(native_machine, marks=needs_llvm)])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "othello"])
def test_hints_are_lowered(name: str, make: Callable[[Model], LoweredMachine], tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    model = load(name)
    compare(model, make(model), length=60)


@pytest.mark.parametrize("name", ["checkers", "chess"])
def test_hints_of_long_rules_are_lowered(name: str) -> None:
    model = load(name)
    compare(model, python_machine(model), length=25)


def test_other_weights_are_lowered() -> None:
    model = reweighed(load("connect_four"), {"threats": Fraction(1, 3), "open_lines": "-1/7"})
    machine = python_machine(model)
    assert machine.program.estimate_denominator == 21
    compare(model, machine, length=40)
