"""What the moves of an information set are worth to the player who is there, while the others follow their strategies.

The player does not know the history, but what they have seen tells how likely each is: by the chance of the draws and
of the others' moves that lead to it (Bayes). The values of sequences (:mod:`zermelo.solvers.forms.best_response`) are
weighted by that chance; divided by their sum over the set they are means over what is possible there. The sum is found
as a value, too: of the same game with every payoff 1. Where it is 0 the others never let the player come to the set,
and there is no mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import evolve

from zermelo.interpreter.machine import InformationState
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.best_response import follow_best, gradient
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.forms.strategy import Decisions, Strategy


def decision_in(strategy: Strategy, known: InformationState) -> int | None:
    """The number of the decision of a player who has these observations."""
    seen = list(known)
    return next((k for k, decision in enumerate(strategy.decisions) if list(decision.known) == seen), None)


def information_set_values(
    strategies: Sequence[Strategy], player: int, number: int, limits: Limits
) -> tuple[Fraction, ...] | None:
    """What each move of a player's decision brings them if they go on best; None if the others, who follow their
    strategies, never let them come there. Raises ``ZermeloError`` (``out-of-memory``)."""
    all_decisions = [_in_tree(strategy) for strategy in strategies]
    decisions = all_decisions[player]
    tree, place = decisions.tree, decisions.places[number]
    options = range(decisions.own.firsts[place], decisions.own.firsts[place + 1])
    ones = evolve(tree, payoffs=[1] * len(tree.payoffs), denominator=1)
    form = sequence_form(ones, limits)
    chances, whole = gradient(form, player, [each.plan for each in all_decisions])
    follow_best(form.players[player], chances)  # all moves of a set lead on with the same chance
    if not chances[options[0]]:
        return None
    values, scale = decisions.worths()
    return tuple(Fraction(values[k], scale) / Fraction(chances[k], whole) for k in options)


def _in_tree(strategy: Strategy) -> Decisions:
    assert isinstance(strategy.decisions, Decisions), "strategies from samples have no values"
    return strategy.decisions
