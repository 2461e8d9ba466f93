"""The symmetries of a game: all that are made of the candidates that are proved."""

from __future__ import annotations

from typing import Final

from zermelo.grammar.deadline import look
from zermelo.interpreter.model import Model
from zermelo.interpreter.symmetries.candidates import candidates
from zermelo.interpreter.symmetries.relabelling import IDENTITY, Relabelling
from zermelo.interpreter.symmetries.rules import proved
from zermelo.interpreter.symmetries.tables import Tables

MOST: Final = 64
"""The most symmetries. Those that would make more are left out: all subgroups serve."""


def symmetries(game: Model) -> tuple[Relabelling, ...]:
    """A group of symmetries of the rules, each proved (:mod:`.rules`); first the relabelling that changes nothing."""
    found, tables = {IDENTITY.effect: IDENTITY}, Tables()
    for candidate in candidates(game):
        look()
        if candidate.relabelling.effect in found:
            continue
        symmetry = proved(game, candidate.relabelling, candidate.permutations, tables)
        if symmetry is not None and symmetry.effect not in found:
            larger = _closed(found, symmetry)
            found = larger if len(larger) <= MOST else found
    return tuple(found.values())


def keeping_players(game: Model, found: tuple[Relabelling, ...]) -> tuple[Relabelling, ...]:
    """Those of a group that leave every player as they are: a group, too."""
    return tuple(symmetry for symmetry in found if not any(player in symmetry.members for player in game.players))


def _closed(group: dict[object, Relabelling], another: Relabelling) -> dict[object, Relabelling]:
    """The group that a group and another symmetry make; at least one too many if there are too many."""
    found, waiting = dict(group), [another]
    generators = [*group.values(), another]
    while waiting and len(found) <= MOST:
        symmetry = waiting.pop()
        if symmetry.effect not in found:
            found[symmetry.effect] = symmetry
            waiting += [symmetry.then(generator) for generator in generators]
            waiting += [generator.then(symmetry) for generator in generators]
    return found
