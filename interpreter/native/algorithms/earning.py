"""Earnings of players during the play."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State

EARNINGS: int  # the first slot of the players' earnings
BOUND: int  # the bound on sums


def earn(context: Context, state: State, player: int, amount: int, site: int) -> int:
    """Add to a player's earnings; a fault at ``site`` if the sum is too large."""
    total: int = state[EARNINGS + player]
    total += amount
    if (total > BOUND or total < -BOUND) and context[0] == 0:
        context[0] = site
    state[EARNINGS + player] = total
    return 0
