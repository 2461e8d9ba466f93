"""What a mediator tells the players, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.interpreter.machine import InformationState, Move, shown
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.imperfect_information.correlation_plans import Told
from zermelo.solvers.imperfect_information.following_sets import FollowingSets


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
