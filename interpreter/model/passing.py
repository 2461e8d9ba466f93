"""Where a player could let the other move in his place.

A search may ask how a position would look if the player to move did nothing (*null move*). No rule says so, but the
form of many rules does: one phase for both, whose argument says whose turn it is, as in ``phase play(p: Player):`` with
``turn p:``. The state in which he has passed has the same variables and the same phase, and the other player as its
argument. Nothing else has changed: the entry statements have run already, for the one who passes; nothing is earned;
and the history of the play gets no entry, since nothing was played.

That needs two players, and a phase whose only parameter is the one to move: with any other it may stand in the middle
of something that he has begun. The entry statements must leave no names behind, since those may depend on him.
"""

from __future__ import annotations

from zermelo.interpreter.model import Local, Model, Phase, SetLocal, Turn
from zermelo.interpreter.model.walks import statements


def may_pass(model: Model, phase: Phase) -> bool:
    """Whether in this phase a player could let the other move in his place, if that one has a move."""
    match phase.decision:
        case Turn(player=Local(slot=0)):
            leaves_names = any(isinstance(statement, SetLocal) for statement in statements(phase.entry))
            is_his = len(phase.parameters) == 1 and phase.parameters[0].type == model.player_type
            return len(model.players) == 2 and is_his and not leaves_names
    return False
