"""Expensive closed parts of rules are neither evaluated nor walked while a file is checked."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

import zermelo
from zermelo.interpreter.native.model_lowering import lower

TRIAL = Path(__file__).parent.parent.parent / "trial" / "limits"

GAME = """
game "Large"
players Ann, Bob
var x: 0..2000000000 = 5
start at play(Ann)

phase play(p: Player):
    turn p:
        move a:
            x += 1
            end payoff {{p: if {condition} then 1 else 0, other p: 0}}
        move b: end draw
"""

CONDITIONS = {
    "range": "x in 1..1000000000",
    "count": "x > (count z in 1..1000000000: z % 3 == 1)",
    "comprehension": "x in {z * 2 for z in 1..1000000000}",
    "size": "x > size(1..1000000000)",
    "subsets": "(some s in subsets(1..60, 30): size(s) == x)",
    "nested": "(some y in 1..100000, z in 1..100000: y * z == x)",
    "constant": "(sum z in 1..1000000000: z) == 3",
}


def peak(work):
    """The result of ``work``, and its peak of Python's memory in bytes."""
    tracemalloc.start()
    try:
        made = work()
        return made, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=CONDITIONS)
def test_what_is_much_work_is_left_alone(condition):
    text = GAME.format(condition=condition)
    findings, most = peak(lambda: zermelo.check(text))
    assert most < 50 << 20
    if not findings.errors:
        game, most = peak(lambda: zermelo.loads(text))
        assert game.facts.constant_sum.holds is not True  # it is false, so there must be no proof
        assert most < 50 << 20


@pytest.mark.parametrize("name", ["payoff_range", "payoff_count"])
def test_the_rules_are_lowered_without_it(name):
    game = zermelo.load(str(TRIAL / f"{name}.game"))
    program, most = peak(lambda: lower(game.model))
    assert most < 50 << 20
    assert program.may_take_long == (name == "payoff_count")


def test_what_is_little_work_is_worked_out():
    game = zermelo.loads(GAME.format(condition="(count z in 1..9: z % 3 == 1) == 3 and x < 0"))
    same = zermelo.loads(GAME.format(condition="false"))
    assert same.facts.constant_sum.holds is not None
    assert game.facts.perfect_information.holds == same.facts.perfect_information.holds
