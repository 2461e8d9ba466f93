"""Players at no keyboard: what a seat is; random ones, ones that search at every move, ones that follow strategies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol

from attrs import define, field

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, PlayError
from zermelo.playing.searches import Search
from zermelo.solvers.common.limits import Limits


class Seat(Protocol):
    """A player without a keyboard."""

    def choose(self, state: State) -> tuple[Move, str]:
        """A legal move, and a remark for spectators, which may be empty."""


@define(eq=False)
class RandomSeat:
    """Chooses among the legal moves with equal probability."""

    random: Random

    def choose(self, state: State) -> tuple[Move, str]:
        return self.random.choice(state.moves), ""


@define(eq=False)
class SearchingSeat:
    """Plays what a search finds (:mod:`zermelo.playing.searches`). If that does not fit the game, it plays at random,
    and says so."""

    fallback: RandomSeat
    search: Search
    memory: int = field(factory=lambda: Limits().memory, kw_only=True)

    def choose(self, state: State) -> tuple[Move, str]:
        try:
            return self.search(state, self.fallback.random, self.memory)
        except PlayError:
            raise
        except ZermeloError as error:
            move, _ = self.fallback.choose(state)
            return move, f"{state.actor} plays at random: {error.message}."


@define(eq=False)
class FollowingSeat:
    """Follows strategies that say how to choose, such as those of a file (:mod:`zermelo.playing.contestants`)."""

    random: Random
    contestant: Callable[[State, Random], Move]

    def choose(self, state: State) -> tuple[Move, str]:
        if len(state.moves) == 1:  # strategies need not list it
            return state.moves[0], ""
        return self.contestant(state, self.random), ""
