"""Numbers in planes, compared all at once, against the reference machine."""

from __future__ import annotations

from random import Random

import pytest
from all_machines import compiled, needs_llvm

from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.executor import PythonExecutor
from zermelo.interpreter.reference.machine import ReferenceMachine

RANGES = {"from zero": (0, 15), "from one": (1, 6), "below zero": (-5, 4)}


def game(low: int, high: int, random: Random) -> str:
    """A game that offers as moves the places whose numbers meet conditions."""
    rules = []
    for bound in (low - 1, high, high + 1, *random.sample(range(low, high), 4)):
        for operator in ("<", "<=", ">", ">=", "==", "!="):
            rules.append(f"at{len(rules)}(q in 0..25) if men[A, q] {operator} {bound}")
        rules.append(f"turned{len(rules)}(q in 0..25) if {bound} < men[B, q]")
        rules.append(f"half{len(rules)}(q in 3..9) if men[B, q] >= {bound} / 2")
    rules += [
        f"low(q in Place) if q > 3 and q < {random.randint(4, 20)} and men[A, q] >= 2",
        "called(p in Player, q in Place) if high(p, q)",
        "either(p in Player, q in Place) if q == 7 or men[p, q] == men[other p, 3]",
        "all_of(p in Player) if all q in 20..25: men[p, q] >= 1",
        "beyond(p in Player, k in Place) if no q in (k + 1)..20: men[p, q] > 2",
        "of_number(x in Small) if level[x] == 2 or x > 4",
        "summed(k in -99..99) if k == (sum q in 0..9: men[A, q])",
    ]
    values = [f"    men[{player}, {place}] := {random.randint(low, high)}" for player in "AB" for place in range(26)]
    levels = [f"    level[{x}] := {random.randint(0, 3)}" for x in range(2, 7)]
    lines = [
        'game "Numbers"',
        "players A, B",
        "type Place = 0..25",
        "type Small = 2..6",
        f"var men[Player, Place]: {low}..{high} = {low}",
        "var level[Small]: 0..3 = 0",
        f"define high(p: Player, q: Place) = q != 5 and men[p, q] >= {(low + high) // 2}",
        "setup:",
        *values,
        *levels,
        "start at choose",
        "phase choose:",
        "    turn A:",
        *(f"        move {rule}: end draw" for rule in rules),
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("range", RANGES)
@pytest.mark.parametrize("make", [PythonExecutor, pytest.param(compiled, marks=needs_llvm)])
def test_numbers_are_compared_as_on_the_reference_machine(make, range):
    model, findings = check(Source("numbers.game", game(*RANGES[range], Random(range))))
    assert model is not None, findings
    program = lower(model)
    assert all(place.is_planes for variable, place in program.layout.places.items() if variable.name == "men")
    machine, reference = machine_over(program, make(program)), ReferenceMachine(model)
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())
