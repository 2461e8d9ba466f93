"""Strategies in words: what a player has seen, and the moves that they make then."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from zermelo.interpreter.machine import Asked, InformationState, shown
from zermelo.numbers import readable
from zermelo.positions import Sight, seen_and_told
from zermelo.solvers.forms.strategy import Decision, Strategy

ELSEWHERE: Final = "uniform"
"""In decisions that a strategy from samples does not list, all moves have the same probability."""


def heard(known: InformationState, player: str, recalled: Container[Sight] = ()) -> str:
    """The moves that a player has perceived, their own without their name, what they were told, and the values
    ``recalled``, in order."""
    return ", ".join(text.removeprefix(f"{player}: ") for text in seen_and_told(known, recalled=recalled))


def asked(known: InformationState) -> str:
    """The phase in which the player is to decide: ``answer(Bob)``."""
    question = known[-1] if len(known) else None
    return shown(question).removeprefix("to decide: ") if isinstance(question, Asked) else ""


def mixture(decision: Decision) -> str:
    """The moves of a decision: ``bet``, ``bet 1/3, check 2/3``; fractions too long to read are rounded."""
    rows = [(move, chance) for move, chance in zip(decision.moves, decision.probabilities, strict=True) if chance]
    if len(rows) == 1:
        return shown(rows[0][0])
    chances = readable(*(chance for _, chance in rows))
    return ", ".join(f"{shown(move)} {chance}" for (move, _), chance in zip(rows, chances, strict=True))


def record(strategy: Strategy, is_brief: bool = False) -> dict[str, object]:
    """A strategy as JSON: fractions as text, so that they stay exact. ``known``, which identifies a decision
    (:mod:`.strategy_files`), has a text for each observation, in order: a move ``Bob: bet``, what was told ``told
    low``, the values newly seen in one step ``hand[Ann] = K; pot = 2``, a question ``to decide: answer(Ann)``.
    ``reached`` is the probability that the player's own moves lead there, and ``met`` is false off the path, where
    nobody comes while all follow their strategies. ``elsewhere`` is ``uniform`` if not all decisions are listed, and in
    others all moves have the same probability. ``is_brief``: only decisions with a choice that the player's own moves
    lead to, and in them only the moves made."""
    if is_brief:
        decisions = [_brief(decision) for decision in strategy.decisions.reached.chosen]
    else:
        decisions = [_in_full(decision) for decision in strategy.decisions]
    elsewhere = {"elsewhere": ELSEWHERE} if strategy.is_partial else {}
    return {"player": strategy.player, "decisions": decisions, **elsewhere}


def _in_full(decision: Decision) -> dict[str, object]:
    losses = decision.losses or [None] * len(decision.moves)
    return {
        "known": [str(observation) for observation in decision.known],
        "reached": str(decision.reached),
        "met": decision.is_met,
        "moves": {
            str(move): {"probability": str(chance)} | ({} if loss is None else {"loses": str(loss)})
            for move, chance, loss in zip(decision.moves, decision.probabilities, losses, strict=True)
        },
    }


def _brief(decision: Decision) -> dict[str, object]:
    made = ((move, chance) for move, chance in zip(decision.moves, decision.probabilities, strict=True) if chance)
    return {
        "known": [str(observation) for observation in decision.known],
        "moves": {str(move): {"probability": str(chance)} for move, chance in made},
    }
