"""Many plays at once, as programs that learn make them: moves a second, with what is legal and what is seen in each.

Moves are drawn at random from the legal ones; that is part of the work on both sides, here by arrays, there from lists.
Draws of chance do not count, except in backgammon of Pgx, where a throw comes with a move. OpenSpiel's loop is that of
its own learning algorithms in Python, over its environments; Pgx and Ludax stay in compiled code for 32 steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from attrs import Factory, frozen

import zermelo
from benchmarks.measure import best_of_open
from benchmarks.peers import jax_games, openspiel
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_STATES: Final = 1024
_THEIRS: Final = 64
"""Environments in their loop."""

TARGET: Final = 10
"""Of the ratio beside OpenSpiel."""


@frozen
class SharedGame:
    """A game on both sides, and what Pgx and Ludax call it, if they have it."""

    title: str
    name: str
    theirs: str
    parameters: dict[str, int] = Factory(dict)
    pgx: str = ""
    ludax: str = ""


GAMES = (
    SharedGame("tic-tac-toe", "tic_tac_toe", "tic_tac_toe", pgx="tic_tac_toe", ludax="tic_tac_toe"),
    SharedGame("connect four", "connect_four", "connect_four", pgx="connect_four", ludax="connect_four"),
    SharedGame("othello", "othello", "othello", pgx="othello", ludax="reversi"),
    SharedGame("hex", "hex", "hex", pgx="hex", ludax="hex"),
    SharedGame("breakthrough", "breakthrough", "breakthrough"),
    SharedGame("backgammon", "backgammon", "backgammon", pgx="backgammon"),
    SharedGame("pig to 100", "pig", "pig", {"target": 100}),
    SharedGame("Kuhn poker", "kuhn_poker", "kuhn_poker", pgx="kuhn_poker"),
    SharedGame("Leduc poker", "leduc_poker", "leduc_poker", pgx="leduc_holdem"),
    SharedGame("liar's dice", "liars_dice", "liars_dice"),
)


def loops(game: SharedGame) -> list[Row]:
    """The loop over one game, beside each peer that has it."""
    ours = measurement_or_reason(lambda: best_of_open(steps(game)))
    task = f"{game.title}, a batch of {_STATES:,}"

    def row(peer: str, theirs: Callable[[], Callable[[], tuple[int, int]]], target: float | None = None) -> Row:
        found = measurement_or_reason(lambda: best_of_open(theirs()))
        return Row(task=task, unit="moves/s", ours=ours, peer=peer, theirs=found, target=target)

    rows = [row(openspiel.NAME, lambda: openspiel.vector_steps(game.theirs, _THEIRS), TARGET)]
    if game.pgx:
        rows.append(row("Pgx", lambda: jax_games.pgx_steps(game.pgx, _STATES)))
    if game.ludax:
        rows.append(row("Ludax", lambda: jax_games.ludax_steps(game.ludax, _STATES)))
    return rows


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
