"""Claims that plays end by a measure: one that names phases and their parameters, and what entering a phase changes."""

from __future__ import annotations

import pytest
from written_games import model_of

from zermelo.interpreter.checks.claims import verdict
from zermelo.interpreter.checks.proving import facts

PHASES = """\
game "Phases"
players A, B
claim terminates by {measure}
var spare: 0..9 = 3
start at one(5)
phase one(k: 0..9):
    turn A:
        move m(n in 1..2) if n <= k:
            {first}
    otherwise: end draw
phase two(k: 0..9, p: Player):
    turn p:
        move m if k > 0:
            {second}
    otherwise: end draw
"""

NAMES_A_PHASE = [
    ("{one: k, two: k}", "go two(k - n, A)", "go one(k - 1)", True),
    ("{one: (k, 1), two: (k, 0)}", "go two(k, A)", "go one(k - 1)", True),
    ("{one: 2 * k + 1, two: 2 * k}", "go two(k, A)", "go one(k - 1)", True),
    ("{one: k + spare, two: k + spare}", "go two(k - 1, A)", "go one(k - 1)", True),
    ("{one: k + spare, two: k + spare}", "go two(k - n, A)", "spare += 1\n            go one(k - 1)", None),
    ("{one: k, two: k}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: k, two: k}", "go two(k + 1 - n, A)", "go one(k - 1)", None),
    ("{one: (k, 0), two: (k, 1)}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: 1, two: 0}", "go two(k, A)", "go one(k - 1)", None),
    ("{one: k, two: k}", "go two(spare, A)", "spare := k\n            go one(k - 1)", None),
    ("{one: k, two: k}", "let s = spare\n            spare += 1\n            go two(s, A)", "go one(k - 1)", None),
    ("{one: spare, two: k}", "let s = spare - 1\n            spare += 1\n            go two(s, A)", "go one(3)", None),
    ("{one: spare, two: k}", "go two(spare - 1, A)", "spare := k - 1\n            go one(3)", None),
    ("{one: sum c in 1..k: 1, two: k}", "go two(k - n, A)", "go one(k - 1)", None),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "first", "second", "holds"), NAMES_A_PHASE)
def test_a_measure_may_name_the_phase_and_its_parameters(measure, first, second, holds):
    model = model_of(PHASES.format(measure=measure, first=first, second=second))
    assert verdict(model.claims[0], facts(model), model).holds is holds


def test_the_parameters_of_a_phase_are_not_those_of_an_action():
    text = PHASES.format(measure="{one: k, two: k}", first="go two(k - n, A)", second="leave(9)")
    text += "action leave(k: 0..9):\n    go one(k - 1)\n"
    model = model_of(text)
    assert verdict(model.claims[0], facts(model), model).holds is None


RISES = """\
game "Rises"
players A
claim terminates by (left)
var left: 0..9 = 3
start at play
phase play:
    left += 1
    turn A:
        move m if left > 0:
            left -= 1
            go play
    otherwise: end payoff {A: 0}
"""


def test_what_rises_on_entry_does_not_fall():
    model = model_of(RISES)
    assert verdict(model.claims[0], facts(model), model).holds is None
    assert facts(model).terminates.holds is None
