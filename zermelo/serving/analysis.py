"""What an analysis tells the page: what each move of a position is worth, for those who may know it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

from zermelo.drawing.positions import cells_changed, cells_of
from zermelo.game import CHANCE, State
from zermelo.interpreter.machine import Move, display_text
from zermelo.playing.analysis import (
    Appraisal,
    amount_sign,
    amount_text,
    assessments,
    best_line,
    bounds_of,
    is_named,
    mixing_text,
    standing,
)
from zermelo.solvers.forms.policy import Worth

_LINE: Final = 12
"""The most moves of best play that are told."""

_BRIEFLY: Final = 2.0
"""Seconds for one position among many."""

_LOSS: Final = Fraction(1, 20)
"""By estimates, a move has lost something if it is worth so much less of what the payoffs span than the best one."""


def analyse(
    state: State, viewer: str | None, is_brief: bool, seconds: float, memory: int, say: Callable[[str], None]
) -> dict[str, Any]:
    """The last record of what is known of the moves of a state; those before it are said, as JSON, when they are found.
    ``is_brief``: what is found soon will do.

    Where something may be hidden, the state is analysed for the player to move alone, and only if it is they who look,
    or somebody who may see everything. There are no values then of what chance draws. A record without ``moves`` tells
    that nothing can be said.

    Raises ``PlayError``, and what :func:`zermelo.playing.analysis.assessments` raises."""
    if not may_know(state, viewer):
        return {"moves": [], "values": {}, "line": [], "said": "", "isExact": False}
    known = {}
    for assessment in assessments(state, min(seconds, _BRIEFLY) if is_brief else seconds, memory):
        known = record(state, assessment)
        say(json.dumps(known))
    return known


def may_know(state: State, viewer: str | None) -> bool:
    """Whether somebody may be told what the moves of a state are worth; None looks with the eyes of all."""
    if state.is_over:
        return False
    if state.game.facts.perfect_information.holds is True:
        return True
    return state.actor != CHANCE and viewer in (None, state.actor)


def record(state: State, assessment: Appraisal) -> dict[str, Any]:
    """An assessment as the page shows it: a text, a sign and a number for each move, as the player to move has them,
    what the position is worth to those who may know it, and how best play goes on.

    A move has a ``loss`` if it brings the player less than the best one."""
    game, found = state.game, assessment.evaluation
    mover = found.players.index(state.actor) if state.actor in found.players else 0
    best = _best(state, assessment, mover)
    return {
        "said": assessment.certainty(state),
        "isExact": assessment.is_exact,
        "moves": [
            {
                "move": display_text(worth.move),
                "text": amount_text(assessment, game, worth, mover),
                "mixing": mixing_text(assessment, worth),
                "sign": amount_sign(assessment, game, worth, mover),
                "amount": None if worth.payoff is None else float(worth.payoff[mover]),
                "standing": _standing(state, assessment, worth, mover),
                "isBest": worth.move in found.best,
                "loss": _loss(state, assessment, worth, best, mover),
                "values": _values(state, assessment, worth),
            }
            for worth in found.worths
        ],
        "values": _position_values(state, assessment, best),
        "line": list(_line(state, best_line(assessment))) if state.actor != CHANCE else [],
    }


def _best(state: State, assessment: Appraisal, mover: int) -> Worth | None:
    """What a best move brings; None if nothing is known of any, or chance is to draw."""
    found = assessment.evaluation
    known = {worth.payoff[mover]: worth for worth in reversed(found.worths) if worth.payoff is not None}
    if state.actor == CHANCE or not known:
        return None
    return found.of(found.best[0]) if found.best else known[max(known)]


def _standing(state: State, assessment: Appraisal, worth: Worth, player: int) -> str:
    if worth.payoff is None:
        return ""
    return standing(
        state.game, state.game.number(assessment.evaluation.players[player]), Fraction(worth.payoff[player])
    )


def _loss(state: State, assessment: Appraisal, worth: Worth, best: Worth | None, mover: int) -> str:
    if best is None or best.payoff is None or worth.payoff is None or assessment.evaluation.is_sampled:
        return ""
    lost = best.payoff[mover] - worth.payoff[mover]
    low, high = bounds_of(state.game, state.game.number(state.actor or "")) or (0, 0)
    if lost <= (0 if assessment.is_exact else (high - low) * _LOSS):
        return ""
    was, now = (amount_text(assessment, state.game, each, mover) for each in (best, worth))
    return f"from {was} to {now}" + ("" if assessment.is_exact else ", by estimates")


def _values(state: State, assessment: Appraisal, worth: Worth) -> dict[str, dict[str, Any]]:
    """What a move brings each player of whom it is known: as a number, and in words."""
    if worth.payoff is None:
        return {}
    return {
        player: {
            "number": float(worth.payoff[k]),
            "text": amount_text(assessment, state.game, worth, k),
            "standing": _standing(state, assessment, worth, k),
            "span": _span(state, assessment, worth, k),
        }
        for k, player in enumerate(assessment.evaluation.players)
    }


def _span(state: State, assessment: Appraisal, worth: Worth, player: int) -> list[int] | None:
    """From lost to won, where these are the words for what the player gets; else None."""
    number = state.game.number(assessment.evaluation.players[player])
    bounds = bounds_of(state.game, number)
    if bounds is None or worth.payoff is None:
        return None
    return list(map(int, bounds)) if is_named(assessment, state.game, number, Fraction(worth.payoff[player])) else None


def _position_values(state: State, assessment: Appraisal, best: Worth | None) -> dict[str, dict[str, Any]]:
    """What the position is worth: as much as a best move; where chance draws, the mean of its outcomes."""
    if best is not None:
        return _values(state, assessment, best)
    worths, likely = assessment.evaluation.worths, dict(state.outcomes)
    payoffs = [(likely[each.move], each.payoff) for each in worths if state.actor == CHANCE and each.payoff is not None]
    if not payoffs or len(payoffs) < len(worths):
        return {}
    players = range(len(assessment.evaluation.players))
    mean = tuple(sum((chance * payoff[k] for chance, payoff in payoffs), Fraction(0)) for k in players)
    return _values(state, assessment, Worth(worths[0].move, mean, max(each.error for each in worths)))


def _line(state: State, line: tuple[Move, ...]) -> Iterator[dict[str, Any]]:
    """The moves of a line, each with who makes it and the cells that it names or changes."""
    for move in line[:_LINE]:
        yield {"move": display_text(move), "actor": state.actor, "cells": cells_of(move, cells_changed(state))}
        state = state.after(move)
