"""A move for a player who does not know the position, by information-set Monte Carlo tree search
(:mod:`zermelo.solvers.kernels.information_set_search`).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, Final

from attrs import frozen

from zermelo.game import CHANCE, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import with_open_cards
from zermelo.interpreter.machine import Asked, Move
from zermelo.solvers.beliefs.consistent_plays import Belief, Following, enumerated, uniform
from zermelo.solvers.beliefs.particles import drawn_plays, sampled
from zermelo.solvers.choosing.registry import Need, objection
from zermelo.solvers.clairvoyance.alphamu import AveragedMove, Deal, alphamu, averages, best_of
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.imperfect_information.information_set_search import Simulations, WeighedDeal, simulated
from zermelo.solvers.imperfect_information.sampling_from_rules import OnlineStrategy, online_strategy
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


# A move for a player who does not know the position, by deals that fit what they have perceived
# (:mod:`zermelo.solvers.clairvoyance`).


_NEEDS: Final = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION, Need.END)
"""What must hold of the rest of a play with open cards; and for alpha-mu, that chance does not draw in it."""

"""How many states are looked at for the exact belief, before deals are drawn instead."""

CLAIRVOYANT_DEALS: Final = 100
"""How many deals are drawn unless a number is asked for."""

MOVES: Final = 2
"""How many moves of the player alpha-mu looks ahead before the cards are open, unless a number is asked for."""


@frozen
class Averaged:
    """What each move of ``player`` brings on average over ``deals`` deals, in the order of the rules, and the ``best``
    of them. ``covers``: the deals are all that fit, with their exact probabilities."""

    player: str
    method: str
    moves: tuple[AveragedMove, ...]
    deals: int
    covers: bool
    ahead: int

    @property
    def best(self) -> tuple[Move, ...]:
        return best_of(self.moves)


def averaged(
    state: State, method: str, deals: int, ahead: int, seed: int, limits: Limits, progress: Progress
) -> Averaged:
    """The averages of a method for the player to move.

    Raises ``ZermeloError``: ``no-value`` where no player is to move; a code that begins with ``needs-`` if what is left
    of the game, with open cards, is not for two players, of constant sum, and sure to end, or for alpha-mu, not without
    chance; ``never-perceived``, ``out-of-time``."""
    game, player = state.game, state.actor
    if player is None or player == CHANCE:
        raise ZermeloError(
            "no-value", f"{state.status}, so there is no move to choose", "`--after` leads to a decision"
        )
    number = game.number(player)
    known = state.information_state(player)
    asked = known[-1] if len(known) else None
    facts = with_open_cards(game.facts, game.model, asked.phase if isinstance(asked, Asked) else "")
    needs = _NEEDS if method == "pimc" else (*_NEEDS, Need.NO_CHANCE)
    for need in (need for need in needs if not need.is_met(facts)):
        open_play = f"{method} solves what is left of a play with open cards, which it can in {need.kind}"
        raise ZermeloError(need.code, f"{open_play}; {objection(need, facts)}")
    following = Following(game.machine, number, known, uniform)
    found = enumerated(following, limits, progress, _MOST_LISTED, by_standing=True) or sampled(
        following, Random(seed), deals, limits, progress, by_standing=True
    )
    machine = game.searching
    drawn = [
        Deal(on_machine(State(game, each), machine), weight)
        for each, weight in _drawn_deals(found, deals, Random(seed))
    ]
    problem = Problem(machine, facts, drawn[0].state, progress, limits)
    moves = averages(problem, number, drawn) if method == "pimc" else alphamu(problem, number, drawn, ahead)
    covers = found.is_exact and len(drawn) == len(found.positions)
    return Averaged(player, method, moves, len(drawn) if covers else deals, covers, ahead)


def _drawn_deals(found: Belief[Any], deals: int, random: Random) -> list[tuple[Any, Fraction]]:
    """So many positions of a belief at random, those that come up several times once, with that weight; all of them
    with their probabilities if they are no more."""
    if len(found.positions) <= deals:
        return [(each.state, each.probability) for each in found.positions]
    chances = [float(each.probability) for each in found.positions]
    counts: dict[int, int] = {}
    for k in random.choices(range(len(chances)), chances, k=deals):
        counts[k] = counts.get(k, 0) + 1
    return [(found.positions[k].state, Fraction(count)) for k, count in counts.items()]


# What to do at a decision, by online outcome sampling.


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
