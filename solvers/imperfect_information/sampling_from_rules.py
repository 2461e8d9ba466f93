"""Equilibria by sampling from the rules, where the tree does not fit into memory.

The strategies are the averages of Monte Carlo counterfactual regret minimization in the information sets that it has
met (:mod:`zermelo.solvers.kernels.sampling_from_rules`). Nobody has gone through the whole game, so nothing is proved
about them. Two things are estimated, by plays of their own:

- the *value*: what these strategies pay;
- the *exploitability*, from below. For each player a response to the averages of all others is learned from samples,
  and then judged by plays that were not used to learn it. A best response brings at least as much. So what a response
  brings beyond the strategies is a lower bound of what the player could gain, but for the error of the plays, of which
  the interval of confidence tells. It may be far below.

The work is cut short by time or an interrupt as any iteration is. With a time limit, learning gets a half of the time.
Without one the result depends on the seed, and on the memory where that is not enough for the table: learning may take
half of it, so that there is some for the responses.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, sqrt
from statistics import NormalDist
from typing import Final

from zermelo.grammar.footprint import size
from zermelo.interpreter.machine import State
from zermelo.solvers.common.goal import ITERATIONS
from zermelo.solvers.forms.sampled_strategy import SampledExploitability, sampled_strategies
from zermelo.solvers.imperfect_information.sampled_play import JudgedPlays, SampledPlay, source
from zermelo.solvers.kernels.sampling_records import NOBODY
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.fallback import run_with_fallback
from zermelo.solvers.solution import Answer, Certainty, Problem

PLAYS: Final = 20_000
"""How many plays judge the strategies, and each response."""

_LEARNING: Final = Fraction(1, 2)
"""The share of time and memory for learning."""

_RESPONDING: Final = Fraction(3, 4)
"""The share of the time that is left for learning responses."""

_LEVEL: Final = 0.95


def sample_from_rules(problem: Problem[State], by_outcome: bool) -> Answer:
    """Strategies for the whole game, which has not begun, by external or outcome sampling.

    Raises ``ZermeloError``: ``out-of-time`` where not even one iteration is possible, ``out-of-memory`` for a play too
    long,
    ``moves-differ``, and errors of the rules."""

    def on(backend: Backend[State]) -> Answer:
        return backend.run(source(backend), lambda kernels: _work(backend, kernels, problem, by_outcome))

    return run_with_fallback(problem.machine, problem.limits, on)


def _work(backend: Backend[State], kernels: GameKernels, problem: Problem[State], by_outcome: bool) -> Answer:
    play, limits = SampledPlay(backend, kernels, problem, by_outcome), problem.limits
    wanted = problem.goal.iterations
    if min(wanted, limits.seconds) == inf:
        wanted = ITERATIONS
    is_interrupted = False
    try:
        stopped = play.learn(wanted, _kept(limits.left, 1 - _LEARNING), _LEARNING)
    except KeyboardInterrupt:
        stopped, is_interrupted = "by an interrupt", True
    iterations = play.iterations
    if not iterations:
        raise limits.out_of_time({"nodes": play.sampling.nodes})
    sets = play.sets()
    notes = ["Sampled from the rules, since memory has no room for the tree: nothing about the strategies is proved."]
    notes += [f"Stopped {stopped}, after {iterations:,} iterations."] if stopped else []
    if play.is_full:
        notes.append(
            f"The table was full at {size(limits.memory)} of memory, a part of which is for judging; in other "
            "information sets all moves are made with equal probability. --memory allows more."
        )
    responses: list[JudgedPlays] = []
    paid: JudgedPlays | None = None
    try:
        left = limits.left
        parts = 2 * len(problem.machine.player_names) + 1
        paid = play.judge(NOBODY, PLAYS, _kept(left, 1 - Fraction(1, parts)))
        if not is_interrupted:
            responses = _responses(play, problem, wanted)
    except KeyboardInterrupt:
        is_interrupted = True
    if paid is None:
        raise limits.out_of_time({"nodes": play.sampling.nodes})
    exploitability = _exploitability(problem, paid, responses)
    if exploitability is None:
        why = "the work was interrupted" if is_interrupted else "there was no time for it"
        notes.append(f"How far the strategies are from an equilibrium has not been estimated: {why}.")
    return Answer(
        value=paid.means,
        best=(),
        line=(),
        counts={"nodes": play.sampling.nodes, "information sets": len(sets.owners), "iterations": iterations},
        certainty=Certainty.HEURISTIC,
        notes=tuple(notes),
        strategies=sampled_strategies(problem.machine.player_names, sets),
        standard_errors=tuple(map(Fraction, paid.errors)),
        sampled_exploitability=exploitability,
    )


def _kept(left: float, share: Fraction) -> float:
    """A share of the time that is left; none where time is not limited."""
    return left * float(share) if left < inf else 0.0


def _responses(play: SampledPlay[State], problem: Problem[State], wanted: float) -> list[JudgedPlays]:
    """What plays pay in which one player after the other responds; fewer where time was up."""
    limits, players = problem.limits, len(problem.machine.player_names)
    found: list[JudgedPlays] = []
    for player in range(players):
        mine = _kept(limits.left, Fraction(1, players - player))
        reserved = limits.left - mine if limits.left < inf else 0.0
        share = _LEARNING + (1 - _LEARNING) * Fraction(player + 1, players + 1)
        play.respond(player, wanted, reserved + mine * float(1 - _RESPONDING), share)
        judged = play.judge(player, PLAYS, reserved)
        if judged is None:
            break
        found.append(judged)
    return found


def _exploitability(
    problem: Problem[State], paid: JudgedPlays, responses: Sequence[JudgedPlays]
) -> SampledExploitability | None:
    """What the players gain on average, if there are all responses. With a constant sum what the strategies pay in sum
    is known, else it is taken from their plays; errors of one and the same play are added, since they may agree."""
    players = len(paid.means)
    if len(responses) < players:
        return None
    best = sum((judged.means[p] for p, judged in enumerate(responses)), Fraction(0))
    variance = sum(judged.errors[p] ** 2 for p, judged in enumerate(responses))
    if problem.facts.sum is not None:
        mean = (best - problem.facts.sum) / players
    else:
        mean = (best - sum(paid.means, Fraction(0))) / players
        variance += sum(paid.errors) ** 2
    quantile = NormalDist().inv_cdf((1 + _LEVEL) / 2)
    return SampledExploitability(mean, Fraction(quantile * sqrt(variance) / players))
