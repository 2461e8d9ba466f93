"""Payoffs for one player after the other."""

from __future__ import annotations

PAYOFFS: int  # where a state holds what each player gets


def pay(C: ints[CONTEXT], S: state, given: int, p: int, amount: int, site: int) -> int:
    """Pay a player, who may be among those to whom something has been ``given``: a second amount must be equal, or the
    place ``site`` of the rules goes wrong. To whom something has been given then."""
    held: int = S[PAYOFFS + p]
    if (given >> p) & 1 != 0 and held != amount and C[0] == 0:
        C[0] = site
    S[PAYOFFS + p] = amount
    return given | (1 << p)
