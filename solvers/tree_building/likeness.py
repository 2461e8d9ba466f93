"""Information sets that are alike: those that a symmetry of the game takes to each other.

A *symmetry of the tree* renames what players observe and the moves they make, such that every information set becomes
one of the same player, with the renamed moves, and that every play becomes one with the same payoffs and the same
probability of chance. Here those are found among the symmetries of the rules that leave all players as they are
(:mod:`zermelo.interpreter.symmetries`): exchanged suits, mirrored boards. Rules that commute with a renaming offer
renamed moves, pay the same, and show renamed values; so such a renaming takes the tree to itself if the first state is
its own image (:mod:`zermelo.interpreter.symmetries.beginning`). Then it permutes the information sets, with their
moves; one that does not is left out.

Two information sets are alike if one is the image of the other, and so are two moves. These are relations of
equivalence, since images of images are images. Moves of *one* set are alike where a symmetry takes the set to itself,
but not its moves: to lead the jack of either suit, holding both.

It is enough to join each set and move with its image under those symmetries of which all others are made.

Cost: for each of these, each observation is renamed once; then one look-up for each information set and each move.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from typing import Final

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import (
    Asked,
    InformationState,
    Machine,
    Move,
    Observation,
    PerceivedMove,
    Seen,
    Sighting,
    State,
    Told,
)
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.interpreter.symmetries.beginning import keeps_beginning
from zermelo.interpreter.symmetries.group import generators, keeping_players, symmetries
from zermelo.interpreter.symmetries.relabelling import Relabelling
from zermelo.interpreter.values import Value
from zermelo.solvers.forms.extensive_form import InformationSets

_OFTEN: Final = 256
"""Once for so many information sets the deadline is looked at."""


@frozen(eq=False)
class Likeness:
    """Information sets and moves by classes. Set s is of class ``classes[s]``; classes are numbered in the order of
    their first sets. In class c there are ``counts[c]`` kinds of moves; the move at place m of
    ``InformationSets.moves`` is of kind ``kinds[m]`` of them, and each set of the class has ``sizes[m]`` moves of that
    kind."""

    classes: array[int]
    counts: list[int]
    kinds: array[int]
    sizes: array[int]


def renamings(machine: Machine[State]) -> list[Relabelling]:
    """Symmetries of the rules of which all those are made that leave all players, all numbers and the first state as
    they are. Of a machine without lowered rules none are known."""
    if not isinstance(machine, LoweredMachine):
        return []
    model = machine.program.model
    group = keeping_players(model, symmetries(model))
    return generators(each for each in group if not each.numbers and keeps_beginning(model, each))


def likeness(sets: InformationSets, found: Sequence[Relabelling]) -> Likeness | None:
    """Which information sets are alike by these symmetries of the rules and all that are made of them; None if none of
    them is one of the tree."""
    if not found:
        return None
    trial = _Trial(sets)
    images = [image for relabelling in found if (image := trial.image(relabelling)) is not None]
    if not images:
        return None
    like_sets, like_moves = _Classes(len(sets)), _Classes(len(sets.moves))
    for image in images:
        for one, other in enumerate(image.sets):
            like_sets.join(one, other)
        for one, other in enumerate(image.moves):
            like_moves.join(one, other)
    return _numbered(sets, like_sets, like_moves)


def _numbered(sets: InformationSets, like_sets: _Classes, like_moves: _Classes) -> Likeness:
    """The classes by numbers; the kinds of moves in the order of the class's first set."""
    numbers: dict[int, int] = {}
    known_kinds: list[dict[int, int]] = []
    classes, kinds, sizes = array("q"), array("q"), array("q")
    for s in range(len(sets)):
        c = numbers.setdefault(like_sets.first(s), len(numbers))
        classes.append(c)
        if c == len(known_kinds):
            known_kinds.append({})
        here = [like_moves.first(m) for m in range(sets.offers[s], sets.offers[s + 1])]
        for m in here:
            kinds.append(known_kinds[c].setdefault(m, len(known_kinds[c])))
            sizes.append(here.count(m))
    return Likeness(classes, [len(kinds_here) for kinds_here in known_kinds], kinds, sizes)


@frozen(eq=False)
class _Image:
    """Under a symmetry, the image of each information set, and of the move at each place."""

    sets: list[int]
    moves: list[int]


class _Trial:
    """The information sets by what is observed: observations and moves as numbers."""

    def __init__(self, sets: InformationSets) -> None:
        self.sets = sets
        self.observations: dict[Observation, int] = {}
        self.moves: dict[Move, int] = {}
        self.known: list[tuple[int, ...]] = []
        # Slices of one observation each cost less than observations, and what was known before a sequence need not be
        # looked at again: information states only grow.
        numbers: dict[InformationState, int] = {}
        before: dict[tuple[int, int], tuple[int, ...]] = {(player, 0): () for player in sets.players}
        for s, player in enumerate(sets.players):
            if s % _OFTEN == 0:
                look()
            known, found = sets.known(s), list(before[player, sets.parents[s]])
            for k in range(len(found), len(known)):
                number = numbers.get(known[k : k + 1])
                if number is None:
                    number = self.observations.setdefault(known[k], len(self.observations))
                    numbers[known[k : k + 1]] = number
                found.append(number)
            self.known.append(tuple(found))
            for k in range(sets.count(s)):
                before[player, sets.firsts[s] + k] = self.known[-1]
        self.offered = [self.moves.setdefault(move, len(self.moves)) for move in sets.moves]
        self.sets_by: dict[Hashable, int] = {(sets.players[s], known): s for s, known in enumerate(self.known)}
        self.places = {
            (s, self.offered[m]): m for s in range(len(sets)) for m in range(sets.offers[s], sets.offers[s + 1])
        }

    def image(self, relabelling: Relabelling) -> _Image | None:
        """The image of the tree; None if an information set or a move has none."""
        look()
        seen = [self.observations.get(renamed(each, relabelling), -1) for each in self.observations]
        made = [self.moves.get(renamed_move(each, relabelling), -1) for each in self.moves]
        if -1 in seen:
            return None
        offers, image = self.sets.offers, _Image([], [])
        for s, known in enumerate(self.known):
            there = self.sets_by.get((self.sets.players[s], tuple(seen[each] for each in known)))
            if there is None or self.sets.count(there) != self.sets.count(s):
                return None
            moves = [self.places.get((there, made[move]), -1) for move in self.offered[offers[s] : offers[s + 1]]]
            if -1 in moves:
                return None
            image.sets.append(there)
            image.moves.extend(moves)
        return image


def renamed_move(move: Move, relabelling: Relabelling) -> Move:
    """What a move is called in the image of a play in which it is made."""
    return Move(move.name, tuple(map(relabelling.of, move.arguments)))


def renamed(observation: Observation, relabelling: Relabelling) -> Observation:
    """What a player observes in the image of a play in which they make this observation."""

    def all_of(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(map(relabelling.of, values))

    match observation:
        case PerceivedMove(player, name, arguments):
            return PerceivedMove(player, name, all_of(arguments))
        case Told(label, arguments):
            return Told(label, all_of(arguments))
        case Asked(phase, arguments):
            return Asked(phase, all_of(arguments))
        case Sighting(values):
            return Sighting(
                frozenset(Seen(seen.variable, all_of(seen.indices), relabelling.of(seen.value)) for seen in values)
            )


class _Classes:
    """Classes of the numbers below ``count``, by their least members (union-find; Tarjan 1975)."""

    def __init__(self, count: int) -> None:
        self.parents = array("q", range(count))

    def first(self, member: int) -> int:
        """The least member of a class."""
        parents = self.parents
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    def join(self, one: int, other: int) -> None:
        """Make one class of two."""
        first, second = sorted((self.first(one), self.first(other)))
        self.parents[second] = first
