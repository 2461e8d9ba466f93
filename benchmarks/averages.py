"""Averages over clairvoyance, in seconds a move: a hundred deals of two-handed whist, each solved with open cards.

There is no peer: other programs that solve such deals are written for the cards of bridge. The time is that of the
whole choice of the first lead, from drawing the deals to the means, in the slowest of a few hands; code is cached.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import zermelo
from benchmarks.measure import best_of_fixed
from benchmarks.report import Delay
from zermelo.decisions import CLAIRVOYANT_DEALS, MOVES, average_deals
from zermelo.solvers.common.limits import Limits, ignore_progress

_HANDS: Final = 3
_LIMITS: Final = {4: 1, 8: 10}
"""The seconds that a move may take, by the cards in a hand."""


def hands() -> list[Delay]:
    """A row for each size of a hand."""
    return [
        Delay(task=f"whist, {each} cards each, {CLAIRVOYANT_DEALS} deals", ours=slowest(each), limit=limit)
        for each, limit in _LIMITS.items()
    ]


def slowest(each: int) -> float:
    """The seconds for the first lead from the slowest of a few hands of so many cards."""
    return max(best_of_fixed(partial(lead, each, seed)).seconds for seed in range(_HANDS))


def lead(each: int, seed: int) -> int:
    """The choice of the first lead from hands dealt by a seed, which returns the number of deals."""
    dealt = zermelo.load("four_card_whist", each=each).initial
    state = dealt.after(dealt.sample(Random(seed)))
    found = average_deals(state, "pimc", CLAIRVOYANT_DEALS, MOVES, seed, Limits(), ignore_progress)
    return found.deals.count if found.deals else 0
