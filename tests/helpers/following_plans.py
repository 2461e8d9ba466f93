"""A conditional plan, followed along every play by the reference machine alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.forms.policy import ConditionalPlan


def ends_of(plan: ConditionalPlan, machine: Any, player: int, *begins: Any) -> list[tuple[Fraction, Fraction]]:
    """The payoff of the player at every end to which the plan leads from all that the player holds possible when it
    begins, with the probability of chance; the others make every move. The plan must have a step at every decision, and
    tell the payoffs of the ends behind each."""
    ends, waiting = [], [(begin, Fraction(1), plan) for begin in begins]
    paid: dict[int, set[Fraction]] = {id(each): set() for each in (plan, *plan.steps)}
    while waiting:
        state, chance, last = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            ends.append((machine.payoff(state)[player], chance))
            paid[id(last)].add(ends[-1][0])
        elif actor == CHANCE:
            waiting += [(machine.after(state, move), chance * likely, last) for move, likely in machine.outcomes(state)]
        elif actor == player:
            step = plan.step_at(tuple(machine.information_state(state, player)))
            assert step is not None, "the plan says what to do wherever it leads"
            waiting.append((machine.after(state, step.move), chance, step))
        else:
            waiting += [(machine.after(state, move), chance, last) for move in machine.moves(state)]
    assert all(tuple(sorted(paid[id(each)])) == each.ends for each in (plan, *plan.steps))
    return ends
