"""The order of the neighbours in some directions, which no table of earlier ones may change."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from written_games import model_of

from zermelo.interpreter.machine import Move
from zermelo.interpreter.reference.machine import ReferenceMachine

GAME: Final = Path(__file__).parents[1] / "alike/sets/neighbours_in_an_order.game"


@pytest.mark.parametrize("order", [("up", "down"), ("down", "up")])
def test_neighbours_are_in_the_order_of_the_directions(order: tuple[str, str]) -> None:
    """``{north, south}`` begins with north in the order of its type; reversed one by one, with south."""
    machine = ReferenceMachine(model_of(GAME.read_text(encoding="utf-8")))
    state = machine.initial()
    for name in order:
        state = machine.after(state, Move(name))
    assert {"upward = b3", "downward = b1"} <= {str(seen) for seen in machine.information_state(state, 1)}
