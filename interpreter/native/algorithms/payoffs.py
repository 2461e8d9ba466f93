"""Payoffs and earnings, player by player, and their discount (:mod:`zermelo.interpreter.native.rules.statements`)."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import LONGEST, PLAYERS, WORTH, Context, State, bits

EARNINGS: int  # the first slot of the players' earnings
BOUND: int  # the bound on sums
PAYOFFS: int  # the first slot of the payoffs
DECISIONS: int  # the slot of the number of decisions; the next slot is that of the next run
ACTOR: int  # the slot of the actor: 1 is chance
MOST: int  # the bound on amounts


# Earnings of players during the play.


def earn(context: Context, state: State, player: int, amount: int, site: int) -> int:
    """Add to a player's earnings; a fault at ``site`` if the sum is too large."""
    total: int = state[EARNINGS + player]
    total += amount
    if (total > BOUND or total < -BOUND) and context[0] == 0:
        context[0] = site
    state[EARNINGS + player] = total
    return 0


# Payoffs, player by player.


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


def leaders(state: State) -> bits:
    """The set of the players with the largest amount."""
    most: int = state[PAYOFFS]
    found: bits = 0
    one: bits = 1
    for player in range(PLAYERS):
        amount: int = state[PAYOFFS + player]
        if amount > most:
            most = amount
            found = 0
        if amount == most:
            found = found | (one << player)
    return found


def pay_winners(state: State, winners: bits, won: int, lost: int) -> int:
    """Pay some players ``won``, and the others ``lost``."""
    for player in range(PLAYERS):
        state[PAYOFFS + player] = won if (winners >> player) & 1 != 0 else lost
    return 0


# Discounting an amount by the number of decisions (:mod:`zermelo.interpreter.native.rules.statements`).


def begin_run(state: State) -> int:
    """Update the numbers when a move or an outcome is made."""
    state[DECISIONS] = state[DECISIONS + 1]
    if state[ACTOR] != 1:
        state[DECISIONS + 1] = state[DECISIONS + 1] + 1
    return 0


def discounted(context: Context, state: State, amount: int, site: int) -> int:
    """The discounted amount over the program's denominator; a fault at ``site`` if it is too large."""
    if amount == 0:
        return 0
    decisions: int = state[DECISIONS]
    if decisions > LONGEST or (amount if amount > 0 else -amount) > MOST // WORTH[decisions]:
        if context[0] == 0:
            context[0] = site
        return 0
    return amount * WORTH[decisions]
