"""Brinkmanship: a threat that leaves something to chance."""

from __future__ import annotations

from fractions import Fraction

import pytest


def value(steps: int, harm: int) -> tuple[Fraction, Fraction]:
    """By backward induction: who is to move before a step yields, unless they do better by taking it.

    Nobody takes the last step. Somebody takes a step before which the other would yield if the risk is worth it:
    with so small a chance r of disaster that -harm * r + (1 - r) > -1, that is r * (harm + 1) < 2.
    """
    mover, other = Fraction(-1), Fraction(1)
    for step in range(steps - 1, 0, -1):
        risk = Fraction(step, steps)
        taken = -harm * risk + (1 - risk) * other, -harm * risk + (1 - risk) * mover
        assert taken[0] != -1, "a tie"
        mover, other = taken if taken[0] > -1 else (Fraction(-1), Fraction(1))
    return mover, other


@pytest.mark.parametrize(("steps", "harm"), [(10, 5), (10, 2), (12, 6), (20, 8), (2, 1), (100, 100)])
def test_the_value(solution, steps, harm):
    assert solution("brinkmanship", ends=True, steps=steps, harm=harm).value == value(steps, harm)


@pytest.mark.parametrize(("steps", "harm"), [(10, 5), (12, 6), (20, 8), (100, 100)])
def test_the_crisis_is_short(steps, harm):
    """If the harm is at least 5, at most one step is taken, by East: if the number of steps worth their risk is odd."""
    worth = sum(Fraction(step, steps) * (harm + 1) < 2 for step in range(1, steps))
    risk = Fraction(1, steps)
    begins = (1 - risk - harm * risk, -(1 - risk) - harm * risk)
    assert value(steps, harm) == (begins if worth % 2 == 1 else (-1, 1))


def test_disaster_is_certain_at_the_last_step(start):
    play = start("brinkmanship", steps=2, harm=7).then("escalate", "luck", "escalate")
    assert play.legal == {"disaster"}
    assert play.then("disaster").payoff == (-7, -7)
