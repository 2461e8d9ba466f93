"""Zermelo in a notebook: what games, states and solutions look like there, and widgets to click through a tree and to
play.

>>> from zermelo.notebook import explore, play  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, State
from zermelo.last_resort import at_the_door

if TYPE_CHECKING:
    from zermelo.solved_game import SolvedGame

__all__ = ["explore", "play"]


@at_the_door
def explore(what: Game | State | SolvedGame) -> Any:
    """A widget to click through a tree: from the beginning of a game on, from a state on, or with the values and best
    moves of what :func:`zermelo.solve` has found. Beside the tree is the position, with all that is hidden.

    Raises ``ZermeloError`` (``library-missing``) where the extra ``notebook`` is not installed, and ``PlayError`` for
    an error of the rules."""
    from zermelo.notebook.exploring import explorer

    return _widget(explorer(what))


@at_the_door
def play(game: Game | State, seats: Mapping[str, str] | None = None, seed: int | None = None) -> Any:
    """A widget to play a game, or its rest from a state on. ``seats`` says who plays for a player, as ``--seat`` of
    ``zermelo play`` does: ``{"O": "best"}``; all others are people. Where something is hidden there may be one person,
    who sees what their player sees. A ``seed`` makes chance the same every time.

    Raises ``ZermeloError``: ``library-missing`` where the extra ``notebook`` is not installed, ``unknown-player``,
    ``bad-usage``, what reading a file of strategies raises, and ``PlayError`` for an error of the rules."""
    from zermelo.notebook.playing import table

    return _widget(table(game, seats or {}, seed))


def _widget(page: Any) -> Any:
    from zermelo.solvers.common.libraries import imported

    imported("anywidget", "widgets in notebooks", "notebook")
    from zermelo.notebook.widgets import Widget

    return Widget(page)
