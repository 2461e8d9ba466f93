"""A position in words: who acts, what can be done, what has been paid, who sees what."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from interpreter.machine import InformationState, Move, Payoff
from zermelo.boards import draw_variables
from zermelo.game import CHANCE, State


def seen_by(state: State, player: str) -> str:
    """The variables as a player sees them, without a line end; empty where he sees none."""
    return draw_variables(state.game.model, state.view(player))


def status(state: State) -> str:
    """Who acts, or what the play has brought: ``X is to move``, ``the play has ended: X 1, O -1``."""
    if state.payoff is not None:
        return f"the play has ended: {amounts(state.game.players, state.payoff)}"
    return "chance is to draw" if state.actor == CHANCE else f"{state.actor} is to move"


def amounts(players: Iterable[str], payoff: Payoff) -> str:
    """Who gets how much: ``Alice 1, Bob -1``."""
    return ", ".join(f"{player} {amount}" for player, amount in zip(players, payoff, strict=True))


def outcomes_in_words(outcomes: Iterable[tuple[Move, Fraction]]) -> str:
    """Outcomes of chance with their probabilities: in one line where all are equally likely, else one in each."""
    listed = list(outcomes)
    likely = {probability for _, probability in listed}
    if len(likely) == 1:
        return f"each with probability {likely.pop()}: {', '.join(str(outcome) for outcome, _ in listed)}"
    width = max(len(str(outcome)) for outcome, _ in listed)
    return "\n".join(f"{outcome!s:<{width}}  {probability}" for outcome, probability in listed)


def perceived(information: InformationState, hide: str = "") -> list[str]:
    """The moves that a player has seen, but for those of ``hide``, and what he has been told, in order."""
    lines = []
    for observation in information:
        lines += [str(move) for move in observation.moves if move.player != hide]
        lines += map(str, observation.told)
    return lines
