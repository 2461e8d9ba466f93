"""Searches of one decision by those who sit at a table: a move, and a remark about how it was found."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

from zermelo.console import progress
from zermelo.decisions.clairvoyance import DEALS, MOVES, averaged
from zermelo.decisions.online import online
from zermelo.decisions.simulating import DEALS_IN_PLAY, simulate
from zermelo.game import State
from zermelo.interpreter.machine import Move
from zermelo.solvers.common.limits import Limits
from zermelo.solving import solve_knowing

Search: TypeAlias = Callable[[State, Random, int], tuple[Move, str]]
"""From a state, what draws at random, and the memory that may be used, in bytes. It raises ``ZermeloError`` where it
does not fit the game."""

THINKING_SECONDS: Final = 5.0
"""The time limit of a search for the best move."""

SIMULATING_SECONDS: Final = 2.0
"""The time of a Monte Carlo tree search."""


def most_visited(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move most visited by Monte Carlo tree search."""
    with progress(f"{state.actor} is thinking", "nodes") as report:
        limits = Limits(seconds=SIMULATING_SECONDS, memory=memory)
        found = solve_knowing(state.game.facts, state.game, state, "mcts", report, limits)
    return found.best[0], f"{state.actor} has made {counted(found.counts['simulations'], 'simulation')}."


def best_with_open_cards(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move that is best on average over deals that fit what the player has perceived, each solved with open
    cards."""
    with progress(f"{state.actor} is thinking", "deals") as report:
        limits = Limits(seconds=THINKING_SECONDS, memory=memory)
        found = averaged(state, "pimc", DEALS, MOVES, _seed(random), limits, report)
    return found.best[0], f"{state.actor} has solved {counted(found.deals, 'deal')} with open cards."


def most_simulated(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move most simulated by information-set Monte Carlo tree search, which looks at deals that fit what the player
    has perceived."""
    with progress(f"{state.actor} is thinking", "simulations") as report:
        limits, seed = Limits(memory=memory), _seed(random)
        found = simulate(state, deals=DEALS_IN_PLAY, seed=seed, limits=limits, progress=report).found
    return found.best, f"{state.actor} has made {counted(found.simulations, 'simulation')}."


def learned_online(seed: int) -> Search:
    """A move drawn from the strategy that online outcome sampling learns for what the player has perceived. The seed is
    one for the whole play: what was learned before their earlier decisions is learned again before later ones."""

    def search(state: State, random: Random, memory: int) -> tuple[Move, str]:
        with progress(f"{state.actor} is thinking", "nodes") as report:
            found = online(state, seed=seed, limits=Limits(memory=memory), progress=report).found
        (move,) = random.choices(list(found.chances), list(map(float, found.chances.values())))
        return move, f"{state.actor} has made {counted(found.iterations, 'iteration')}."

    return search


def _seed(random: Random) -> int:
    return random.randrange(1 << 30)


def counted(number: int, noun: str) -> str:
    """A number of things in words."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"
