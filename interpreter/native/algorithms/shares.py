"""Weights of chance on a common scale."""

from __future__ import annotations

LIMIT: int  # the bound on sums of weights


def share(C: ints[CONTEXT], w: int, factor: int, total: int, site: int) -> int:
    """A weight times a factor; a fault at ``site`` if the total with it exceeds the limit."""
    if w > (LIMIT - total) // factor:
        if C[0] == 0:
            C[0] = site
        return 0
    return w * factor
