"""Searches of one decision by those who sit at a table: a move, and a remark about how it was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, TypeAlias

from zermelo.console import progress
from zermelo.decisions.clairvoyance import DEALS, MOVES, averaged
from zermelo.decisions.online import online
from zermelo.decisions.simulating import DEALS_IN_PLAY, simulate
from zermelo.game import State
from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solving import solve_knowing

Search: TypeAlias = Callable[[State, Random, int], tuple[Move, str]]
"""From a state, what draws at random, and the memory that may be used, in bytes. It raises ``ZermeloError`` where it
does not fit the game."""

NODES: Final = 300_000
NODES_EXACTLY: Final = 10_000
"""The most nodes of a search for the best move, in all other games and in those whose rules are interpreted or look at
the history of the play. Limits of nodes, unlike those of seconds, lead to the same move on every machine, however busy
it is."""


def most_nodes(state: State) -> int:
    """The most nodes of a search for the best move."""
    game = state.game
    return NODES if isinstance(game.searching, LoweredMachine) and not game.facts.has_history else NODES_EXACTLY


@contextmanager
def thinking(state: State, most: int, what: str = "nodes") -> Iterator[Progress]:
    """Tells of a search by the player to move, which ends with :class:`LimitReached` (``out-of-nodes``) after
    ``most`` nodes."""
    with progress(f"{state.actor} is thinking", what) as show:

        def report(nodes: int) -> None:
            if nodes > most:
                raise LimitReached("out-of-nodes", f"within {most:,} nodes", {}, "a smaller game may need less")
            show(nodes)

        yield report


def most_visited(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move most visited by Monte Carlo tree search."""
    with progress(f"{state.actor} is thinking", "nodes") as report:
        found = solve_knowing(state.game.facts, state.game, state, "mcts", report, Limits(memory=memory))
    return found.best[0], f"{state.actor} has made {counted(found.counts['simulations'], 'simulation')}."


def best_with_open_cards(state: State, random: Random, memory: int) -> tuple[Move, str]:
    """The move that is best on average over deals that fit what the player has perceived, each solved with open
    cards."""
    with thinking(state, most_nodes(state)) as report:
        found = averaged(state, "pimc", DEALS, MOVES, _seed(random), Limits(memory=memory), report)
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
