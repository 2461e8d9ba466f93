"""A move for a player who does not know the position, by information-set Monte Carlo tree search
(:mod:`zermelo.solvers.kernels.information_set_search`)."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, Final

from attrs import frozen

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.beliefs.behaviour import uniform
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.enumerating import enumerated
from zermelo.solvers.beliefs.particles import drawn_plays
from zermelo.solvers.choosing.fitting import objection
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.common.sampling import Sampling
from zermelo.solvers.imperfect_information.information_set_search import Simulations, WeighedDeal, simulated
from zermelo.solvers.search.monte_carlo_tree_search import SIMULATIONS
from zermelo.solvers.solution import Problem
from zermelo.solving import on_machine, search

DEALS: Final = 1_000
"""How many deals are drawn unless a number is asked for."""

DEALS_IN_PLAY: Final = 200
"""How many are drawn for a move of a play that others wait for: late in it, that takes a while."""

OBSERVERS: Final = ("multiple", "single")
"""Whose knowledge tells the nodes of the tree apart: that of whoever decides, or that of the player at the root."""

_MOST_LISTED: Final = 2_000
"""How many states are looked at for the exact belief, before deals are drawn instead."""


@frozen
class Simulated:
    """What the simulations of ``player`` came to, over ``deals`` deals. ``covers``: these are all that fit, with their
    exact probabilities; otherwise they tell as much as ``effective`` independent draws."""

    player: str
    observers: str
    found: Simulations
    deals: int
    covers: bool
    effective: Fraction


def simulate(
    state: State,
    observers: str = OBSERVERS[0],
    simulations: int = SIMULATIONS,
    deals: int = DEALS,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Simulated:
    """Simulations for the player to move, the others being taken to have moved at random so far.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; ``needs-bounds``; ``never-perceived`` if no deal
    that is drawn fits; ``out-of-time``; and ``PlayError``."""
    limits, progress = limits or Limits(), progress or (lambda nodes: None)
    game, player = state.game, state.actor
    if player is None or player == CHANCE:
        raise ZermeloError(
            "no-value", f"{state.status}, so there is no move to choose", "`--after` leads to a decision"
        )
    facts, number = game.facts, game.number(player)
    if not Need.BOUNDS.is_met(facts):
        raise ZermeloError(Need.BOUNDS.code, f"ismcts is for {Need.BOUNDS.kind}; {objection(Need.BOUNDS, facts)}")

    drawn = fitting_deals(state, deals, Random(seed), limits, progress)

    def work(machine: Any) -> Simulations:
        weighed = [WeighedDeal(on_machine(State(game, each), machine), chance) for each, chance in drawn.states]
        sampling = Sampling(simulations)
        problem = Problem(machine, facts, weighed[0].state, progress, limits, seed=seed, sampling=sampling)
        return simulated(problem, number, weighed, observers == "single")

    return Simulated(player, observers, search(game, work), drawn.deals, drawn.covers, drawn.effective)


@frozen
class FittingDeals:
    """States that fit, with their probabilities, and the rest as in :class:`Simulated`."""

    states: list[tuple[Any, Fraction]]
    deals: int
    covers: bool
    effective: Fraction


def fitting_deals(state: State, deals: int, random: Random, limits: Limits, progress: Progress) -> FittingDeals:
    """States in which the player to move may be, for all that they have perceived, the others being taken to have moved
    at random: all of them if they are few, else so many that are drawn. No two have come by the same play.

    Raises ``ZermeloError``: ``never-perceived`` if none that is drawn fits, ``out-of-time``."""
    player = state.actor or ""
    game = state.game
    following = Following(game.machine, game.number(player), state.information_state(player), uniform)
    return _listed(following, limits, progress) or _drawn(following, deals, random, limits, progress)


def _listed(following: Following[Any], limits: Limits, progress: Progress) -> FittingDeals | None:
    """All states that fit, with their probabilities; None where they are many, or where several plays lead to one
    position, in which others may then know different things."""
    belief = enumerated(following, limits, progress, _MOST_LISTED)
    if belief is None or any(each.plays > 1 for each in belief.positions):
        return None
    states = [(each.state, each.probability) for each in belief.positions]
    return FittingDeals(states, len(states), True, Fraction(len(states)))


def _drawn(following: Following[Any], deals: int, random: Random, limits: Limits, progress: Progress) -> FittingDeals:
    """The states that so many particles lead to, one for each play, and what each weighs of all."""
    drawn = drawn_plays(following, random, deals, limits, progress)
    return FittingDeals(list(drawn.states), deals, False, drawn.effective)
