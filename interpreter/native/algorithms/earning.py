"""Earnings of players during the play."""

from __future__ import annotations

EARNINGS: int  # the first slot of the players' earnings
BOUND: int  # the bound on sums


def earn(C: ints[CONTEXT], S: state, p: int, amount: int, site: int) -> int:
    """Add to a player's earnings; a fault at ``site`` if the sum is too large."""
    total: int = S[EARNINGS + p]
    total += amount
    if (total > BOUND or total < -BOUND) and C[0] == 0:
        C[0] = site
    S[EARNINGS + p] = total
    return 0
