"""The moves or outcomes of a state, whoever acts."""

from __future__ import annotations

from zermelo.interpreter.machine import CHANCE, END, Machine, Move, State


def choices(machine: Machine[State], state: State) -> tuple[Move, ...]:
    """The legal moves, the outcomes of chance, or nothing at the end. Raises ``ZermeloError``
    (``too-many-outcomes``) if chance has too many outcomes to list."""
    actor = machine.actor(state)
    if actor == END:
        return ()
    if actor == CHANCE:
        return tuple(outcome for outcome, _ in machine.outcomes(state))
    return machine.moves(state)
