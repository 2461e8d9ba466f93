"""The Nash equilibria of a small game of any number of players and any payoffs, by its normal form.

For two players all extreme equilibria are found, mixed ones included
(:mod:`zermelo.solvers.normal_form.mixed_equilibria`); for more players, or larger tables, all in pure strategies. The
value is the payoff of the first of them, pure ones before others, and then those that no other one betters for
everybody. The payoffs of the others are reported, too, since players who expect different equilibria may play none.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.sequence_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import strategies
from zermelo.solvers.normal_form.mixed_equilibria import MixedProfile, Pure, extreme_equilibria, is_enumerable
from zermelo.solvers.normal_form.normal_form import NormalForm, NoTable, normal_form
from zermelo.solvers.normal_form.solution_concepts import pure_equilibria, undominated
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tree_building.building import tree_of


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
    return recommended(extreme_equilibria(game, limits, met) if are_all else _pure(game, limits), are_all)


def recommended(found: Sequence[MixedProfile], are_all: bool) -> Equilibria:
    """Equilibria, the best recommended first: pure ones, and those that no other one betters for everybody."""
    best = undominated(profile.payoff for profile in found)
    return Equilibria(sorted(found, key=lambda profile: (not profile.is_pure, profile.payoff not in best)), are_all)


def _pure(game: NormalForm, limits: Limits) -> list[MixedProfile]:
    room, found = limits.room(), list[MixedProfile]()
    for profile in pure_equilibria(game):
        found.append(_as_mixed(game, profile))
        if not room.grows(found):
            raise limits.out_of_memory({"equilibria": len(found)})
    return found


def _as_mixed(game: NormalForm, profile: Sequence[int]) -> MixedProfile:
    look()
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


def none_found(game: NormalForm, what: str) -> NoTable:
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
        raise none_found(game, "the game")
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
        best=(),
        line=(),
        counts={"nodes": tree.histories, "profiles": len(game.payoffs), "equilibria": len(found.profiles)},
        alternatives=brought if brought or found.are_all else None,
        notes=tuple(notes),
        strategies=strategies(tree, form, plans),
        is_optimum=tree.has_common_payoff,  # the best profile is an equilibrium, and comes first
    )
