"""Games from tables, and the equilibria of a game in arrays, as realization plans."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm, sequence_form
from zermelo.solvers.imperfect_information.sequential_equilibrium import Setting
from zermelo.solvers.normal_form.nash import equilibria_of, plan_of_mixture
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy, normal_form


def table(rows: Sequence[Sequence[tuple[Rational | int, ...]]]) -> NormalForm:
    """A game of two players from its table."""
    counts = len(rows), len(rows[0])
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in counts)
    return NormalForm(("A", "B"), names, [tuple(map(Fraction, cell)) for row in rows for cell in row])


def equilibria_with_plans(
    tree: ExtensiveForm, is_pure: bool = False
) -> tuple[Setting, dict[tuple[str, ...], list[list[Fraction]]]]:
    """The setting of a game, and the plans of its equilibria by what the players do, ``or`` between the strategies that
    they mix; ``is_pure``: of those in pure strategies, and so with more than two players."""
    form, table = sequence_form(tree, Limits()), normal_form(tree, Limits())
    found = equilibria_of(table, Limits(), is_pure=len(form.players) > 2 or is_pure).profiles
    return Setting(tree, form), {
        tuple(
            " or ".join(own.name for own, weight in zip(strategies, mixture, strict=True) if weight)
            for strategies, mixture in zip(table.strategies, profile.mixtures, strict=True)
        ): [plan_of_mixture(table, p, mixture, len(form.players[p])) for p, mixture in enumerate(profile.mixtures)]
        for profile in found
    }
