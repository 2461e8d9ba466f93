"""What an amount counts after so many decisions (:mod:`zermelo.interpreter.native.rules.discounting`)."""

from __future__ import annotations

DECISIONS: int  # where a state holds how many there were
MOST: int  # how large an amount may get


def discounted(C: ints[CONTEXT], S: state, amount: int, site: int) -> int:
    """The amount over the denominator of the program; where that is too large, the place ``site`` of the rules went
    wrong."""
    if amount == 0:
        return 0
    k: int = S[DECISIONS]
    if k > LONGEST or (amount if amount > 0 else -amount) > MOST // WORTH[k]:
        if C[0] == 0:
            C[0] = site
        return 0
    return amount * WORTH[k]
