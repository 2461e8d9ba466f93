"""Discounting an amount by the number of decisions (:mod:`zermelo.interpreter.native.rules.discounting`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import LONGEST, WORTH, Context, State

DECISIONS: int  # the slot of their number
MOST: int  # the bound on amounts


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
