"""The Nash equilibria of a small game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo.game import Game, State
from zermelo.interpreter.machine import InformationState, Move, shown
from zermelo.last_resort import at_the_door
from zermelo.solvers.forms.extensive_form import ExtensiveForm, SequenceForm
from zermelo.solvers.imperfect_information.extensive_form_correlated import FollowingSets, Told

if TYPE_CHECKING:
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
    from zermelo.normal_form.equilibria_page import LISTED, listed_equilibria
    from zermelo.solvers.common.limits import Limits

    begin = game.initial if isinstance(game, Game) else game
    return listed_equilibria(begin, Limits(), is_pure, LISTED)


# What a mediator tells the players, in words and as JSON.


def told_moves(
    tree: ExtensiveForm, form: SequenceForm, told: Told, player: int
) -> Iterator[tuple[InformationState, Move]]:
    """The moves of a pure strategy, each with what the player knows when it is due, in the order of plays."""
    side, sets = FollowingSets(form.players[player]), tree.information_sets
    due = side.behind[0][::-1]
    while due:
        i = due.pop()
        sequence = next(each for each in side.options(i) if each in told[player])
        s = side.own.sets[i]
        yield sets.known(s), sets.moves_of(s)[sequence - side.own.firsts[i]]
        due += side.behind[sequence][::-1]


def in_words(tree: ExtensiveForm, form: SequenceForm, told: Told) -> list[str]:
    """What each player is told, as tables name pure strategies."""
    return [
        ", ".join(shown(move) for _, move in told_moves(tree, form, told, player)) or "nothing"
        for player in range(len(form.players))
    ]


def told_record(tree: ExtensiveForm, form: SequenceForm, told: Told) -> list[dict[str, object]]:
    """The same as JSON: for each player the moves, with what they know when it is due."""
    return [
        {
            "player": name,
            "decisions": [
                {"known": list(map(str, known)), "move": str(move)}
                for known, move in told_moves(tree, form, told, player)
            ],
        }
        for player, name in enumerate(tree.player_names)
    ]
