"""Which states of one position are alike to whoever asks for amounts.

A position holds what may still happen, but not what has been earned on the way, which nobody perceives, nor how many
decisions lie behind, by which a discount makes later payments smaller: a player who noticed nothing of these does not
know them either.
"""

from __future__ import annotations

from collections.abc import Hashable

from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.positions.playing import before_the_root


def standing(machine: Machine[State], state: State) -> Hashable:
    """Equal for states from which the same plays bring the same payoffs in the end: the position, what everybody has
    earned, and by what later payments count."""
    return machine.position(state), machine.earned(state), later_payments(machine, state)


def later_payments(machine: Machine[State], state: State) -> Hashable:
    """By what the payments of the next move count; None in a game without a discount."""
    return before_the_root(machine, state)[1] if machine.discount != 1 else None
