"""From floating point to strategies.

Weights that were found in floating point are no plan of play: they sum to what they should but for the last bits.
Rounded to probabilities in whole parts of a power of two they are a strategy, and what it secures can be reckoned
exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from zermelo.solvers.forms.sequence_form import Sequences

_PARTS: Final = 1 << 40
"""Into how many parts a probability of 1 is divided."""


def rounded_strategy(sequences: Sequences, weights: Sequence[float]) -> list[Fraction]:
    """The behaviour strategy in which the moves of every information set have probabilities in proportion to the
    ``weights`` of its sequences, nearly; moves are alike where all weights are 0."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        total = sum(weights[first:end])
        shares = [weight / total if total > 0 else 1 / (end - first) for weight in weights[first:end]]
        parts = [round(share * _PARTS) for share in shares]
        parts[parts.index(max(parts))] += _PARTS - sum(parts)
        strategy[first:end] = (Fraction(count, _PARTS) for count in parts)
    return strategy
