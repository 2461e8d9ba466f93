"""Payoffs, player by player."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import PLAYERS, Context, State, bits

PAYOFFS: int  # the first slot of the payoffs


def pay(context: Context, state: State, given: int, player: int, amount: int, site: int) -> int:
    """Pay a player, and add them to the set ``given`` of those paid before. A second amount for one player must equal
    the first; otherwise a fault at ``site``."""
    held: int = state[PAYOFFS + player]
    if (given >> player) & 1 != 0 and held != amount and context[0] == 0:
        context[0] = site
    state[PAYOFFS + player] = amount
    return given | (1 << player)


def pay_nobody(state: State) -> int:
    """A draw."""
    for player in range(PLAYERS):
        state[PAYOFFS + player] = 0
    return 0


def pay_winner(state: State, winner: int, won: int, lost: int) -> int:
    """Pay one player ``won``, and the others ``lost``."""
    for player in range(PLAYERS):
        state[PAYOFFS + player] = won if player == winner else lost
    return 0


def pay_winners(state: State, winners: bits, won: int, lost: int) -> int:
    """Pay some players ``won``, and the others ``lost``."""
    for player in range(PLAYERS):
        state[PAYOFFS + player] = won if (winners >> player) & 1 != 0 else lost
    return 0
