"""Off the path: what players do in decisions that their own strategies avoid.

No expected payoff depends on these decisions, nor what anybody can gain by another strategy, so that an equilibrium
leaves them open. Here they get moves that are best while the others follow their strategies. Where the others do not
lead there either, all are taken to make mistakes, which are rare and in every information set equally likely for all
moves: the player believes in histories with the fewest mistakes, weighted by how likely these are, and what is best
under this belief is done. Answers to each other are found by best responses in turn. Where that settles, and players
mix nowhere off the path, everybody's answers are best ones to those of all others; it need not settle.

Source: Kreps and Wilson (1982), who take beliefs from such mistakes; Selten (1975).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, prod
from typing import Final

from zermelo.solvers.common.numbers import over_one_denominator
from zermelo.solvers.forms.extensive_form import Plan, SequenceForm, Sequences, strategy_of

_ROUNDS: Final = 4
"""How often all players answer each other: a round costs about what a best response of every player does."""


def completed(form: SequenceForm, plans: Sequence[Plan]) -> list[list[Fraction]]:
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
                behaviours[player] = _answer(form, player, plan, behaviours, avoided[player])
        if behaviours == before:
            break
    return behaviours


def _answer(
    form: SequenceForm, player: int, plan: Plan, behaviours: Sequence[Plan], avoided: Sequence[int]
) -> list[Fraction]:
    """A player's behaviour with the best moves in the sets that their plan avoids. What the others' moves bring after
    more mistakes than the fewest that lead to a set does not count there."""
    own, payoffs, strategy = form.players[player], form.payoffs[player], list(behaviours[player])
    others = [
        (*_with_mistakes(form.players[other], behaviour), form.leaves[other])
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
        options = range(own.firsts[i], own.firsts[i + 1])
        least = min(fewest[option] for option in options)
        brought = [worths[option] if fewest[option] == least else 0 for option in options]
        most = max(brought)
        for option in options:
            is_best = brought[option - options.start] == most
            strategy[option] = Fraction(is_best, brought.count(most))
        add(own.parents[i], least, most)
    return strategy


def _with_mistakes(own: Sequences, behaviour: Plan) -> tuple[list[int], list[int]]:
    """For each sequence the number of mistakes in it, and its probability as a multiple of that of so many mistakes,
    over one denominator."""
    counts, chances = [0] * len(own), [Fraction(1)] * len(own)
    for i, parent in enumerate(own.parents):
        first, end = own.firsts[i], own.firsts[i + 1]
        for sequence in range(first, end):
            chance = behaviour[sequence]
            counts[sequence] = counts[parent] + (not chance)
            chances[sequence] = chances[parent] * (chance or Fraction(1, end - first))
    return counts, over_one_denominator(chances)[0]
