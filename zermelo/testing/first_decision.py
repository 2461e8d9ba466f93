"""The best first move where chance acts first and whoever moves then has perceived nothing of it.

All states in which the first decision is made are then one information set. What its moves bring follows from an exact
equilibrium of the game. Against it a player alone has a best move, and no other. Of two players with a constant sum,
each has optimal strategies, and any of them is a best reply to any of the other: so a move that the equilibrium makes
with a positive probability is best, and one that is no best reply to it is not. Between these nothing is proved.
"""

from __future__ import annotations

from zermelo.decisions.move_values import move_values
from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.choosing.solving import has_one_value
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.solution import Certainty

MOST_OUTCOMES = 10_000
"""The most states of chance, and behind it, that are visited."""


def short_of_best(move: str, state: State, progress: Progress) -> str:
    """How a move is not best, in a state in which chance acts; empty if it is. Raises ``ZermeloError`` (``no-solver``)
    if the first decision may depend on chance, or if it is not decided, and what :func:`move_values` raises."""
    first = _first_decision(state)
    named = first.after(move).play[-1]
    found = move_values(first, None, Limits(), progress)
    assert first.actor is not None
    here = found.players.index(first.actor)

    def own(worth: Worth) -> str:
        return "nothing certain" if worth.payoff is None else str(worth.payoff[here])

    worths = {worth.move: worth for worth in found.worths}
    is_alone = len(state.game.players) == 1
    if found.certainty is Certainty.EXACT:
        if (named in found.best and is_alone) or worths[named].chance:
            return ""
        if named not in found.best and has_one_value(state.game.facts):
            return f"it gives {first.actor} {own(worths[named])}, the best move {own(worths[found.best[0]])}"
    raise ZermeloError("no-solver", "the equilibrium that has been found does not decide whether this move is best")


def _first_decision(state: State) -> State:
    """A state in which the first decision is made, if all of them are one information set. Raises ``ZermeloError``."""
    found: State | None = None
    waiting, left = [state], MOST_OUTCOMES
    while waiting:
        here = waiting.pop()
        if here.actor == CHANCE:
            left -= len(here.outcomes)
            if left < 0:
                raise ZermeloError("no-solver", f"there are more than {MOST_OUTCOMES:,} outcomes before the first move")
            waiting += [here.after(outcome) for outcome, _ in here.outcomes]
        elif here.actor is not None:
            found = found or here
            if found.actor != here.actor or _seen(found) != _seen(here):
                raise ZermeloError("no-solver", "chance acts first, and the best first move may depend on what it does")
    if found is None:
        raise ZermeloError("no-solver", "chance alone decides this game")
    return found


def _seen(state: State) -> object:
    assert state.actor is not None
    return state.information_state(state.actor)
