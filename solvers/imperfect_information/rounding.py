"""From floating point to strategies.

Weights found in floating point do not sum exactly as a plan must. Rounded to probabilities with a power of two as
denominator they are a strategy, whose guarantee can be computed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from zermelo.solvers.forms.sequence_form import Sequences

_PARTS: Final = 1 << 40
"""The denominator of probabilities."""


def rounded_strategy(sequences: Sequences, weights: Sequence[float]) -> list[Fraction]:
    """The behaviour strategy whose probabilities in every information set are nearly proportional to the ``weights`` of
    its sequences; uniform if all weights are 0."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        total = sum(weights[first:end])
        shares = [weight / total if total > 0 else 1 / (end - first) for weight in weights[first:end]]
        parts = [round(share * _PARTS) for share in shares]
        parts[parts.index(max(parts))] += _PARTS - sum(parts)
        strategy[first:end] = (Fraction(count, _PARTS) for count in parts)
    return strategy
