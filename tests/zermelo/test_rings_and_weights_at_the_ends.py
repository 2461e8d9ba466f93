"""Places on a ring and weights of chance, with numbers at the limits of machines; expected values by arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo

ENDS = [1, 2**31, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 + 1]

RING = """
game "Ring"
players Ann, Bob
type P = ring(7)
var at: P = P(3)
var n: 0..{n} = {n}
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on:
            at := {step}
            end payoff (steps(P(0), at), -steps(P(0), at))
"""

WEIGHTS = """
game "Weights"
players Ann, Bob
start at draw
phase draw:
    chance:
        outcome a weight {a}: end payoff (1, -1)
        outcome b weight {b}: end payoff (0, 0)
"""

machines = pytest.mark.parametrize("machine", ["reference", "python", "native"])


def value(text: str, machine: str) -> Fraction | None:
    """Ann's payoff; None if a machine refuses the game, which the reference machine never does."""
    try:
        return zermelo.solve(zermelo.loads(text).on(machine)).value[0]
    except zermelo.ZermeloError as refusal:
        assert refusal.code == "machine-unavailable" and machine != "reference"
        return None


@machines
@pytest.mark.parametrize("n", ENDS)
def test_steps_on_a_ring(n: int, machine: str) -> None:
    for step, there in (("at + n", 3 + n), ("at - n", 3 - n), ("at - 2 * n", 3 - 2 * n)):
        assert value(RING.format(n=n, step=step), machine) in (there % 7, None)


@machines
@pytest.mark.parametrize("a", [*ENDS, Fraction(1, 2**60 + 1)])
def test_weights(a: int | Fraction, machine: str) -> None:
    for b in (1, 3, 2**61, 2**64, Fraction(1, 3)):
        assert value(WEIGHTS.format(a=a, b=b), machine) in (a / (Fraction(a) + b), None)
