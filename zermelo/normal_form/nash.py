"""The Nash equilibria of a small game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game import Game, State
from zermelo.last_resort import at_the_door

if TYPE_CHECKING:  # importing the package does not need the solvers
    from zermelo.normal_form.equilibria_page import ListedEquilibria


@at_the_door
def equilibria(game: Game | State, is_pure: bool = False) -> ListedEquilibria:
    """The Nash equilibria of a small game, or of its rest from a state on: all of two players, for more those in pure
    strategies and, with Gambit, some others; ``is_pure``: only those in pure strategies.

    Raises ``ZermeloError``: ``needs-end``, ``too-many-strategies``, ``out-of-memory``, and ``PlayError`` for an error
    of the rules.

    >>> import zermelo
    >>> found = zermelo.equilibria(zermelo.load("chicken"))
    >>> [str(amount) for amount in found.known.equilibria[0].payoff]
    ['2', '7']
    >>> found
    <3 equilibria of 'Chicken'>
    """
    from zermelo.normal_form.equilibria_page import LISTED
    from zermelo.normal_form.finding import listed_equilibria
    from zermelo.solvers.common.limits import Limits

    begin = game.initial if isinstance(game, Game) else game
    return listed_equilibria(begin, Limits(), is_pure, LISTED)
