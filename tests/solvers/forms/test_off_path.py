"""What strategies do where they do not lead."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from attrs import evolve
from random_cases import seeds

import zermelo
from zermelo.solvers.forms.best_response import complete_strategies, follow_best, gradient
from zermelo.solvers.forms.extensive_form import plan_of, strategy_of

RARE = Fraction(1, 10**9)


def cautious(sequences, random):
    """A plan that avoids many sets."""
    strategy = [Fraction(1)] * len(sequences)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        weights = [random.choice([0, 0, 1, 2]) for _ in range(first, end)]
        if not any(weights):
            weights[0] = 1
        strategy[first:end] = [Fraction(weight, sum(weights)) for weight in weights]
    return plan_of(sequences, strategy)


def with_mistakes(sequences, behaviour):
    strategy = list(behaviour)
    for first, end in zip(sequences.firsts, sequences.firsts[1:], strict=False):
        strategy[first:end] = [(1 - RARE) * chance + RARE / (end - first) for chance in behaviour[first:end]]
    return plan_of(sequences, strategy)


def worths(form, player, plans):
    values, scale = gradient(form, player, plans)
    follow_best(form.players[player], values)
    return [Fraction(value, scale) for value in values]


@pytest.mark.parametrize("seed", seeds(20))
@pytest.mark.parametrize("players", [2, 3])
def test_completed_strategies_are_the_same_and_lose_nothing(random_form, seed, players):
    form, random = random_form(seed, players, sets=4, zero_sum=False), Random(seed)
    plans = [cautious(sequences, random) for sequences in form.players]
    behaviours = complete_strategies(form, plans)
    for player, (own, plan, behaviour) in enumerate(zip(form.players, plans, behaviours, strict=True)):
        assert plan_of(own, behaviour) == plan
        values, as_before = worths(form, player, plans), strategy_of(own, plan)
        for i, parent in enumerate(own.parents):
            options = range(own.firsts[i], own.firsts[i + 1])
            assert sum(behaviour[option] for option in options) == 1
            if plan[parent]:
                assert all(behaviour[option] == as_before[option] for option in options)
            else:
                assert {values[option] for option in options if behaviour[option]} == {max(values[o] for o in options)}


@pytest.mark.parametrize("seed", seeds(20))
def test_beliefs_are_those_of_rare_mistakes(random_form, seed):
    """The last player, who answers what all others do, loses next to nothing where these lead once in a billion plays,
    either."""
    form, random = random_form(seed, 3, sets=4, zero_sum=False), Random(seed)
    plans = [cautious(sequences, random) for sequences in form.players]
    behaviours = complete_strategies(form, plans)
    others = [with_mistakes(*pair) for pair in zip(form.players, behaviours, strict=True)]
    own, plan = form.players[-1], plans[-1]
    brought = worths(form, 2, others)
    ones = tuple([1] * len(form.leaves[0]) for _ in form.players)
    comes = worths(evolve(form, payoffs=ones), 2, others)
    for i, parent in enumerate(own.parents):
        options = range(own.firsts[i], own.firsts[i + 1])
        for option in options:
            if not plan[parent] and behaviours[-1][option]:
                lost = max(brought[o] for o in options) - brought[option]
                assert lost <= max(comes[o] for o in options) / 1000


def test_who_comes_by_mistake_goes_on_best(tmp_path):
    """By hand: A leaves, since B would answer by leaving. Whoever stays gets 2 and not -5 if B stays, too."""
    file = tmp_path / "leave.game"
    file.write_text(
        'game "Leave"\nplayers A, B\nclaim zero_sum\ntree:\n    A:\n        leave: 1\n'
        + "".join(
            f"        {move}: B @b:\n            leave: 0\n            stay: A:\n"
            "                left: -5\n                right: 2\n"
            for move in ("wait", "walk")
        )
    )
    first, *last = zermelo.solve(zermelo.load(file), solver="sequence_form").strategies[0].decisions
    assert [str(move) for move in first.support] == ["leave"] and first.is_met
    assert len(last) == 2
    for each in last:
        assert [str(move) for move in each.support] == ["right"] and not each.is_met
