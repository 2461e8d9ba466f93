"""A conditional plan, followed along every play by the reference machine alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.forms.policy import ConditionalPlan


def ends_of(plan: ConditionalPlan, machine: Any, player: int, begin: Any) -> list[tuple[Fraction, Fraction]]:
    """The payoff of the player at every end to which the plan leads, with the probability of chance; the others make
    every move. The plan must have a step at every decision."""
    ends, waiting = [], [(begin, Fraction(1))]
    while waiting:
        state, chance = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            ends.append((machine.payoff(state)[player], chance))
        elif actor == CHANCE:
            waiting += [(machine.after(state, move), chance * likely) for move, likely in machine.outcomes(state)]
        elif actor == player:
            step = plan.step_at(tuple(machine.information_state(state, player)))
            assert step is not None, "the plan says what to do wherever it leads"
            waiting.append((machine.after(state, step.move), chance))
        else:
            waiting += [(machine.after(state, move), chance) for move in machine.moves(state)]
    return ends
