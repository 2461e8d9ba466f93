"""Counterfactual regret minimization: players who play a game against each other again and again, and regret.

What it does. In every information set a player keeps account of how much better each move would have done, so far,
than what he did there: its *regret*. The values that he compares are *counterfactual*: what would have come out had
he himself played to reach the set, the others and chance doing their part with the probabilities they have. He then
chooses every move with a probability in proportion to its regret where that is positive (*regret matching*). If
everybody does so, the regrets grow no faster than the square root of the number of iterations, and in a game of two
players and constant sum the averages of their plans come as near as one likes to an equilibrium.

An iteration never walks through the histories. On the sequence form (:mod:`zermelo.solvers.forms.sequence_form`), for
one player after the other: what each of his sequences brings at leaves, from the plans of the others; then, from the
bottom up, the values of his sets, and the regrets; then, from the top down, the weights of his new plan, which the next
player faces already (*alternating updates*). That takes one look at every leaf and three at every sequence. A plan's
weights are averaged themselves, since an average of realization plans is the plan of the averaged play.

The variants differ in how they forget (:class:`Variant`):

==================  =================================================================================================
CFR                 forgets nothing; Zinkevich, Johanson, Bowling and Piccione (2007)
CFR+                drops what is negative, averages linearly; Tammelin (2014)
linear CFR          weighs everything of iteration t by t; Brown and Sandholm (2019)
discounted CFR      weighs what is positive by t ^ 3/2, and the average by t ^ 2; Brown and Sandholm (2019)
predictive CFR+     CFR+ that counts on the last regret to come again; Farina, Kroer and Sandholm (2021)
==================  =================================================================================================

*More players, other payoffs.* The algorithm runs, and nobody regrets much in the long run: the plays of all iterations
taken together approach a coarse correlated equilibrium. The averaged plans by themselves need not be near to any
equilibrium.

This is the version to read; :mod:`zermelo.solvers.native.counterfactual_regret` does the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Final

from attrs import define, field, frozen

from zermelo.solvers.common.checkpoint import pack, put, unpack
from zermelo.solvers.forms.sequence_form import SequenceForm
from zermelo.solvers.regret.regret_matching import follow, match, response_gains, sequence_values

KEEP: Final = -1
DROP: Final = -2
"""Instead of an exponent: regrets keep their whole weight, or have none."""


@frozen
class Variant:
    """After iteration t, positive regrets are multiplied by t ^ a / (t ^ a + 1), negative ones likewise with b; the
    plan of iteration t has the weight t ^ c in the average. ``positive``, ``negative`` and ``average`` are a, b and
    c, in halves. One that ``predicts`` chooses as if the regret of the last iteration came again."""

    title: str
    positive: int
    negative: int
    average: int
    predicts: bool = False


VARIANTS: Final[Mapping[str, Variant]] = {
    "cfr": Variant("CFR", KEEP, KEEP, 0),
    "cfr_plus": Variant("CFR+", KEEP, DROP, 2),
    "linear_cfr": Variant("linear CFR", 2, 2, 2),
    "discounted_cfr": Variant("discounted CFR", 3, 0, 4),
    "predictive_cfr_plus": Variant("predictive CFR+", KEEP, DROP, 4, predicts=True),
}


def power(t: int, halves: int) -> float:
    """t to the power of so many halves."""
    result = 1.0
    for _ in range(halves // 2):
        result *= float(t)
    return result * sqrt(float(t)) if halves % 2 else result


def share_kept(t: int, halves: int) -> float:
    """What is left of regrets after iteration t."""
    if halves < 0:
        return 1.0 if halves == KEEP else 0.0
    return power(t, halves) / (power(t, halves) + 1.0)


@define(eq=False)
class CounterfactualRegret:
    """The algorithm between two iterations. For each player and each of his sequences: ``regrets``; ``strategies``, the
    probability of the sequence's last move, and ``plans``, its realization weight; ``sums`` of the weights of all
    plans so far, each times the weight of its iteration. ``is_at_work`` in the middle of an iteration."""

    form: SequenceForm
    variant: Variant
    iterations: int = 0
    is_at_work: bool = False
    regrets: list[list[float]] = field(init=False)
    strategies: list[list[float]] = field(init=False)
    plans: list[list[float]] = field(init=False)
    sums: list[list[float]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        lengths = [len(sequences) for sequences in self.form.players]
        self.regrets = [[0.0] * length for length in lengths]
        self.sums = [[0.0] * length for length in lengths]
        self.strategies = [[1.0] * length for length in lengths]
        self.plans = [[1.0] * length for length in lengths]
        for sequences, *columns in zip(self.form.players, self.regrets, self.strategies, self.plans, strict=True):
            regrets, strategy, plan = columns
            for i in range(len(sequences.parents)):
                match(sequences, i, regrets, strategy)
            follow(sequences, strategy, plan)

    def iterate(self, count: int = 1) -> None:
        """So many iterations; in each, every player once."""
        for _ in range(count):
            self.is_at_work = True
            self.iterations += 1
            for player in range(len(self.form.players)):
                self.update(player)
            self.is_at_work = False

    def update(self, player: int) -> None:
        """Change a player's strategy by what he regrets."""
        sequences, strategy, regrets = self.form.players[player], self.strategies[player], self.regrets[player]
        values = sequence_values(self.form, player, self.plans)
        if_positive = share_kept(self.iterations, self.variant.positive)
        if_negative = share_kept(self.iterations, self.variant.negative)
        leaning = list(regrets)
        for i in reversed(range(len(sequences.parents))):
            moves = range(sequences.firsts[i], sequences.firsts[i + 1])
            expected = 0.0
            for s in moves:
                expected += strategy[s] * values[s]
            values[sequences.parents[i]] += expected
            for s in moves:
                regret = values[s] - expected
                total = regrets[s] + regret
                regrets[s] = total * (if_positive if total > 0.0 else if_negative)
                leaning[s] = regrets[s] + regret if self.variant.predicts else regrets[s]
            match(sequences, i, leaning, strategy)
        weight = power(self.iterations, self.variant.average)
        for s, realized in enumerate(self.plans[player]):
            self.sums[player][s] += weight * realized
        follow(sequences, strategy, self.plans[player])

    def averages(self) -> list[list[float]]:
        """The average plan of each player."""
        return [[weight / sums[0] if sums[0] > 0.0 else weight for weight in sums] for sums in self.sums]

    def gains(self) -> list[float]:
        """What a best response to the average plans brings each player more than his own."""
        return response_gains(self.form, self.averages())

    def save(self) -> bytes | None:
        """All that the next iterations depend on; None in the middle of one."""
        if self.is_at_work:
            return None
        columns = (self.regrets, self.strategies, self.plans, self.sums)
        return pack([self.iterations], [[weight for weights in column for weight in weights] for column in columns])

    def load(self, saved: bytes) -> None:
        """Go on from what was saved."""
        columns = (self.regrets, self.strategies, self.plans, self.sums)
        (self.iterations,), numbers = unpack(saved, 1, len(columns))
        for column, flat in zip(columns, numbers, strict=True):
            put(column, flat)
