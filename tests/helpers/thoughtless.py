"""A player without thought: all moves are equally likely."""

from __future__ import annotations

from fractions import Fraction

from zermelo.solvers.forms.extensive_form import Sequences


def uniform(player: Sequences) -> list[Fraction]:
    """Their strategy: the probability of the move that ends each sequence, 1 for the empty one."""
    strategy = [Fraction(1)] * len(player)
    for first, end in zip(player.firsts, player.firsts[1:], strict=False):
        strategy[first:end] = [Fraction(1, end - first)] * (end - first)
    return strategy
