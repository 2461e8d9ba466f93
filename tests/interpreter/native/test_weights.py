"""Weights and probabilities of any size: exact up to 61 bits, beyond that on the reference machine."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from all_machines import MAKERS, python_machine
from solving import solve

import zermelo
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import PlayError
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.dialect.lowered_text import Text
from zermelo.interpreter.native.rules.sampling import drawing_functions
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.search.random_plays import play_by_kernel

GAME = """
game "Weights"
players A, B
var drawn: 0..99 = 0
var grown: 0..5 = GROWN
start at draw
phase draw:
    chance:
        outcome one KIND FIRST:
            drawn := 1
            go play
        outcome some(k in 1..3) KIND SECOND:
            drawn := k
            go play
phase play:
    turn A:
        move stop: end payoff {A: drawn, B: -drawn}
"""


def game(kind: str, first: str, second: str, grown: int = 3) -> zermelo.Game:
    text = GAME.replace("KIND", kind).replace("FIRST", first).replace("SECOND", second).replace("GROWN", str(grown))
    return zermelo.loads(text)


CASES = [
    ("weight", "10000000000", "k", 3),
    ("weight", "10000000000 * grown", "k", 0),
    ("weight", "1000000000 * grown / 7", "k / 3", 3),
    ("weight", "300000000000000000", "k * 300000000000000000", 3),
    ("prob", "999999/1000003", "4/3000009", 3),
    ("prob", "7/16777215", "16777208/50331645", 3),
]
BEYOND = [
    ("weight", "1000000000000000000", "k * 400000000000000000", 3),
    ("weight", "3000000000000000000", "k", 3),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("case", [*CASES, *BEYOND])
def test_large_weights_are_exact(case: tuple[str, str, str, int], make: Any) -> None:
    reference = game(*case).machine
    machine = make(reference.model)
    state = machine.initial()
    assert machine.outcomes(state) == reference.outcomes(reference.initial())
    assert state.is_overfull == (case in BEYOND)
    for outcome, _ in machine.outcomes(state):
        one = reference.after(reference.initial(), outcome)
        two = machine.after(state, outcome)
        assert two.packed is not None or case in BEYOND
        (stop,) = machine.moves(two)
        assert machine.payoff(machine.after(two, stop)) == reference.payoff(reference.after(one, stop))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("case", "code"),
    [
        (("weight", "10000000000 * (grown - 4)", "k", 3), "negative-weight"),
        (("prob", "grown / 16777215", "16777208/50331645", 3), "bad-probabilities"),
    ],
)
def test_large_weights_go_wrong_as_on_the_reference_machine(case: Any, code: str, make: Any) -> None:
    reference = game(*case).machine
    found = []
    for machine in (reference, make(reference.model)):
        with pytest.raises(PlayError) as error:
            machine.outcomes(machine.initial())
        found.append((error.value.code, str(error.value)))
    assert found[0] == found[1]
    assert found[0][0] == code


def test_solvers_weigh_exactly() -> None:
    loaded = game("weight", "10000000000 * grown", "k", 3)
    found = {
        name: solve(machine, facts(loaded.model), "expectiminimax").value
        for name, machine in (("reference", loaded.machine), ("native", python_machine(loaded.model)))
    }
    assert found["native"] == found["reference"]
    assert found["native"][0] == Fraction(30000000014, 30000000006)


@pytest.mark.parametrize("make", MAKERS)
def test_random_plays_draw_by_large_weights(make: Any) -> None:
    reference = game("weight", "30000000000", "k * 5000000000", 3).machine
    machine = make(reference.model)
    plays = play_by_kernel(machine, machine.initial(), 2000, 1, lambda _: None, Limits(), 1)
    assert plays.mean_payoffs is not None
    mean = Fraction(1, 2) + Fraction(1 + 4 + 9, 12)
    assert abs(plays.mean_payoffs[0] - mean) < Fraction(1, 12)


@pytest.mark.parametrize("bound", [3 << 59, (1 << 61) - 1, 5 << 40, (1 << 20) + 1, 3])
def test_large_numbers_are_drawn_evenly(bound: int) -> None:
    text = Text()
    drawing_functions(text)
    functions = execute("from __future__ import annotations\n" + text.render())
    registers = [1]
    drawn = [functions["drawn"](registers, bound) for _ in range(3000)]
    assert min(drawn) >= 0 and max(drawn) < bound
    for third in range(3):
        share = sum(third * bound <= 3 * number < (third + 1) * bound for number in drawn) / len(drawn)
        assert abs(share - 1 / 3) < 0.03
