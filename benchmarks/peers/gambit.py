"""Gambit (Savani and Turocy 2025): its enumeration of extreme equilibria in fractions, by its package pygambit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks.measure import import_peer
from zermelo.solvers.normal_form.normal_form import NormalForm

NAME = "Gambit"


def game_of(table: NormalForm) -> Any:
    """A table as its game. Raises :class:`~benchmarks.measure.Unavailable`."""
    gambit = import_peer("pygambit", "pygambit")
    payoffs = zip(*table.payoffs, strict=True)
    return gambit.StrategicGame.from_arrays(*(np.array(own, dtype=object).reshape(table.counts) for own in payoffs))


def enumeration(game: Any) -> Callable[[], int]:
    """A function that enumerates the extreme equilibria of a game of two players, and returns 1."""
    search = import_peer("pygambit", "pygambit").nash.enummixed_solve

    def enumerate_all() -> int:
        search(game, rational=True)
        return 1

    return enumerate_all


def extreme_equilibria(game: Any) -> set[tuple[tuple[Fraction, ...], ...]]:
    """The extreme equilibria of a game of two players, each once: with ties, Gambit finds some of them repeatedly."""
    profiles = import_peer("pygambit", "pygambit").nash.enummixed_solve(game, rational=True).equilibria
    return {
        tuple(tuple(Fraction(str(weight)) for _, weight in profile[player]) for player in game.players)
        for profile in profiles
    }
