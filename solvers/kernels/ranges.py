"""How large the numbers are with which kernels reckon, as data beside their texts.

A program gives payoffs and earnings of at most :data:`PAYOFF` over its denominator, and estimates of at most
:data:`ESTIMATE` over theirs; whatever is more is a fault (``overflow``), at which a kernel stops. What a kernel makes
of these must not leave 64 bits unnoticed. So each either tests what it makes, or says here how far the *values* may go
that it is given, in either direction and in the parts in which it reckons: bounds, windows, questions, and whatever
these parts make of payoffs and estimates. Where they go further the algorithm in Python does the work, whose numbers
are fractions of any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PAYOFF: Final = 1 << 61
ESTIMATE: Final = 1 << 30

FRACTION: Final = (1 << 61) - 1
"""The greatest number in a fraction, above and below."""

INFINITE: Final = 1 << 62
"""What stands for no bound at all, above every value."""

MOST: Final[Mapping[str, int]] = {
    # values are compared, and nothing else is done with them
    "minimax": PAYOFF,
    "alphabeta": PAYOFF,
    # the least payoff of a question may be the next whole number
    "dfpn": PAYOFF,
    # a table entry is a value less what has been earned, windows are one wider, and all that stays below INFINITE
    "window": 1 << 60,
    # every product and sum is tested (kernels/fractions.py)
    "fractions": FRACTION,
    # what is summed are differences of values, of which SUMS bounds the sum
    "monte_carlo_tree_search": PAYOFF,
}
"""The greatest values of each kernel; ``fractions`` are those that reckon in them."""

SUMS: Final = 1 << 53
"""The greatest sum of what simulations bring: a floating-point number, too, and an exact one."""
