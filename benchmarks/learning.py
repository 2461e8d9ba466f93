"""Learning backgammon by self-play, in games a second: a network of 40 hidden units by TD(lambda).

The peer is a program in Python and numpy as they are usually written. Each side makes every legal play of a roll, asks
its network about what comes out, and learns from turn to turn. Ours makes a play step by step, with one man at a time,
looks on to the end of the roll before each, and asks there. Both begin with weights at random and learn for as many
games, so that games are about as long.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import zermelo
from benchmarks.measure import best_of_fixed
from benchmarks.peers import td_gammon
from benchmarks.report import Delay, Row

_GAMES: Final = 2_000
_THEIR_GAMES: Final = 20


def backgammon() -> list[Row | Delay]:
    """Games a second on both sides."""
    game = zermelo.load("backgammon")
    return [
        Row(
            task="backgammon, TD(λ) with 40 hidden units",
            unit="games/s",
            ours=best_of_fixed(lambda: zermelo.learn(game, games=_GAMES, hidden=td_gammon.HIDDEN, exploration=0).games),
            peer=td_gammon.NAME,
            theirs=best_of_fixed(partial(td_gammon.games, _THEIR_GAMES, 0)),
            target=10,
            note=f"{_GAMES:,} and {_THEIR_GAMES:,} games",
        )
    ]
