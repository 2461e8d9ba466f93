"""Answers by undecided positions: those of the solver that keeps all positions, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from all_machines import compiled_machine, needs_llvm, python_machine
from contests import contests, even_contests
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_cases import many
from written_games import bundled_model, model_of

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.model import Model
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.answering import positions
from zermelo.solvers.positions.undecided import answer_undecided
from zermelo.solvers.solution import Answer, Problem

LOWERED = [
    pytest.param(python_machine, id="python"),
    pytest.param(compiled_machine, id="compiled", marks=needs_llvm),
]


def problem_of(model: Model, machine: Any, root: Any = None, memory: int = 1 << 28) -> Problem[Any]:
    start = machine.initial() if root is None else root
    return Problem(machine, facts(model), start, limits=Limits(memory=memory))


def agree(undecided: Answer | None, plain: Answer, problem: Problem[Any]) -> None:
    """Both say the same of the root and of each of its moves; and the line brings what is said, as soon as is said."""
    assert undecided is not None and undecided.exact
    assert (undecided.value, undecided.distance) == (plain.value, plain.distance)
    assert undecided.best == plain.best
    assert undecided.policy is not None and plain.policy is not None
    assert undecided.policy.first() == plain.policy.first()
    if undecided.lasting is not None:
        assert set(undecided.lasting) == set(plain.lasting or ())
    machine, state = problem.machine, problem.root
    for move in undecided.line:
        state = machine.after(state, move)
    if machine.actor(state) == END:
        assert machine.payoff(state) == undecided.value
        if undecided.value != machine.endless():
            assert len(undecided.line) == undecided.distance
    else:
        assert undecided.value == machine.endless()


def roots(machine: Any, most: int) -> list[Any]:
    """The states of some positions in which somebody moves, breadth first."""
    found = {machine.position(machine.initial()): machine.initial()}
    for state in (waiting := [machine.initial()]):
        for after in (machine.after(state, move) for move in machine.moves(state)):
            if machine.actor(after) != END and machine.position(after) not in found and len(found) < most:
                found[machine.position(after)] = after
                waiting.append(after)
    return waiting


def checked(text: str) -> Model:
    model, _ = check(Source("test.game", text), {})
    assume(model is not None)  # else there is no way from some position to an end
    assert model is not None
    return model


def compare(model: Model, make: Callable[[Model], LoweredMachine], most: int) -> None:
    """From every position, against the reference machine."""
    machine, plain = make(model), ReferenceMachine(model)
    for root, other in zip(roots(machine, most), roots(plain, most), strict=True):
        problem = problem_of(model, machine, root)
        agree(answer_undecided(problem), positions(problem_of(model, plain, other)), problem)


@given(contests())
@settings(max_examples=many(100))
def test_random_contests(text: str) -> None:
    """With circles, several moves in turn, ends that are not the best, and endless plays of every worth."""
    compare(checked(text), python_machine, 9)


@given(even_contests())
@settings(max_examples=many(60))
def test_players_are_exchanged_in_random_contests(text: str) -> None:
    model = checked(text)
    assert len(symmetries(model)) == 2
    compare(model, python_machine, 14)


@needs_llvm
@given(st.one_of(contests(), even_contests()))
@settings(max_examples=many(4))
def test_machine_code_finds_the_same(text: str) -> None:
    compare(checked(text), compiled_machine, 2)


@pytest.mark.parametrize("make", LOWERED)
@pytest.mark.parametrize(
    ("name", "parameters", "most"),
    [
        ("tic_tac_toe", {}, 25),
        ("three_mens_morris", {}, 4),
        ("connect_four", {"columns": 3, "rows": 3, "run": 3}, 10),
        ("tug_of_war", {}, 8),
        ("breakthrough", {"columns": 3, "rows": 4}, 3),
        ("nim", {}, 6),
    ],
)
def test_bundled_games(
    make: Callable[[Model], LoweredMachine], name: str, parameters: dict[str, int], most: int
) -> None:
    model = bundled_model(name, **parameters)
    machine = make(model)
    for root in roots(machine, most):
        problem = problem_of(model, machine, root)
        agree(answer_undecided(problem), positions(problem), problem)


EVEN = """\
game "Nothing to gain"
players Ann, Bob
start at first_choice
phase first_choice:
    turn Ann:
        move on: go second_choice
        move stop: end draw
phase second_choice:
    turn Bob:
        move wait: go last_choice
        move stop: end draw
phase last_choice:
    turn Ann:
        move stop: end draw
"""


def test_all_hurry_where_nobody_has_anything_to_gain() -> None:
    model = model_of(EVEN)
    compare(model, python_machine, 3)
    machine = python_machine(model)
    found = answer_undecided(problem_of(model, machine))
    assert found is not None and found.distance == 1 and [move.name for move in found.best] == ["stop"]
