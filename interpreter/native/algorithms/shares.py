"""Weights of chance on one scale."""

from __future__ import annotations

LIMIT: int  # what a sum of weights must not exceed


def share(C: ints[CONTEXT], w: int, factor: int, total: int, site: int) -> int:
    """A weight times a factor; where the sum so far and it go beyond the limit, the place ``site`` of the rules went
    wrong."""
    if w > (LIMIT - total) // factor:
        if C[0] == 0:
            C[0] = site
        return 0
    return w * factor
