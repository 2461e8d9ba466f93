"""The ranges of the numbers with which kernels compute.

A program gives payoffs and earnings of at most :data:`PAYOFF` over its denominator, and estimates of at most
:data:`ESTIMATE` over theirs; larger ones are a fault (``overflow``), at which a kernel stops. No further computation
may overflow 64 bits unnoticed. So each kernel either checks its results, or states here the bound on the absolute
*values* that it is given, on its own scale: bounds, windows, questions, and rescaled payoffs and estimates. Larger
ones fall back to the exact backend, whose numbers are of any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAYOFF: Final = 1 << 61
ESTIMATE: Final = 1 << 30

FRACTION: Final = (1 << 61) - 1
"""The greatest numerator and denominator of a fraction."""

INFINITE: Final = 1 << 62
"""No bound: above every value."""

MOST: Final[Mapping[str, int]] = {
    # values are only compared
    "minimax": PAYOFF,
    "alphabeta": PAYOFF,
    # the least payoff of a question may be the next whole number
    "dfpn": PAYOFF,
    # a table entry is a value minus earnings, windows are one wider, and all stays below INFINITE
    "window": 1 << 60,
    # every product and sum is checked (kernels/fractions.py)
    "fractions": FRACTION,
    # sums are of differences of values, and bounded by SUMS
    "monte_carlo_tree_search": PAYOFF,
}
"""The greatest values of each kernel; ``fractions`` are for those that compute with them."""

SUMS: Final = 1 << 53
"""The greatest sum of simulated payoffs, exact as a floating-point number, too."""
