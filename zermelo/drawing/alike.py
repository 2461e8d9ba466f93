"""Moves that are alike: a proved symmetry of the rules takes one to the other, so a picture shows one for all.

Let R be a symmetry of the rules that leaves every player as they are (:mod:`zermelo.interpreter.symmetries`), and let a
position be its own image under R. Then R permutes the moves there, or the outcomes of chance, and what follows one of
them and what follows its image differ in names alone: the same players move, they have as many moves, chance has the
same probabilities, and payments and ends are the same.

That is about positions. Where something is hidden, players also go by what they have seen, and the line of an
information set would end at a node that is left out; so the picture of such a game leaves out nothing.

Cost: for each position with moves, as many images as there are symmetries.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from attrs import frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.evaluation.context import entry_indices
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Rule, Variable
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.interpreter.symmetries.equivariance import IDENTITY, Relabelling
from zermelo.interpreter.symmetries.group import estimate_keeping_subgroup, player_fixing_subgroup, symmetries
from zermelo.interpreter.values import Value
from zermelo.solving import facts_with_information, on_machine


@frozen(eq=False)
class AlikeMoves:
    """Which moves of a game are alike, by a ``group`` of symmetries; ``places`` are the indices of all entries of each
    variable that changes."""

    game: Game
    group: tuple[Relabelling, ...]
    places: tuple[tuple[Variable, tuple[tuple[Value, ...], ...]], ...]

    @classmethod
    def of(cls, game: Game, has_estimates: bool = False) -> AlikeMoves:
        """That of a game, by the symmetries that are proved of its rules or, if positions are to have the same
        estimate, too, of its rules and its estimate.

        Raises ``ZermeloError`` (``needs-perfect-information``) if something may be hidden."""
        if facts_with_information(game).perfect_information.holds is not True:
            raise ZermeloError(
                "needs-perfect-information",
                "moves that are alike are drawn once only where nothing is hidden: the nodes that a player cannot tell "
                "apart are all needed",
                "leave out --merge-symmetric",
            )
        model = game.model
        group = player_fixing_subgroup(model, symmetries(model))
        changing = [variable for variable in model.variables if not variable.is_constant]
        places = tuple(
            (each, tuple(entry_indices(each, each.offset + k) for k in range(each.entries))) for each in changing
        )
        return cls(game, estimate_keeping_subgroup(model, group) if has_estimates else group, places)

    def classes(self, state: State, offered: Sequence[Move]) -> list[list[int]]:
        """The moves or outcomes of a state by their numbers, those that are alike together; each class and all classes
        are in their order."""
        classes = [[number] for number in range(len(offered))]
        if self.group == (IDENTITY,):
            return classes
        here: ReferenceState = on_machine(state, self.game.reference)
        rules = rules_of(here.phase.model.decision)
        numbers = {move: number for number, move in enumerate(offered)}
        own = self._image(here, IDENTITY)
        for symmetry in self.group:
            if symmetry is IDENTITY or self._image(here, symmetry) != own:
                continue
            for number, move in enumerate(offered):
                _join(classes, number, numbers[_renamed(move, rules, symmetry)])
        return [each for number, each in enumerate(classes) if each[0] == number]

    def _image(self, state: ReferenceState, symmetry: Relabelling) -> Hashable:
        """What the image of a position is."""
        assert not state.chosen and state.snapshot is None, "everybody knows the position, and no rule asks for more"
        entries = (
            frozenset(
                (tuple(symmetry.at((variable, k), index) for k, index in enumerate(place)), symmetry.of(value))
                for place, value in zip(places, state.values[variable.offset :], strict=False)
            )
            for variable, places in self.places
        )
        names = (symmetry.of(state.frame[slot]) for slot in state.phase.remembered)
        return tuple(map(symmetry.of, state.arguments)), tuple(names), tuple(entries)


def _renamed(move: Move, rules: Sequence[Rule], symmetry: Relabelling) -> Move:
    """What a move or an outcome is called in the image of a position."""
    return symmetry.move(next(rule for rule in rules if rule.name == move.name), move)


def _join(classes: list[list[int]], one: int, other: int) -> None:
    """Make one class of those of two numbers; all members of a class have the same list."""
    if classes[one] is not classes[other]:
        both = sorted(classes[one] + classes[other])
        for number in both:
            classes[number] = both
