"""The Nash equilibria of a small game of any number of players and any payoffs, by its normal form.

For two players all extreme equilibria are found, mixed ones included; for more players, or larger tables, all in pure
strategies. The value is the payoff of the first of them: pure ones come before others, and then those that no other one
betters for everybody. The other payoffs are reported, too, since players who expect different equilibria may play none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, zip_longest
from math import comb
from typing import overload

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import MemoryQuota
from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
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
# games" (2010). Vertices are found by trying every choice of tight inequalities. For m and n strategies the cost is (m
# + n) over m systems of m equations, which suits small games.


MOST_SYSTEMS = 50_000

Corner = tuple[tuple[Fraction, ...], frozenset[int], frozenset[int]]
"""A vertex: the mixture, the strategies that it does not play, and the best replies to it."""


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


def is_enumerable(game: NormalForm) -> bool:
    """Whether there are two players with few enough strategies to find all equilibria."""
    return len(game.counts) == 2 and comb(sum(game.counts), game.counts[0]) <= MOST_SYSTEMS


def extreme_equilibria(game: NormalForm, limits: Limits, found: list[MixedProfile] | None = None) -> list[MixedProfile]:
    """All extreme equilibria of a game of two players, pure ones first; each is entered in ``found`` as it comes.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    found = [] if found is None else found
    budget = limits.budget()
    room = MemoryQuota(budget)
    rows, columns = game.counts
    first = [[game.payoff((i, j))[0] for i in range(rows)] for j in range(columns)]
    second = [[game.payoff((i, j))[1] for j in range(columns)] for i in range(rows)]
    corners = (
        _corners([list(column) for column in zip(*second, strict=True)], MemoryQuota(budget), limits),
        _corners([list(row) for row in zip(*first, strict=True)], MemoryQuota(budget), limits),
    )
    met: tuple[list[Corner], list[Corner]] = [], []
    for pair in zip_longest(*corners):  # in turn, so that what has been found early can be said early
        for side, corner in enumerate(pair):
            if corner is None:
                continue
            check_deadline()
            met[side].append(corner)
            for other in met[1 - side]:
                (x, x_unplayed, x_best), (y, y_unplayed, y_best) = (corner, other) if side == 0 else (other, corner)
                if len(x_unplayed | y_best) == rows and len(y_unplayed | x_best) == columns:
                    found.append(_profile(game, x, y))
                    if not room.grows(found):
                        raise limits.out_of_memory({"equilibria": len(found)})
    return sorted(found, key=lambda profile: (not profile.is_pure, [[-w for w in mix] for mix in profile.mixtures]))


def _profile(game: NormalForm, x: tuple[Fraction, ...], y: tuple[Fraction, ...]) -> MixedProfile:
    played = [(i, j, u * w) for i, u in enumerate(x) if u for j, w in enumerate(y) if w]
    return MixedProfile(
        (x, y),
        tuple(sum((weight * game.payoff((i, j))[player] for i, j, weight in played), Fraction(0)) for player in (0, 1)),
    )


def _corners(replies: Sequence[Sequence[Fraction]], room: MemoryQuota, limits: Limits) -> Iterator[Corner]:
    """The vertices of the polyhedron of a player's mixtures x, each with the strategies that x does not play and the
    best replies to it. ``replies[j][i]`` is the other player's payoff by reply j to strategy i."""
    own = len(replies[0])
    corners: dict[tuple[Fraction, ...], Corner] = {}
    for tight in combinations(range(own + len(replies)), own):
        check_deadline()
        unplayed = [k for k in tight if k < own]
        best = [k - own for k in tight if k >= own]
        if not best:
            continue
        x = _mixture(replies, unplayed, best, own)
        if x is None or min(x) < 0 or x in corners:
            continue
        values = [
            sum((weight * entry for weight, entry in zip(x, reply, strict=True)), Fraction(0)) for reply in replies
        ]
        top = max(values)
        if values[best[0]] == top:
            corners[x] = (
                x,
                frozenset(i for i, weight in enumerate(x) if not weight),
                frozenset(j for j, value in enumerate(values) if value == top),
            )
            if not room.grows(corners):
                raise limits.out_of_memory({"corners": len(corners)})
            yield corners[x]


def _mixture(
    replies: Sequence[Sequence[Fraction]], unplayed: list[int], best: list[int], own: int
) -> tuple[Fraction, ...] | None:
    """The mixture without these strategies against which these replies have equal payoffs; None unless there is exactly
    one."""
    played = [i for i in range(own) if i not in unplayed]
    system = [[Fraction(1)] * len(played) + [Fraction(1)]]
    for reply in best[1:]:
        system.append([replies[reply][i] - replies[best[0]][i] for i in played] + [Fraction(0)])
    weights = _solve_equations(system)
    if weights is None:
        return None
    x = [Fraction(0)] * own
    for i, weight in zip(played, weights, strict=True):
        x[i] = weight
    return tuple(x)


def _solve_equations(system: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of a square system of equations, the right side in the last column; None if it is singular."""
    size = len(system)
    if size != len(system[0]) - 1:
        return None
    for k in range(size):
        pivot = next((i for i in range(k, size) if system[i][k]), None)
        if pivot is None:
            return None
        system[k], system[pivot] = system[pivot], system[k]
        head = system[k][k]
        system[k] = [entry / head for entry in system[k]]
        for i in range(size):
            factor = system[i][k]
            if i != k and factor:
                system[i] = [a - factor * b for a, b in zip(system[i], system[k], strict=True)]
    return [row[-1] for row in system]


@frozen
class Equilibria:
    """Equilibria, the best recommended first. ``are_all``: all others are mixtures of these; otherwise there may be
    more, in mixed strategies."""

    profiles: list[MixedProfile]
    are_all: bool


def equilibria_of(
    game: NormalForm, limits: Limits, is_pure: bool = False, met: list[MixedProfile] | None = None
) -> Equilibria:
    """The equilibria of a game; ``is_pure``: those in pure strategies alone. Mixed ones are entered in ``met``, with
    others, as they come.

    Raises ``ZermeloError`` (``out-of-memory``)."""
    are_all = is_enumerable(game) and not is_pure
    return recommend(extreme_equilibria(game, limits, met) if are_all else _pure_profiles(game, limits), are_all)


def recommend(found: Sequence[MixedProfile], are_all: bool) -> Equilibria:
    """Equilibria, the best recommended first: pure ones, and those that no other one betters for everybody."""
    best = undominated_payoffs(profile.payoff for profile in found)
    return Equilibria(sorted(found, key=lambda profile: (not profile.is_pure, profile.payoff not in best)), are_all)


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


def no_equilibrium_error(game: NormalForm, what: str) -> NoTable:
    """The error of a game, or of a part of it, in whose table no equilibrium was found."""
    return NoTable(
        "no-solver",
        f"{what} has no equilibrium in pure strategies, and mixed ones are looked for in small games of two players "
        "only",
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
        raise no_equilibrium_error(game, "the game")
    first, *others = found.profiles
    notes = [
        f"{len(found.profiles)} equilibria; zermelo equilibria lists them."
        if others
        else "It is the only equilibrium."
        if found.are_all
        else "It is the only equilibrium in pure strategies."
    ]
    if others and not found.are_all:
        notes.append("There may be more, in mixed strategies.")
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
