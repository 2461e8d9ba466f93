"""Payoffs, player by player."""

from __future__ import annotations

PAYOFFS: int  # the first slot of the payoffs


def pay(C: ints[CONTEXT], S: state, given: int, p: int, amount: int, site: int) -> int:
    """Pay player p, and add them to the set ``given`` of those paid before. A second amount for one player must equal
    the first; otherwise a fault at ``site``."""
    held: int = S[PAYOFFS + p]
    if (given >> p) & 1 != 0 and held != amount and C[0] == 0:
        C[0] = site
    S[PAYOFFS + p] = amount
    return given | (1 << p)
