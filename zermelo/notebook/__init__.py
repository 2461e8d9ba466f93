"""Zermelo in a notebook: what games, states and solutions look like there, and two widgets, to click through a tree
(:func:`explore`) and to play (:func:`play`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from zermelo.game import Game, State
from zermelo.last_resort import wrap_internal_errors

if TYPE_CHECKING:  # importing the package needs no widgets
    from zermelo.notebook.widgets import Widget
    from zermelo.solved_game import SolvedGame

__all__ = ["explore", "play"]


@wrap_internal_errors
def explore(what: Game | State | SolvedGame) -> Widget:
    """A widget to click through a tree: from the beginning of a game on, from a state on, or with the values and best
    moves of what :func:`zermelo.solve` has found. Beside the tree is the position, with all that is hidden.

    Raises ``ZermeloError`` (``library-missing``) where the extra ``notebook`` is not installed, and ``PlayError`` for
    an error of the rules."""
    _check_library()
    from zermelo.notebook.exploring import explorer
    from zermelo.notebook.widgets import Widget

    return Widget(explorer(what))


@wrap_internal_errors
def play(game: Game | State, seats: Mapping[str, str] | None = None, seed: int | None = None) -> Widget:
    """A widget to play a game, or its rest from a state on. ``seats`` says who plays for a player, as ``--seat`` of
    ``zermelo play`` does: ``{"O": "best"}``; all others are people. Where something is hidden there may be one person,
    who sees what their player sees. A ``seed`` makes chance the same every time.

    Raises ``ZermeloError``: ``library-missing`` where the extra ``notebook`` is not installed, ``unknown-player``,
    ``bad-usage``, what reading a file of strategies raises, and ``PlayError`` for an error of the rules."""
    _check_library()
    from zermelo.notebook.playing import table
    from zermelo.notebook.widgets import Widget

    return Widget(table(game, seats or {}, seed))


def _check_library() -> None:
    from zermelo.solvers.common.libraries import import_library

    import_library("anywidget", "widgets in notebooks", "notebook")
