"""Best responses, and what players do off the path."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, lcm, prod
from typing import Final

from attrs import frozen

from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import OBJECT_BYTES, over_one_denominator
from zermelo.solvers.forms.extensive_form import Plan, SequenceForm, Sequences, pure_plan, strategy_of

# Off the path: what players do in decisions that their own strategies avoid.
#
# No expected payoff depends on these decisions, nor what anybody can gain by another strategy, so that an equilibrium
# leaves them open. Here they get moves that are best while the others follow their strategies. Where the others do not
# lead there either, all are taken to make mistakes, which are rare and in every information set equally likely for all
# moves: the player believes in histories with the fewest mistakes, weighted by how likely these are, and makes the best
# moves under this belief. All players' answers are found by best responses in turn. Where these settle, and players mix
# nowhere off the path, everybody's answers are best ones to those of all others; they need not settle.
#
# Source: Kreps and Wilson (1982), who take beliefs from such mistakes; Selten (1975).


_ROUNDS: Final = 4
"""How often all players answer each other: a round costs about what a best response of every player does."""


def complete_strategies(form: SequenceForm, plans: Sequence[Plan]) -> list[list[Fraction]]:
    """The behaviour strategies of realization plans, completed in the sets that these do not reach: there the best
    moves are equally likely."""
    behaviours = [strategy_of(own, plan) for own, plan in zip(form.players, plans, strict=True)]
    avoided = [
        [leaf for leaf, sequence in enumerate(leaves) if not plan[sequence]]
        for leaves, plan in zip(form.leaves, plans, strict=True)
    ]
    for _ in range(_ROUNDS):
        before = list(behaviours)
        for player, plan in enumerate(plans):
            if not all(plan[parent] for parent in form.players[player].parents):
                behaviours[player] = _best_behaviour(form, player, plan, behaviours, avoided[player])
        if behaviours == before:
            break
    return behaviours


def _best_behaviour(
    form: SequenceForm, player: int, plan: Plan, behaviours: Sequence[Plan], avoided: Sequence[int]
) -> list[Fraction]:
    """A player's behaviour with the best moves in the sets that their plan avoids. Histories of a set that take more of
    the others' mistakes than the fewest possible do not count there."""
    own, payoffs, strategy = form.players[player], form.payoffs[player], list(behaviours[player])
    others = [
        (*_mistakes_and_chances(form.players[other], behaviour), form.leaves[other])
        for other, behaviour in enumerate(behaviours)
        if other != player
    ]
    fewest: list[float] = [inf] * len(own)
    worths = [0] * len(own)

    def add(sequence: int, mistakes: float, worth: int) -> None:
        if mistakes < fewest[sequence]:
            fewest[sequence], worths[sequence] = mistakes, worth
        elif mistakes == fewest[sequence]:
            worths[sequence] += worth

    for leaf in avoided:
        mistakes = sum(counts[at[leaf]] for counts, _, at in others)
        weight = prod(weights[at[leaf]] for _, weights, at in others)
        add(form.leaves[player][leaf], mistakes, weight * payoffs[leaf])
    for i in reversed(range(len(own.parents))):
        if plan[own.parents[i]]:
            continue
        options = own.options(i)
        least = min(fewest[option] for option in options)
        brought = [worths[option] if fewest[option] == least else 0 for option in options]
        most = max(brought)
        for option in options:
            is_best = brought[option - options.start] == most
            strategy[option] = Fraction(is_best, brought.count(most))
        add(own.parents[i], least, most)
    return strategy


def _mistakes_and_chances(own: Sequences, behaviour: Plan) -> tuple[list[int], list[int]]:
    """For each sequence the number of mistakes in it, and its probability divided by that of as many mistakes, over one
    denominator."""
    counts, chances = [0] * len(own), [Fraction(1)] * len(own)
    for i, parent in enumerate(own.parents):
        first, end = own.firsts[i], own.firsts[i + 1]
        for sequence in range(first, end):
            chance = behaviour[sequence]
            counts[sequence] = counts[parent] + (not chance)
            chances[sequence] = chances[parent] * (chance or Fraction(1, end - first))
    return counts, over_one_denominator(chances)[0]


# Best responses: a player's greatest expected payoff against fixed plans of all others.
#
# With the plans of the others fixed, a player's payoff is linear in their own sequences. Each leaf adds its payoff
# times the others' weights to the player's sequence there; then, from the last information sets up, every set adds the
# value of its best sequence to the sequence that leads to it. This takes one pass over the leaves and one over the
# player's sets.
#
# All arithmetic is in whole numbers over one denominator, so the result is exact, and exploitability is a proved
# figure.
#
# Source: von Stengel (1996), section 3; Johanson and others, "Accelerating best response calculation" (2011), for its
# use.


def gradient(form: SequenceForm, player: int, plans: Sequence[Plan]) -> tuple[list[int], int]:
    """The expected payoff of ``player`` at the leaves of each of their sequences, while the others follow their plans:
    numerators over one denominator. The player's own entry of ``plans`` is not used."""
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
    """Raise ``ZermeloError`` (``out-of-memory``) if a best response to these plans would exceed the memory limit: it
    takes a number for each leaf, the others' reach probability, and one for each sequence, its value."""
    digits = form.denominator.bit_length() + sum(lcm(*{w.denominator for w in plan}).bit_length() for plan in plans)
    numbers = len(form.leaves[0]) + 2 * sum(map(len, form.players))
    limits.require(numbers * (OBJECT_BYTES + digits // 8), f"best responses over {len(form.leaves[0]):,} leaves")


def best_response(form: SequenceForm, player: int, plans: Sequence[Plan]) -> tuple[Fraction, list[Fraction]]:
    """The value of a best response of ``player`` to ``plans``, and its plan, which makes one move in each information
    set: the first of the best."""
    values, denominator = gradient(form, player, plans)
    own = form.players[player]
    plan = pure_plan(own, follow_best(own, values))
    return Fraction(values[0], denominator), plan


def follow_best(own: Sequences, values: list[int]) -> list[int]:
    """Add to the value of each sequence, in place, those of the best sequences after it; returns the best sequence of
    each information set, the first of several."""
    best = [0] * len(own.parents)
    for i in reversed(range(len(best))):
        first, end = own.firsts[i], own.firsts[i + 1]
        most = max(values[first:end])
        best[i] = values.index(most, first, end)
        values[own.parents[i]] += most
    return best


@frozen
class Assessment:
    """Each player's payoff: ``expected`` if all follow their plans, and at ``best`` by a best response."""

    expected: tuple[Fraction, ...]
    best: tuple[Fraction, ...]

    @property
    def exploitability(self) -> Fraction:
        """The players' average gain by best responses to the others' plans, in units of payoff: 0 exactly in
        equilibria. For two players and constant sum, the value of the game differs from the payoff of the plans by at
        most twice as much."""
        return (sum(self.best, Fraction(0)) - sum(self.expected, Fraction(0))) / len(self.best)

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """For two players and constant sum: the payoff that the first player's plan guarantees, and the most that the
        second player's plan concedes. The value of the game lies between the two."""
        return sum(self.expected, Fraction(0)) - self.best[1], self.best[0]


def assess(form: SequenceForm, plans: Sequence[Plan]) -> Assessment:
    """The assessment of plans, one for each player."""
    expected, best = [], []
    for player, plan in enumerate(plans):
        values, denominator = gradient(form, player, plans)
        weights, scale = over_one_denominator(plan)
        total = sum(weight * value for weight, value in zip(weights, values, strict=True) if value)
        expected.append(Fraction(total, denominator * scale))
        follow_best(form.players[player], values)
        best.append(Fraction(values[0], denominator))
    return Assessment(tuple(expected), tuple(best))
