"""Errors in what a file asks of positions: the hints that it gives to searches, and its witnesses."""

from __future__ import annotations

from zermelo.interpreter.machine import Machine, State
from zermelo.interpreter.model import Model


def check_hints(machine: Machine[State], model: Model, state: State) -> None:
    """Raise the error (:class:`~zermelo.interpreter.machine.PlayError`) that the hints or the witnesses of a file meet
    in a state, if they meet one."""
    if model.estimate is not None:
        for player in range(len(model.players)):
            machine.estimate(state, player)
    if model.unsettled is not None:
        machine.is_unsettled(state)
    if model.order_moves is not None:
        machine.rank(state)
    for number in range(len(model.witnesses)):
        machine.is_witnessed(state, number)
