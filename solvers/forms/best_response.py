"""Best responses: the most that one player can get against fixed plans of all others.

With the plans of the others fixed, his payoff is linear in his own sequences. Each leaf brings its sequence the payoff
times the others' weights; from the last information sets up, every set then brings the sequence that leads to it what
its best sequence is worth. One pass over the leaves and one over his sets.

Everything is counted in whole numbers over one denominator, so the answer is exact, and what a strategy can lose at
most, its exploitability, is a proved figure.

Source: von Stengel (1996), section 3; Johanson and others, "Accelerating best response calculation" (2011), for what it
is used for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from attrs import frozen

from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.forms.sequence_form import Plan, SequenceForm, Sequences


def gradient(form: SequenceForm, player: int, plans: Sequence[Plan]) -> tuple[list[int], int]:
    """What each sequence of ``player`` brings him at the leaves that it leads to, while the others follow their plans:
    numerators over one denominator. His own entry of ``plans`` is not looked at."""
    reached: list[int] | None = None
    denominator = form.denominator
    for other, plan in enumerate(plans):
        if other == player:
            continue
        weights, scale = over_one_denominator(plan)
        denominator *= scale
        at = form.leaves[other]
        if reached is None:
            reached = [weights[sequence] for sequence in at]
        else:
            reached = [known * weights[sequence] for known, sequence in zip(reached, at, strict=True)]
    totals = [0] * len(form.players[player])
    payoffs = form.payoffs[player]
    for leaf, sequence in enumerate(form.leaves[player]):
        weight = 1 if reached is None else reached[leaf]
        if weight:
            totals[sequence] += weight * payoffs[leaf]
    return totals, denominator


def check_memory(form: SequenceForm, plans: Sequence[Plan], limits: Limits) -> None:
    """Raise ``ZermeloError`` (``out-of-memory``) where a best response to these plans would take more than the limit
    leaves: for each leaf how likely the others lead there, and for each sequence what it brings."""
    digits = form.denominator.bit_length() + sum(lcm(*{w.denominator for w in plan}).bit_length() for plan in plans)
    numbers = len(form.leaves[0]) + 2 * sum(map(len, form.players))
    limits.require(numbers * (OBJECT_BYTES + digits // 8), f"best responses over {len(form.leaves[0]):,} leaves")


def best_response(form: SequenceForm, player: int, plans: Sequence[Plan]) -> tuple[Fraction, list[Fraction]]:
    """The most that ``player`` can get while the others follow ``plans``, and a plan that gets it, which makes one move
    in each information set: the first of the best."""
    values, denominator = gradient(form, player, plans)
    own = form.players[player]
    chosen = [0] * len(own.parents)
    for i in reversed(range(len(own.parents))):
        options = range(own.firsts[i], own.firsts[i + 1])
        chosen[i] = max(options, key=values.__getitem__)
        values[own.parents[i]] += values[chosen[i]]
    plan = [Fraction(0)] * len(own)
    plan[0] = Fraction(1)
    for i, parent in enumerate(own.parents):
        plan[chosen[i]] = plan[parent]
    return Fraction(values[0], denominator), plan


def follow_best(own: Sequences, values: list[int]) -> None:
    """Add to what each sequence brings, in place, what the best sequences behind it do."""
    for i in reversed(range(len(own.parents))):
        values[own.parents[i]] += max(values[own.firsts[i] : own.firsts[i + 1]])


@frozen
class Assessment:
    """What each player gets: ``expected``, when all follow their plans, and at ``best``, when all others do."""

    expected: tuple[Fraction, ...]
    best: tuple[Fraction, ...]

    @property
    def exploitability(self) -> Fraction:
        """What the players could gain on average if each answered the others' plans best, in units of payoff: 0 in an
        equilibrium and nowhere else. For two players and constant sum, the value of the game is no further than twice
        that from what the plans bring."""
        return (sum(self.best, Fraction(0)) - sum(self.expected, Fraction(0))) / len(self.best)

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """For two players and constant sum: what the first one is sure to get by his plan, and to get no more than by
        the second player's. The value of the game lies between the two."""
        return sum(self.expected, Fraction(0)) - self.best[1], self.best[0]


def assess(form: SequenceForm, plans: Sequence[Plan]) -> Assessment:
    """How good plans are, one for each player."""
    expected, best = [], []
    for player, plan in enumerate(plans):
        values, denominator = gradient(form, player, plans)
        weights, scale = over_one_denominator(plan)
        total = sum(weight * value for weight, value in zip(weights, values, strict=True) if value)
        expected.append(Fraction(total, denominator * scale))
        follow_best(form.players[player], values)
        best.append(Fraction(values[0], denominator))
    return Assessment(tuple(expected), tuple(best))


def exploitability(form: SequenceForm, plans: Sequence[Plan]) -> Fraction:
    """What :attr:`Assessment.exploitability` says."""
    return assess(form, plans).exploitability
