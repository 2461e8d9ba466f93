"""Many plays at once, as programs that learn make them: moves a second, with what is legal and what is seen in each.

Moves are drawn at random from the legal ones; that is part of the work on both sides, here by arrays, there from lists.
Draws of chance do not count. OpenSpiel's loop is that of its own learning algorithms in Python, over its environments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from attrs import Factory, frozen

import zermelo
from benchmarks.measure import best_of_open
from benchmarks.peers import openspiel
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STATES: Final = 1024
_THEIRS: Final = 64
"""Environments in their loop."""

TARGET: Final = 10


@frozen
class SharedGame:
    """A game on both sides."""

    title: str
    name: str
    theirs: str
    parameters: dict[str, int] = Factory(dict)


GAMES = (
    SharedGame("tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    SharedGame("connect four", "connect_four", "connect_four"),
    SharedGame("hex", "hex", "hex"),
    SharedGame("breakthrough", "breakthrough", "breakthrough"),
    SharedGame("backgammon", "backgammon", "backgammon"),
    SharedGame("pig to 100", "pig", "pig", {"target": 100}),
    SharedGame("Kuhn poker", "kuhn_poker", "kuhn_poker"),
    SharedGame("Leduc poker", "leduc_poker", "leduc_poker"),
    SharedGame("liar's dice", "liars_dice", "liars_dice"),
)


def loops(game: SharedGame) -> list[Row]:
    """The loop over one game."""
    return [
        Row(
            task=f"{game.title}, a batch of {_STATES:,}",
            unit="moves/s",
            ours=measurement_or_reason(lambda: best_of_open(steps(game))),
            peer=openspiel.NAME,
            theirs=measurement_or_reason(lambda: best_of_open(openspiel.vector_steps(game.theirs, _THEIRS))),
            target=TARGET,
        )
    ]


def steps(game: SharedGame) -> Callable[[], tuple[int, int]]:
    """A step of every state, which returns the number of moves, and 1."""
    import numpy as np

    plays, random = zermelo.batch(zermelo.load(game.name, **game.parameters), _STATES, seed=1), np.random.default_rng(1)

    def step() -> tuple[int, int]:
        plays.step(chosen(plays.mask, random))
        return _STATES, 1

    return step


def chosen(mask: NDArray[np.bool_], random: np.random.Generator) -> NDArray[np.int64]:
    """One of the legal moves of every state at random."""
    import numpy as np

    places = mask.reshape(-1).nonzero()[0]
    ends = np.searchsorted(places, np.arange(1, len(mask) + 1) * mask.shape[1])
    counts = np.diff(ends, prepend=0)
    drawn: NDArray[np.int64] = places[ends - counts + (random.random(len(mask)) * counts).astype(np.int64)]
    legal: NDArray[np.int64] = np.mod(drawn, mask.shape[1])
    return legal
