"""The symmetries of a game: all that are made of the candidates that are proved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zermelo.grammar.deadline import look
from zermelo.interpreter.model import Model
from zermelo.interpreter.symmetries.candidates import candidates, leaves_out
from zermelo.interpreter.symmetries.relabelling import IDENTITY, Relabelling
from zermelo.interpreter.symmetries.rules import proved
from zermelo.interpreter.symmetries.tables import Tables

MOST: Final = 64
"""The most symmetries. Those that would make more are left out: all subgroups serve."""


def symmetries(game: Model) -> tuple[Relabelling, ...]:
    """A group of symmetries of the rules, each proved (:mod:`.rules`); first the relabelling that changes nothing."""
    return search(game)[0]


def search(game: Model) -> tuple[tuple[Relabelling, ...], bool]:
    """The same group, and whether there may be more symmetries of the kinds that are looked for (:mod:`.candidates`),
    which have been left out since there are too many."""
    found, generators, tables = {IDENTITY.effect: IDENTITY}, list[Relabelling](), Tables()
    is_cut = leaves_out(game)
    for candidate in candidates(game):
        look()
        if 2 * len(found) > MOST:  # the next larger group has twice as many at least (Lagrange)
            is_cut = True
            break
        if candidate.relabelling.effect in found:
            continue
        symmetry = proved(game, candidate.relabelling, candidate.permutations, tables)
        if symmetry is not None and symmetry.effect not in found:
            larger = _generated([*generators, symmetry])
            if len(larger) <= MOST:
                found = larger
                generators.append(symmetry)
            else:
                is_cut = True
    return tuple(found.values()), is_cut


def keeping_players(game: Model, found: tuple[Relabelling, ...]) -> tuple[Relabelling, ...]:
    """Those of a group that leave every player as they are: a group, too."""
    return tuple(symmetry for symmetry in found if not any(player in symmetry.members for player in game.players))


def generators(group: Iterable[Relabelling]) -> list[Relabelling]:
    """Some members of a group of which all others are made: few, since each of them doubles at least what is made."""
    chosen: list[Relabelling] = []
    made = {IDENTITY.effect: IDENTITY}
    for symmetry in group:
        if symmetry.effect not in made:
            chosen.append(symmetry)
            made = _generated(chosen)
    return chosen


def _generated(generators: list[Relabelling]) -> dict[object, Relabelling]:
    """The group of all that these symmetries make; one too many at least if there are too many."""
    found, waiting = {IDENTITY.effect: IDENTITY}, [IDENTITY]
    while waiting and len(found) <= MOST:
        symmetry = waiting.pop()
        for generator in generators:
            another = symmetry.then(generator)
            if another.effect not in found:
                found[another.effect] = another
                waiting.append(another)
    return found
