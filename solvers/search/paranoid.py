"""Paranoid search.

What it computes: what the player to move gets, in a game of three or more players, if he plays best and all others have
allied against him; an approximation, since in truth they look after themselves. Source: Sturtevant and Korf, "On
pruning techniques for multi-player games", AAAI 2000.

The assumption makes two sides of many players, and alpha-beta prunes where max^n can prune next to nothing: with the
best moves first, n players and m plies, b^(m (n - 1) / n) states instead of b^m, so that it looks further ahead.

Searched to the end of all plays the value is what the player can secure whatever the others do, and no more is meant by
it than that.
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.search.one_against_all import search_against
from zermelo.solvers.solution import Answer, Problem

NOTE = "Assumed: all others play against {player}, whatever that costs them. What they get is what that play pays them."


def paranoid(problem: Problem[State]) -> Answer:
    """Search for the player who moves first. Needs perfect information, no chance, and plays that end; under a limit it
    deepens, and needs an estimate."""

    def options(state: State, has_replied: bool) -> Iterable[tuple[Move, bool]]:
        return [(move, True) for move in problem.machine.moves(state)]

    return search_against(problem, options, NOTE)
