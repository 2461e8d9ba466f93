"""Discounting an amount by the number of decisions (:mod:`zermelo.interpreter.native.rules.discounting`)."""

from __future__ import annotations

DECISIONS: int  # the slot of their number
MOST: int  # the bound on amounts


def discounted(C: ints[CONTEXT], S: state, amount: int, site: int) -> int:
    """The discounted amount over the program's denominator; a fault at ``site`` if it is too large."""
    if amount == 0:
        return 0
    k: int = S[DECISIONS]
    if k > LONGEST or (amount if amount > 0 else -amount) > MOST // WORTH[k]:
        if C[0] == 0:
            C[0] = site
        return 0
    return amount * WORTH[k]
