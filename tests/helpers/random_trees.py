"""Random trees, for Hypothesis: ``[player, next, ...]``, ``[CHANCE, (probability, next), ...]``, or a payoff."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from hypothesis import strategies as st

from zermelo.interpreter.machine import CHANCE

PAYOFFS: Final = st.integers(-3, 3)
"""Payoffs of the first player, small, so that there are ties."""

THREE_PAYOFFS: Final = st.tuples(PAYOFFS, PAYOFFS, PAYOFFS)


def trees(
    payoffs: st.SearchStrategy[Any] = PAYOFFS, players: int = 2, most: int = 40, chance: bool = False
) -> st.SearchStrategy[Any]:
    """Trees of about ``most`` ends at most; with ``chance`` there are draws, too. A payoff alone is a tree."""

    def deeper(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(children, min_size=1, max_size=4)
        decided = st.tuples(st.integers(0, players - 1), several).map(lambda node: [node[0], *node[1]])
        weighed = st.lists(st.tuples(st.integers(1, 4), children), min_size=1, max_size=4)
        return st.one_of(decided, weighed.map(_drawn)) if chance else decided

    return st.recursive(payoffs, deeper, max_leaves=most)


def with_moves(trees: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Those that are more than a payoff, so that they can be written as files."""
    return trees.filter(lambda tree: isinstance(tree, list))


def _drawn(pairs: list[tuple[int, Any]]) -> list[Any]:
    total = sum(weight for weight, _ in pairs)
    return [CHANCE, *((Fraction(weight, total), child) for weight, child in pairs)]
