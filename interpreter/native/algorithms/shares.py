"""Weights of chance on a common scale."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context

LIMIT: int  # the bound on sums of weights


def share(context: Context, weight: int, factor: int, total: int, site: int) -> int:
    """A weight times a factor; a fault at ``site`` if the total with it exceeds the limit."""
    if weight > (LIMIT - total) // factor:
        if context[0] == 0:
            context[0] = site
        return 0
    return weight * factor
