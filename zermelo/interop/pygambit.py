"""Games for the algorithms of Gambit: a ``pygambit.Game`` with the tree of all plays.

Histories that a player cannot tell apart are in one information set of Gambit; actions are labelled as moves are
written, players by their names, and all probabilities and payoffs are exact.

>>> import pygambit, zermelo
>>> from zermelo.interop.pygambit import gambit_game
>>> game = gambit_game(zermelo.load("kuhn_poker"))
>>> pygambit.nash.lp_solve(game).equilibrium.payoffs['Alice']
Rational(-1, 18)
"""

from __future__ import annotations

from io import StringIO
from typing import Any, Final

from zermelo.game import Game, State
from zermelo.questions import convert
from zermelo.solvers.common.libraries import import_library

_gambit: Final = import_library("pygambit", "games for Gambit", "gambit")


def gambit_game(game: Game | State) -> Any:
    """The tree of a game, or of what is left of it, as a ``pygambit.Game``: what Gambit reads in the text of
    :func:`zermelo.convert`.

    Raises ``ZermeloError`` as that does: ``too-large-to-convert``, ``too-many-outcomes``, and ``PlayError`` for an
    error of the rules."""
    return _gambit.read_efg(StringIO(convert(game, to="efg").text))
