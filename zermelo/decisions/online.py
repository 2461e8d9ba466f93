"""What to do at a decision, by online outcome sampling."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from attrs import frozen

from zermelo.decisions.simulating import DEALS_IN_PLAY, fitting_deals
from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.imperfect_information.online_outcome_sampling import OnlineStrategy, online_strategy
from zermelo.solvers.solution import Problem
from zermelo.solving import on_machine, search

ITERATIONS: Final = 10_000
"""How many iterations are made before each decision unless a number is asked for."""


@frozen
class Online:
    """The strategy of ``player`` at a decision; ``deals`` are the plays to which sampling was led there: all that fit
    if it ``covers`` them, else some, drawn at random."""

    player: str
    found: OnlineStrategy
    deals: int
    covers: bool


def online(
    state: State,
    iterations: int = ITERATIONS,
    deals: int = DEALS_IN_PLAY,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Online:
    """The strategy of the player to move, after so many iterations before each of their decisions in the play.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; ``never-perceived`` if no deal that is drawn fits;
    ``out-of-time``, ``out-of-memory``, ``moves-differ``; and ``PlayError``."""
    limits, game, player = limits or Limits(), state.game, state.actor
    if player is None or player == CHANCE:
        raise ZermeloError(
            "no-value", f"{state.status}, so there is no move to choose", "`--after` leads to a decision"
        )
    stages, here = [], game.initial
    for move in (*state.play, None):
        if here.actor == player:
            stages.append(fitting_deals(here, deals, Random(seed), limits, progress))
        here = here if move is None else here.after(move)

    def work(machine: Any) -> OnlineStrategy:
        aims = [[(on_machine(State(game, each), machine), share) for each, share in stage.states] for stage in stages]
        problem = Problem(machine, game.facts, machine.initial(), progress, limits, seed=seed)
        return online_strategy(problem, aims, iterations)

    last = stages[-1]
    return Online(player, search(game, work), last.deals, last.covers)
