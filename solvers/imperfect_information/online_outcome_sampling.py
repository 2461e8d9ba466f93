"""What to do at one decision, by online outcome sampling.

Lisý, Lanctot and Bowling, "Online Monte Carlo counterfactual regret minimization for search in imperfect information
games" (2015). While a play goes on, outcome sampling learns strategies for the whole game, from the rules
(:mod:`zermelo.solvers.kernels.sampling_from_rules`); before each decision of the player most of its own plays are led
to where the player may be (:mod:`zermelo.solvers.kernels.aiming`), and the player then draws a move from the average
strategy there. What has been learned is kept from decision to decision. Since the estimates are unbiased however plays
are led, the strategy at each decision converges to that of an equilibrium: unlike a search that goes by deals, with
more time it does not become easier to exploit.

The stages of learning are made again for every decision, with the same seed, so that the answer depends on what the
player has perceived and on nothing that a program remembers. The k-th decision of a play costs k stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import Move, State
from zermelo.solvers.forms.sampled_strategy import rounded_shares
from zermelo.solvers.imperfect_information.marking import Aims
from zermelo.solvers.imperfect_information.sampled_play import SampledPlay, source
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.fallback import run_with_fallback
from zermelo.solvers.solution import Problem

AIMED: Final = 0.9
"""The share of the plays that are led: the best one in most games of the paper."""


@frozen
class OnlineStrategy:
    """The probabilities of the moves at a decision, in the order of the rules; how many iterations have been made
    in all stages, and how many information sets been met. ``is_full``: there was no memory for more of these."""

    chances: dict[Move, Fraction]
    iterations: int
    sets: int
    is_full: bool


def online_strategy(problem: Problem[State], stages: Sequence[Aims[State]], iterations: int) -> OnlineStrategy:
    """The strategy at the decision at which the last stage is aimed, after so many iterations in every stage. Each
    has the states in which the player may be, from the first decision of the play to the present one.

    Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory`` for a play too long, ``moves-differ``, and errors of the
    rules."""

    def on(backend: Backend[State]) -> OnlineStrategy:
        return backend.run(source(backend), lambda kernels: _work(backend, kernels, problem, stages, iterations))

    return run_with_fallback(problem.machine, problem.limits, on)


def _work(
    backend: Backend[State],
    kernels: GameKernels,
    problem: Problem[State],
    stages: Sequence[Aims[State]],
    iterations: int,
) -> OnlineStrategy:
    play, limits = SampledPlay(backend, kernels, problem, by_outcome=True), problem.limits
    for number, aims in enumerate(stages, 1):
        play.aim_at(aims, AIMED)
        if play.learn(number * iterations, 0.0, Fraction(1)):
            raise limits.out_of_time({"nodes": play.sampling.nodes})
    moves = problem.machine.moves(stages[-1][0][0])
    found = play.aimed_strategy() or dict.fromkeys(moves, 1.0)
    chances = rounded_shares([found[move] for move in moves])
    return OnlineStrategy(
        dict(zip(moves, chances, strict=True)), play.iterations, play.sampling.table.count, play.is_full
    )
