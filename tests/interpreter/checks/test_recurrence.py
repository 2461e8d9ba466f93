"""Phases that count repetitions, and end a play at some number."""

from __future__ import annotations

from random import Random

import pytest
from random_cases import seeds
from written_games import model_of

from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.interpreter.reference.machine import ReferenceMachine

RULES = """
game "Round and round"
players A, B
var lamp[Player]: Bool = false
var steps: 0..2 = 0
define again(n: 0..9) = repetitions(lamp) >= n
start at play(A)
phase play(p: Player):
{entry}
    turn p:
        move switch(q in Player):
            lamp[q] := not lamp[q]
            go {after}
        move stop: end win p
    otherwise:
        end draw
phase other(p: Player):
    steps := if steps == 2 then 0 else steps + 1
    turn p:
        move on:
            go play(other p)
"""

PROVED = [
    "if repetitions(lamp) >= 3: end draw",
    "if repetitions(lamp, steps) > 3: end draw",
    "if repetitions(lamp) == 2: end draw",
    "if 4 <= repetitions(lamp): end draw",
    "if again(2): end draw",
    "if lamp[A] or repetitions(lamp) >= 3: end draw",
    "let now = steps\n    if now == 1: end win p\n    if repetitions(lamp) >= 3: end draw",
]

OPEN = [
    "if repetitions(lamp) <= 3: steps := 0",
    "if repetitions(lamp) == 0: end draw",
    "if lamp[A] and repetitions(lamp) >= 3: end draw",
    "if repetitions(lamp) >= 3:\n        if lamp[A]: end draw",
    "steps := 0\n    if repetitions(lamp, steps) >= 3: end draw",
    "if lamp[A]: steps := 1\n    if repetitions(lamp, steps) >= 3: end draw",
    "if lamp[A]: go other(p)\n    if repetitions(lamp) >= 3: end draw",
    "if not (repetitions(lamp) >= 3): steps := 1",
    "if lamp[A]: end draw\n    else: steps := 1\n    if repetitions(lamp, steps) >= 3: end draw",
]


def rules(entry: str, after: str = "play(other p)") -> str:
    return RULES.format(entry="    " + entry, after=after)


@pytest.mark.parametrize("entry", PROVED)
@pytest.mark.parametrize("after", ["play(other p)", "other(p)"])
def test_a_phase_that_ends_repetitions_is_not_entered_for_ever(entry: str, after: str) -> None:
    known = facts(model_of(rules(entry, after))).terminates
    assert known.holds is True
    assert "'play' ends plays that repeat themselves" in known.how


@pytest.mark.parametrize("entry", OPEN)
def test_what_does_not_always_end_them_proves_nothing(entry: str) -> None:
    assert facts(model_of(rules(entry))).terminates.holds is not True


def test_another_way_round_is_another_question() -> None:
    """One that does not come past the phase which counts."""
    text = rules("if repetitions(lamp) >= 3: end draw", "other(p)") + "        move wait: go other(p)\n"
    assert facts(model_of(text)).terminates.holds is None


CONDITIONS = (
    "repetitions(lamp) >= 2", "repetitions(lamp) == 2", "repetitions(lamp, steps) > 1", "2 <= repetitions(steps)",
    "repetitions(lamp) < 2", "repetitions(lamp) != 1", "not (repetitions(steps) < 2)", "again(2)", "not again(1)",
    "repetitions(lamp) >= 2 or lamp[p]", "repetitions(lamp) >= 2 and steps == 1", "lamp[A]", "steps == 2",
)  # fmt: skip
BODIES = ("end draw", "end win p", "steps := 1", "go other(other p)", "lamp[A] := not lamp[A]")


def made_up(random: Random) -> str:
    """Rules whose first statements look like a count of repetitions, or are one."""
    lines = []
    for _ in range(random.choice((1, 1, 2, 3))):
        condition = random.choice(CONDITIONS)
        lines.append(
            f"if {condition}: {random.choice(BODIES)}" if random.random() < 0.8 else random.choice(BODIES[2::2])
        )
    return rules("\n    ".join(lines), random.choice(("play(other p)", "other(p)")))


@pytest.mark.random
def test_random_rules_that_are_proved_to_end_do() -> None:
    """A play has no more turns than there are positions, twice each, and a turn of the other phase after each."""
    most, proved = 2 * 2 * (4 * 3 * 2) * 2, 0
    for seed in seeds(150):
        random = Random(seed)
        model = model_of(made_up(random))
        if facts(model).terminates.holds:
            proved += 1
            for _ in range(5):
                assert length(ReferenceMachine(model), random, most + 1) <= most, seed
    assert proved > 20


def length(machine: ReferenceMachine, random: Random, most: int) -> int:
    """How many moves a play takes in which nobody stops unless they must."""
    state = machine.initial()
    for number in range(most):
        if machine.actor(state) == END:
            return number
        moves = [move for move in machine.moves(state) if move.name != "stop"]
        state = machine.after(state, random.choice(moves))
    return most
