"""Regret matching: what a player does in an information set, given the regrets for its moves.

Source: Hart and Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium" (2000).
"""

from __future__ import annotations


def match(leaning: list[float], strategy: list[float], first: int, end: int) -> None:
    """Regret matching in an information set: probabilities proportional to the positive parts of ``leaning``, uniform
    if there are none."""
    total: float = 0.0
    for s in range(first, end):
        weight: float = max(0.0, leaning[s])
        strategy[s] = weight
        total += weight
    if total > 0.0:
        for s in range(first, end):
            strategy[s] = strategy[s] / total
    else:
        for s in range(first, end):
            strategy[s] = 1.0 / float(end - first)
