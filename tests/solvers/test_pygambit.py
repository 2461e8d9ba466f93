"""Equilibria of tables, beside Gambit's where it is installed: exact mixed ones of two players, pure ones of three."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.nash import extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy
from zermelo.solvers.normal_form.solution_concepts import pure_equilibria


def random_table(random, counts, most):
    """A game with small payoffs, which are often equal; ``most`` is the greatest."""
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in counts)
    profiles = product(*map(range, counts))
    payoffs = [tuple(Fraction(random.randint(-most, most), 2) for _ in counts) for _ in profiles]
    return NormalForm(tuple("ABC"[: len(counts)]), names, payoffs)


def gambit_game(gambit, table):
    np = pytest.importorskip("numpy")
    columns = zip(*table.payoffs, strict=True)
    arrays = (np.array(column, dtype=object).reshape(table.counts) for column in columns)
    return gambit.StrategicGame.from_arrays(*arrays)


def mixtures(game, found):
    """The profiles that Gambit has found, as tuples of fractions."""
    return {
        tuple(tuple(Fraction(str(chance)) for _, chance in profile[player]) for player in game.players)
        for profile in found.equilibria
    }


@pytest.mark.parametrize("most", [1, 2, 20])
@pytest.mark.parametrize("counts", [(2, 2), (2, 3), (3, 3), (4, 3), (4, 4)])
def test_extreme_equilibria_are_gambits(counts, most):
    """Small payoffs make many ties, and games with infinitely many equilibria."""
    gambit = pytest.importorskip("pygambit")
    random = Random(f"{counts} {most}")
    for _ in range(20):
        table = random_table(random, counts, most)
        game = gambit_game(gambit, table)
        found = gambit.nash.enummixed_solve(game, rational=True)
        ours = [profile.mixtures for profile in extreme_equilibria(table, Limits())]
        assert len(set(ours)) == len(ours)
        assert set(ours) == mixtures(game, found)


@pytest.mark.parametrize("counts", [(2, 2, 2), (3, 2, 4), (3, 3, 3)])
def test_pure_equilibria_are_gambits(counts):
    gambit = pytest.importorskip("pygambit")
    random = Random(str(counts))
    for _ in range(30):
        table = random_table(random, counts, 2)
        game = gambit_game(gambit, table)
        found = mixtures(game, gambit.nash.enumpure_solve(game))
        assert {tuple(mixture.index(1) for mixture in profile) for profile in found} == set(pure_equilibria(table))
