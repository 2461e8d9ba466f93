"""A random play on two machines at once: both offer the same moves, and pay the same at the end."""

from __future__ import annotations

from random import Random
from typing import Any

from zermelo.interpreter.machine import Machine


def play_alike(reference: Machine[Any], machine: Machine[Any], one: Any, two: Any, random: Random) -> tuple[Any, Any]:
    """Play on from a state of either machine, in which players decide, to the end of the play; the last states."""
    while reference.actor(one) >= 0:
        moves = reference.moves(one)
        assert machine.moves(two) == moves
        move = random.choice(moves)
        one, two = reference.after(one, move), machine.after(two, move)
        assert machine.actor(two) == reference.actor(one)
    assert machine.payoff(two) == reference.payoff(one)
    return one, two
