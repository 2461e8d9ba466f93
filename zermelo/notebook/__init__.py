"""Zermelo in a notebook: what games, states and solutions look like there, and three widgets, to click through a tree
(:func:`explore`), to play (:func:`play`), and to watch a search (:func:`watch`)."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

from zermelo.game import Game, State
from zermelo.last_resort import wrap_internal_errors

if TYPE_CHECKING:  # importing the package needs no widgets
    from zermelo.notebook.widgets import Widget
    from zermelo.solved_game import SolvedGame

__all__ = ["explore", "play", "watch"]


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


@wrap_internal_errors
def watch(game: Game | State, solver: str | None = None, depth: float = inf) -> Widget:
    """A widget to watch a search step by step, forwards and backwards: by a ``solver`` that records its search, or else
    by alpha-beta, expectiminimax or max^n, to the end of all plays, or to a ``depth``. It asks students what is cut off
    next if they like.

    Raises ``ZermeloError``: ``library-missing`` where the extra ``notebook`` is not installed, ``trace-too-large`` for
    a search of more than 300 nodes, and what :func:`zermelo.solve` raises."""
    _check_library()
    from zermelo.drawing.frames import search_frames
    from zermelo.notebook.watching import Watching
    from zermelo.notebook.widgets import Widget

    state = game.initial if isinstance(game, Game) else game
    return Widget(Watching(search_frames(state, solver, depth)))


def _check_library() -> None:
    from zermelo.solvers.common.libraries import import_library

    import_library("anywidget", "widgets in notebooks", "notebook")
