"""What players earn on the way."""

from __future__ import annotations

EARNINGS: int  # where a state holds what each player has earned
BOUND: int  # how large a sum may be


def earn(C: ints[CONTEXT], S: state, p: int, amount: int, site: int) -> int:
    """Add to what a player has earned; where the sum is too large, the place ``site`` of the rules went wrong."""
    total: int = S[EARNINGS + p]
    total += amount
    if (total > BOUND or total < -BOUND) and C[0] == 0:
        C[0] = site
    S[EARNINGS + p] = total
    return 0
