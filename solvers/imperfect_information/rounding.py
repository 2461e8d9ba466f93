"""From floating point to strategies.

Weights found in floating point do not sum exactly as a plan must. Rounded to probabilities with a power of two as
denominator they are a strategy, whose guarantee can be computed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zermelo.solvers.forms.sampled_strategy import rounded_shares
from zermelo.solvers.forms.sequence_form import Sequences


def rounded_strategy(sequences: Sequences, weights: Sequence[float]) -> list[Fraction]:
    """The behaviour strategy whose probabilities in every information set are nearly proportional to the ``weights`` of
    its sequences; uniform if all weights are 0."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        strategy[first:end] = rounded_shares(weights[first:end])
    return strategy
