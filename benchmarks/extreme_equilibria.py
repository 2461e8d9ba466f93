"""All extreme equilibria of tables of two players, in fractions, beside Gambit's enumeration."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from benchmarks.measure import Measurement, Unavailable, best_of_fixed
from benchmarks.peers import gambit
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy

SIZES: Final = ((3, 3), (4, 4), (6, 6), (8, 8), (9, 9))
_MOST: Final = (100, 2)
"""The greatest payoff: of tables that mostly have no ties, and of those that have many."""


def tables() -> list[Row]:
    """Ten random tables, half of them with many ties."""
    return [_row(rows, columns, most) for rows, columns in SIZES for most in _MOST]


def random_table(rows: int, columns: int, most: int) -> NormalForm:
    """A table of whole numbers from 0 to ``most``, always the same one."""
    random = Random(f"{rows} {columns} {most}")
    payoffs: list[Payoff] = [tuple(Fraction(random.randint(0, most)) for _ in (0, 1)) for _ in range(rows * columns)]
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in (rows, columns))
    return NormalForm(("Row", "Column"), names, payoffs)


def _row(rows: int, columns: int, most: int) -> Row:
    table = random_table(rows, columns, most)
    found = {profile.mixtures for profile in extreme_equilibria(table, Limits())}

    def enumerate_ours() -> int:
        extreme_equilibria(table, Limits())
        return 1

    def enumerate_theirs() -> Measurement:
        game = gambit.game_of(table)
        if gambit.extreme_equilibria(game) != found:
            raise Unavailable("other equilibria")
        return best_of_fixed(gambit.enumeration(game))

    return Row(
        task=f"extreme equilibria, {rows} x {columns}, payoffs 0 to {most}",
        unit="tables/s",
        ours=best_of_fixed(enumerate_ours),
        peer=gambit.NAME,
        theirs=measurement_or_reason(enumerate_theirs),
        target=1,
        note=f"{len(found)} equilibria",
    )
