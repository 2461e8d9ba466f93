"""Monte Carlo counterfactual regret minimization that samples from the rules, in iterations a second.

An iteration is a play, or a traversal, for each player on both sides. Nobody has a tree: OpenSpiel's solvers walk the
states of its rules, in C++, and keep a table of the information states that they meet, as ours do. Each run begins
with an empty table, so that adding to it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, Final

from attrs import frozen

import zermelo
from benchmarks.measure import best_of_fixed
from benchmarks.peers import openspiel
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason
from zermelo.solvers.imperfect_information.sampling_from_rules import SampledPlay, source
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.solution import Problem


@frozen
class Sampled:
    """A game on both sides, and how many iterations of external and of outcome sampling a run has."""

    title: str
    name: str
    theirs: str
    external: int
    outcome: int


GAMES: Final = (
    Sampled("Leduc poker", "leduc_poker", "leduc_poker", 50_000, 200_000),
    Sampled("liar's dice", "liars_dice", "liars_dice", 2_000, 200_000),
)


def iterations() -> list[Row]:
    """Both kinds of sampling on these games, beside OpenSpiel's in C++."""
    rows = []
    for game in GAMES:
        for by_outcome, count in ((False, game.external), (True, game.outcome)):
            kind = "outcome" if by_outcome else "external"
            rows.append(
                Row(
                    task=f"{game.title}, {kind} sampling from the rules",
                    unit="iterations/s",
                    ours=measurement_or_reason(partial(best_of_fixed, our_iterations(game.name, by_outcome, count))),
                    peer=f"{openspiel.NAME}, C++",
                    theirs=measurement_or_reason(partial(_theirs, game.theirs, by_outcome, count)),
                    note=f"{count:,} iterations from an empty table",
                )
            )
    return rows


def our_iterations(name: str, by_outcome: bool, count: int) -> Callable[[], int]:
    """A function that makes so many iterations of ours, and returns their number."""
    game = zermelo.load(name)
    machine = game.searching

    def work(backend: Backend[Any], kernels: GameKernels) -> int:
        play = SampledPlay(backend, kernels, Problem(machine, game.facts, machine.initial()), by_outcome)
        play.learn(count, 0.0, Fraction(1))
        return play.iterations

    def learn() -> int:
        limits = Problem(machine, game.facts, machine.initial()).limits
        return run_with_fallback(
            machine, limits, lambda backend: backend.run(source(backend), lambda kernels: work(backend, kernels))
        )

    return learn


def _theirs(name: str, by_outcome: bool, count: int) -> Any:
    return best_of_fixed(openspiel.sampled_iterations(openspiel.game_of(name), by_outcome, count))
