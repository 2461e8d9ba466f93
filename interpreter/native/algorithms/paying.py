"""Payoffs, player by player."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Context, State

PAYOFFS: int  # the first slot of the payoffs


def pay(context: Context, state: State, given: int, player: int, amount: int, site: int) -> int:
    """Pay a player, and add them to the set ``given`` of those paid before. A second amount for one player must equal
    the first; otherwise a fault at ``site``."""
    held: int = state[PAYOFFS + player]
    if (given >> player) & 1 != 0 and held != amount and context[0] == 0:
        context[0] = site
    state[PAYOFFS + player] = amount
    return given | (1 << player)
