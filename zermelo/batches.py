"""Many plays of a game at once, for programs that learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.arguments import check_first
from zermelo.game import Game
from zermelo.last_resort import wrap_internal_errors
from zermelo.loading import load

if TYPE_CHECKING:
    from zermelo.plays_at_once import Batch


@wrap_internal_errors
@check_first
def batch(game: Game | str, n: int, *, seed: int = 0, threads: int | None = None, view: str = "player") -> Batch:
    """``n`` states of a game in which a player is to move, stepped at once by machine code.

    The game is one that :func:`zermelo.load` has loaded, or a name for it. The same ``seed`` gives the same draws of
    chance, for any number of ``threads``, by default one for each core if there are states enough. What is observed is
    the ``view`` of the player to move, or of ``all``, with what is hidden.

    Raises ``ZermeloError``: ``machine-unavailable`` where machine code cannot run the game or write its observations,
    ``too-many-moves`` and ``needs-bounds`` where these have no numbers, ``bad-usage`` if nobody decides anything, and
    ``out-of-memory`` if so many states do not fit.

    >>> import numpy, zermelo
    >>> plays = zermelo.batch("kuhn_poker", 1024, seed=1)
    >>> plays
    <1,024 plays of 'Kuhn poker', 4 moves, 15 numbers observed>
    >>> rewards, done = plays.step(plays.mask.argmax(axis=1))
    >>> rewards.shape, int(done.sum()), plays.actor[:3]
    ((1024, 2), 0, array([1, 1, 1]))
    """
    from zermelo.plays_at_once import Batch

    return Batch(load(game) if isinstance(game, str) else game, n, seed, threads, view)
