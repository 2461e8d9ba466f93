"""The analysis of a game as a table, in stages: what is quick to find first, and what has been found if time ends.

Equilibria in pure strategies take one look at every profile; those in mixed strategies, and correlated ones, may take
minutes. So a time limit ends a stage and those after it, and what earlier ones found stands: it is complete in itself.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.imperfect_information.extensive_form_correlated import best_in_extensive_form
from zermelo.solvers.normal_form.approximate_equilibria import approximate_equilibria
from zermelo.solvers.normal_form.correlated_equilibrium import Correlated, best_correlated
from zermelo.solvers.normal_form.mixed_equilibria import MixedProfile
from zermelo.solvers.normal_form.nash import Equilibria, equilibria_of, recommended
from zermelo.solvers.normal_form.normal_form import NormalForm
from zermelo.solvers.normal_form.solution_concepts import (
    Elimination,
    dominant,
    eliminate,
    is_efficient,
    maximin,
    undominated,
)

MIXED: Final = "equilibria in mixed strategies"
"""The part that may take longest."""

EFFICIENT: Final = "which equilibria are efficient"


@define(eq=False)
class TableAnalysis:
    """What is known of a ``table``: its equilibria ``found``, others that are only ``nearly`` such or were found
    numerically, and what is ``missing`` to find those; the strategies ``taken`` by elimination and those ``left``;
    whether payoffs of equilibria are ``efficient``; what every player secures; the best correlated equilibria: of the
    table, of the extensive form, and coarse ones. ``unfinished`` names the parts for which time did not suffice: they
    are empty or None, or lack what is not known."""

    table: NormalForm
    found: Equilibria
    dominant: list[int | None]
    nearly: list[MixedProfile] = field(factory=list)
    missing: str = ""
    taken: list[Elimination] = field(factory=list)
    left: tuple[tuple[int, ...], ...] = ()
    efficient: dict[Payoff, bool] = field(factory=dict)
    maximin: list[tuple[Fraction, list[Fraction]]] = field(factory=list)
    correlated: Correlated | None = None
    extensive: Correlated | None = None
    coarse: Correlated | None = None
    unfinished: list[str] = field(factory=list)

    @property
    def equilibria(self) -> list[MixedProfile]:
        """All that are known, the best recommended first."""
        return [*self.found.profiles, *self.nearly]


def analyse(tree: ExtensiveForm, table: NormalForm, limits: Limits, is_pure: bool = False) -> TableAnalysis:
    """The analysis of the table of a game; ``is_pure``: without equilibria in mixed strategies.

    Raises ``ZermeloError``: ``out-of-time`` where there is not even time for the pure equilibria, ``out-of-memory``."""
    players = range(len(table.counts))
    with limits.kept():
        pure = equilibria_of(table, limits, is_pure=True)
        known = TableAnalysis(table, pure, [dominant(table, player) for player in players])
        front = undominated(table.payoffs)

    def find_dominated() -> None:
        known.taken, known.left = eliminate(table, limits)

    def find_secured() -> None:
        known.maximin = [maximin(table, player, limits) for player in players]

    def find_mixed() -> None:
        if len(players) == 2:
            met: list[MixedProfile] = []
            try:
                known.found = equilibria_of(table, limits, met=met)
            finally:  # also of a search that time ends
                if not known.found.are_all:
                    mixed = [profile for profile in met if not profile.is_pure]
                    known.found = recommended([*known.found.profiles, *mixed], are_all=False)
        else:
            known.nearly, known.missing = _approximate(table, limits)

    def find_efficient() -> None:
        for profile in known.found.profiles:
            if profile.payoff not in known.efficient:
                known.efficient[profile.payoff] = is_efficient(profile.payoff, front, limits)

    def find_correlated() -> None:
        known.correlated = best_correlated(table, False, limits)
        known.coarse = best_correlated(table, True, limits)

    def find_extensive() -> None:
        known.extensive = _extensive(tree, known, limits)

    stages: list[tuple[str, Callable[[], None]]] = [
        ("dominated strategies", find_dominated),
        ("what the players secure", find_secured),
        (EFFICIENT, find_efficient),
        *([] if is_pure else [(MIXED, find_mixed), (EFFICIENT, find_efficient)]),
        ("correlated equilibria", find_correlated),
        ("correlated equilibria of the extensive form", find_extensive),
    ]
    for name, find in stages:
        try:
            limits.check({"nodes": 0})
            with limits.kept():
                find()
        except LimitReached as reached:
            if reached.code != "out-of-time":
                raise
            if name not in known.unfinished:
                known.unfinished.append(name)
    return known


def _extensive(tree: ExtensiveForm, known: TableAnalysis, limits: Limits) -> Correlated | None:
    """The extensive-form correlated equilibrium with the greatest welfare; None if the others are not known.

    Sound: each correlated equilibrium of the table is one, and each of these is a coarse one, as who ignores the
    mediator from the beginning deviates wherever they first decide. So where the best of both kinds have the same
    welfare, no other program is needed."""
    table, correlated, coarse = known.table, known.correlated, known.coarse
    if correlated is None or coarse is None:
        return None
    if correlated.welfare == coarse.welfare:
        return correlated
    found = best_in_extensive_form(tree, sequence_form(tree, limits), limits)
    numbers = [{strategy.sequences: k for k, strategy in enumerate(own)} for own in table.strategies]
    profiles = {
        tuple(own[told] for own, told in zip(numbers, drawn, strict=True)): chance
        for drawn, chance in found.drawn.items()
    }
    return Correlated(profiles, found.payoff)


def _approximate(table: NormalForm, limits: Limits) -> tuple[list[MixedProfile], str]:
    """Mixed equilibria of more than two players; and what to do if the library that finds them is missing or fails."""
    try:
        return approximate_equilibria(table, limits), ""
    except LimitReached:
        raise
    except ZermeloError as error:
        return [], f"mixed ones need {error.help}: {error.message}"
