"""The phases in which a search may try a null move.

After a *null move* the other player is to move and nothing else has changed. No rule allows it, but many rules have a
form that admits it: one phase for both players, with the player to move as its argument
(``phase play(p: Player):`` with ``turn p:``). The null move changes this argument and keeps the variables. The entry
statements do not run again, nothing is earned, and the history gets no entry.

This needs two players, and a phase whose only parameter is the player to move: with another one the play may be in the
middle of a compound move. The entry statements must leave no live names, since those may depend on the player.
"""

from __future__ import annotations

from zermelo.interpreter.model import Local, Model, Phase, SetLocal, Turn
from zermelo.interpreter.model.walks import statements


def may_pass(model: Model, phase: Phase) -> bool:
    """Whether the phase admits a null move, provided that the other player has a move."""
    match phase.decision:
        case Turn(player=Local(slot=0)):
            leaves_names = any(isinstance(statement, SetLocal) for statement in statements(phase.entry))
            is_his = len(phase.parameters) == 1 and phase.parameters[0].type == model.player_type
            return len(model.players) == 2 and is_his and not leaves_names
    return False
