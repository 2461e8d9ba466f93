"""The Nash equilibria of a small game of any number of players and any payoffs, by its normal form.

For two players all extreme equilibria are found, mixed ones included; for more players, or larger tables, all in pure
strategies. The value is the payoff of the first of them: pure ones come before others, and then those that no other one
betters for everybody. The other payoffs are reported, too, since players who expect different equilibria may play none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Final, overload

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import MemoryQuota
from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.normal_form.double_description import (
    Ray,
    TooManyVertices,
    intersection,
    rays_by_label,
    vertices,
)
from zermelo.solvers.normal_form.normal_form import NormalForm, NoTable, normal_form
from zermelo.solvers.normal_form.solution_concepts import pure_equilibria, undominated_payoffs
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of

# All extreme Nash equilibria of a game of two players, in fractions.
#
# A mixture x of the first player and a bound v on the second player's payoffs against it form a polyhedron. Replies
# that attain v are best replies. Each vertex has *labels*, its tight inequalities: own strategies that are not played,
# replies that are best. Likewise for the other player. A pair of vertices is an equilibrium if every strategy is a
# label of one of them: it is not played, or it is a best reply. All equilibria are mixtures of these *extreme* ones; if
# a game has infinitely many, these are their vertices.
#
# Source: Mangasarian (1964); Avis, Rosenberg, Savani and von Stengel, "Enumeration of Nash equilibria for two-player
# games" (2010). The vertices are found by the double description method. For each vertex of the first player, those of
# the second one that have the missing labels are an intersection of sets, one for each label.


@frozen
class Pure(Sequence[Fraction]):
    """The mixture of ``size`` strategies that plays a single one, in constant memory: a table may have as many pure
    equilibria as cells."""

    size: int
    played: int

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, place: int) -> Fraction: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Fraction, ...]: ...

    def __getitem__(self, place: int | slice) -> Fraction | tuple[Fraction, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(self.size)[place])
        return Fraction(range(self.size)[place] == self.played)


@frozen
class MixedProfile:
    """A mixture for each player, and the payoffs. ``gain`` is the most that a player gains by a unilateral deviation: 0
    in an equilibrium."""

    mixtures: tuple[Sequence[Fraction], ...]
    payoff: Payoff
    gain: Fraction = Fraction(0)

    @property
    def is_pure(self) -> bool:
        return all(isinstance(mixture, Pure) or sum(map(bool, mixture)) == 1 for mixture in self.mixtures)

    @property
    def is_proved(self) -> bool:
        """Whether it is exactly an equilibrium."""
        return not self.gain


def extreme_equilibria(game: NormalForm, limits: Limits, found: list[MixedProfile] | None = None) -> list[MixedProfile]:
    """All extreme equilibria of a game of two players, pure ones first; each is entered in ``found`` as it comes.

    Raises :class:`TooManyVertices`, and ``ZermeloError`` (``out-of-memory``) for too many equilibria."""
    found = [] if found is None else found
    budget = limits.budget()
    room = MemoryQuota(budget)
    rows, columns = game.counts
    cells = [game.payoffs[i * columns : (i + 1) * columns] for i in range(rows)]
    first = [[payoff[0] for payoff in row] for row in cells]
    second = [[row[j][1] for row in cells] for j in range(columns)]
    ours, theirs = (vertices(replies, budget) for replies in (second, first))
    corner = cache(_corner)
    for one, other in _complementary(ours, theirs, rows, columns):
        check_deadline()
        (x, second_gets), (y, first_gets) = corner(one), corner(other)
        found.append(MixedProfile((x, y), (first_gets, second_gets)))
        if not room.grows(found):
            raise limits.out_of_memory({"equilibria": len(found)})
    return sorted(found, key=lambda profile: (profile.is_pure, profile.mixtures), reverse=True)


_UNPLAYED: Final = Fraction(0)
"""One number for all of them, since what is identical is soon compared."""


def _corner(ray: Ray) -> tuple[tuple[Fraction, ...], Fraction]:
    """The mixture of a vertex, and what the other player gets by best replies."""
    *weights, bound = ray[0]
    total = sum(weights)
    return tuple(Fraction(weight, total) if weight else _UNPLAYED for weight in weights), Fraction(bound, total)


def _complementary(ours: Sequence[Ray], theirs: Sequence[Ray], rows: int, columns: int) -> Iterator[tuple[Ray, Ray]]:
    """The pairs of vertices that have all labels together."""
    every, own = (1 << rows + columns) - 1, (1 << columns) - 1
    having = rays_by_label([labels >> columns | (labels & own) << rows for _, labels in theirs], rows + columns)
    for ray in ours:
        left = intersection(having, every ^ ray[1])
        while left:
            last = left.bit_length() - 1
            yield ray, theirs[last]
            left ^= 1 << last


@frozen
class Equilibria:
    """Equilibria, the best recommended first. ``are_all``: all others are mixtures of these; otherwise there may be
    more, in mixed strategies, of which there were too many to find them all, or half of the time ``is_up``."""

    profiles: list[MixedProfile]
    are_all: bool
    is_up: bool = False


def equilibria_of(game: NormalForm, limits: Limits, is_pure: bool = False) -> Equilibria:
    """The equilibria of a game; ``is_pure``: those in pure strategies alone, as where mixed ones are too many, or
    are not found in half of the time that is left.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    is_up = False
    if len(game.counts) == 2 and not is_pure:
        try:
            with limits.half.enforce():
                return recommend(extreme_equilibria(game, limits), are_all=True)
        except TooManyVertices:
            pass
        except LimitReached as reached:
            if reached.code != "out-of-time":
                raise
            is_up = True
    return recommend(_pure_profiles(game, limits), are_all=False, is_up=is_up)


def recommend(found: Sequence[MixedProfile], are_all: bool, is_up: bool = False) -> Equilibria:
    """Equilibria, the best recommended first: pure ones, and those that no other one betters for everybody."""
    best = undominated_payoffs(profile.payoff for profile in found)
    in_order = sorted(found, key=lambda profile: (not profile.is_pure, profile.payoff not in best))
    return Equilibria(in_order, are_all, is_up)


def _pure_profiles(game: NormalForm, limits: Limits) -> list[MixedProfile]:
    room, found = limits.room(), list[MixedProfile]()
    for profile in pure_equilibria(game):
        found.append(_as_mixed(game, profile))
        if not room.grows(found):
            raise limits.out_of_memory({"equilibria": len(found)})
    return found


def _as_mixed(game: NormalForm, profile: Sequence[int]) -> MixedProfile:
    check_deadline()
    mixtures = tuple(Pure(count, played) for count, played in zip(game.counts, profile, strict=True))
    return MixedProfile(mixtures, game.payoff(tuple(profile)))


def plan_of_mixture(game: NormalForm, player: int, mixture: Sequence[Fraction], sequences: int) -> list[Fraction]:
    """The realization plan equivalent to a mixture of pure strategies (Kuhn 1953, by perfect recall)."""
    plan = [Fraction(0)] * sequences
    for strategy, weight in zip(game.strategies[player], mixture, strict=True):
        if weight:
            for sequence in strategy.sequences:
                plan[sequence] += weight
    return plan


def no_equilibrium_error(game: NormalForm, what: str, is_up: bool) -> NoTable:
    """The error of a game, or of a part of it, in whose table no equilibrium was found; ``is_up``: in half of the
    time."""
    others = (
        "half of the time was not enough to find the mixed ones"
        if is_up
        else "mixed ones are looked for in small games of two players only"
    )
    return NoTable(
        "no-solver",
        f"{what} has no equilibrium in pure strategies, and {others}",
        "--solver lemke finds one"
        if len(game.counts) == 2
        else "--solver cfr_plus iterates, and says how far from an equilibrium it is",
    )


def normal_form_equilibria(problem: Problem[State]) -> Answer:
    """Solve by the equilibria of the normal form. Needs plays that end, and a small game; raises :class:`NoTable`."""
    tree = tree_of(problem)
    game, form = normal_form(tree, problem.limits), form_of(tree, problem.limits)
    found = equilibria_of(game, problem.limits)
    if not found.profiles:
        raise no_equilibrium_error(game, "the game", found.is_up)
    first, *others = found.profiles
    notes = [
        f"{len(found.profiles)} equilibria; zermelo equilibria lists them."
        if others
        else "It is the only equilibrium."
        if found.are_all
        else "It is the only equilibrium in pure strategies."
    ]
    if others and not found.are_all:
        why = ": half of the time was not enough to find them" if found.is_up else ""
        notes.append(f"There may be more, in mixed strategies{why}.")
    plans = [
        plan_of_mixture(game, player, mixture, len(form.players[player]))
        for player, mixture in enumerate(first.mixtures)
    ]
    brought = tuple(dict.fromkeys(other.payoff for other in others if other.payoff != first.payoff))
    return Answer(
        value=first.payoff,
        counts={"nodes": tree.histories, "profiles": len(game.payoffs), "equilibria": len(found.profiles)},
        alternatives=brought if brought or found.are_all else None,
        notes=tuple(notes),
        strategies=strategies(tree, form, plans),
        is_optimum=tree.has_common_payoff,  # the best profile is an equilibrium, and comes first
    )
