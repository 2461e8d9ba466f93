"""Who sits at a table: the kinds of seats by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from zermelo.game import Game
from zermelo.playing.best_seat import BestSeat
from zermelo.playing.searches import Search, best_with_open_cards, learned_online, most_simulated, most_visited
from zermelo.playing.seats import FollowingSeat, RandomSeat, SearchingSeat, Seat

KINDS: Mapping[str, Callable[[Random, int], Seat | None]] = {
    "human": lambda random, memory: None,
    "random": lambda random, memory: RandomSeat(random),
    "best": lambda random, memory: BestSeat(RandomSeat(random), memory=memory),
    "mcts": lambda random, memory: _searching(most_visited, random, memory),
    "pimc": lambda random, memory: _searching(best_with_open_cards, random, memory),
    "ismcts": lambda random, memory: _searching(most_simulated, random, memory),
    "oos": lambda random, memory: _searching(learned_online(random.randrange(1 << 30)), random, memory),
}
"""The kinds of seats, with so much memory for each search; None for people."""


def seats_of(game: Game, kinds: Iterable[tuple[str, str]], random: Random, memory: int) -> dict[str, Seat]:
    """The seats of the players that are no people, from a kind, or the name of a file of strategies, for each player.

    Raises ``ZermeloError``: ``unknown-player``, ``unreadable-file``, ``bad-strategy``."""
    seats: dict[str, Seat] = {}
    for player, kind in kinds:
        game.number(player)
        seat = KINDS[kind](random, memory) if kind in KINDS else _following(kind, game, random, memory)
        if seat is not None:
            seats[player] = seat
    return seats


def _searching(search: Search, random: Random, memory: int) -> SearchingSeat:
    return SearchingSeat(RandomSeat(random), search, memory=memory)


def _following(name: str, game: Game, random: Random, memory: int) -> FollowingSeat:
    from zermelo.playing.contestants import contestant_of

    return FollowingSeat(random, contestant_of(name, game, memory))
