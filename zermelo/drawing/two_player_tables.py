"""The table of pure strategies of a game of two players, for the pictures that are made of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.normal_form import NormalForm, normal_form
from zermelo.whole_tree import whole_tree


def two_player_table(state: State, limits: Limits, report: Callable[[int], None]) -> NormalForm:
    """The table of a game from a state on.

    Raises ``ZermeloError``: ``needs-two-players``, ``needs-end``, ``too-many-strategies``, and what building the tree
    raises."""
    players = len(state.game.players)
    if players != 2:
        raise ZermeloError(
            "needs-two-players",
            f"this picture is for two players, and this game has {players}",
            "`zermelo equilibria` lists the equilibria of any number",
        )
    return normal_form(whole_tree(state, "tables of pure strategies", limits, lambda *_: nullcontext(report)), limits)
