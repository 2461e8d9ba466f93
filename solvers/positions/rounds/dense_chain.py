"""A Markov chain in doubles, evaluated again and again for other amounts: elimination without subtraction.

The same elimination of positions as in :mod:`zermelo.solvers.positions.circles.policy_evaluation`, where its idea and
its precision are explained (Grassmann, Taksar and Heyman 1985), but of whole arrays: what is eliminated is kept, so
that other amounts cost a pass over it.

Cost: n^3 operations of NumPy for n positions, and n^2 for each evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.grammar.deadline import look
from zermelo.solvers.common.libraries import imported


class DenseChain:
    """The chain that goes from position i to j with the probability ``shares[i][j]``, and leaves with
    ``leaving[i]``."""

    def __init__(self, shares: Sequence[dict[int, float]], leaving: Sequence[float]) -> None:
        """Raises ``ZermeloError`` (``broken-installation``)."""
        self._numpy = imported("numpy", "games in which players choose at once and plays go round")
        size = len(shares)
        matrix = self._numpy.zeros((size, size + 1))
        for i, row in enumerate(shares):
            for j, share in row.items():
                matrix[i, j] = share
            matrix[i, size] = leaving[i]
        left = self._numpy.zeros(size)
        for k in range(size - 1, -1, -1):
            look()
            left[k] = matrix[k, :k].sum() + matrix[k, size]
            if left[k]:
                matrix[k, :k] /= left[k]
                matrix[k, size] /= left[k]
                matrix[:k, :k] += self._numpy.outer(matrix[:k, k], matrix[k, :k])
                matrix[:k, size] += matrix[:k, k] * matrix[k, size]
        self._matrix: Any = matrix
        self._left: Any = left

    def brought(self, amounts: Sequence[float]) -> list[float]:
        """What the chain brings until it leaves, from each position, if each brings so much; 0 if it never leaves."""
        found = self._numpy.array(amounts, dtype=float)
        matrix, left = self._matrix, self._left
        for k in range(len(found) - 1, -1, -1):
            found[k] = found[k] / left[k] if left[k] else 0.0
            found[:k] += matrix[:k, k] * found[k]
        for k in range(len(found)):
            if left[k]:
                found[k] += matrix[k, :k] @ found[:k]
        return [float(amount) for amount in found]
