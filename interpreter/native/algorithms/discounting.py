"""Discounting an amount by the number of decisions (:mod:`zermelo.interpreter.native.rules.payoffs`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import LONGEST, WORTH, Context, State

DECISIONS: int  # the slot of their number; in the next one is that of the next run
ACTOR: int  # the slot of the actor: 1 is chance
MOST: int  # the bound on amounts


def begin_run(state: State) -> int:
    """Update the numbers when a move or an outcome is made."""
    state[DECISIONS] = state[DECISIONS + 1]
    if state[ACTOR] != 1:
        state[DECISIONS + 1] = state[DECISIONS + 1] + 1
    return 0


def discounted(context: Context, state: State, amount: int, site: int) -> int:
    """The discounted amount over the program's denominator; a fault at ``site`` if it is too large."""
    if amount == 0:
        return 0
    decisions: int = state[DECISIONS]
    if decisions > LONGEST or (amount if amount > 0 else -amount) > MOST // WORTH[decisions]:
        if context[0] == 0:
            context[0] = site
        return 0
    return amount * WORTH[decisions]
