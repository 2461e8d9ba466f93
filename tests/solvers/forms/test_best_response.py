"""Best responses, compared with all pure plans."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from attrs import evolve
from random_cases import seeds

import zermelo
from zermelo.solvers.forms.best_response import assess, best_response, complete_strategies, follow_best, gradient
from zermelo.solvers.forms.extensive_form import plan_of, strategy_of
from zermelo.solvers.imperfect_information.regret_minimization import round_strategy


def random_plan(sequences, random):
    return plan_of(sequences, round_strategy(sequences, [random.random() for _ in range(len(sequences))]))


def pure_plans(sequences):
    sets = range(len(sequences.parents))
    for choice in product(*(range(sequences.firsts[i], sequences.firsts[i + 1]) for i in sets)):
        strategy = [Fraction(1)] + [Fraction(s in choice) for s in range(1, len(sequences))]
        yield plan_of(sequences, strategy)


def is_plan(sequences, plan):
    sums = [sum(plan[sequences.firsts[i] : sequences.firsts[i + 1]]) for i in range(len(sequences.parents))]
    return plan[0] == 1 and min(plan) >= 0 and sums == [plan[parent] for parent in sequences.parents]


@pytest.mark.parametrize("seed", seeds(20))
@pytest.mark.parametrize("players", [2, 3])
def test_no_pure_plan_does_better(random_form, seed, players):
    form, random = random_form(seed, players, sets=3, zero_sum=False), Random(seed)
    plans = [random_plan(sequences, random) for sequences in form.players]
    assessment = assess(form, plans)
    assert assessment.expected == form.expectation(plans)
    for player, sequences in enumerate(form.players):
        value, plan = best_response(form, player, plans)
        assert is_plan(sequences, plan)
        against = [*plans[:player], plan, *plans[player + 1 :]]
        assert form.expectation(against)[player] == value == assessment.best[player]
        rivals = ([*plans[:player], pure, *plans[player + 1 :]] for pure in pure_plans(sequences))
        assert value == max(form.expectation(rival)[player] for rival in rivals)


@pytest.mark.parametrize("seed", seeds(10))
def test_weights_become_plans(random_form, seed):
    form, random = random_form(seed), Random(seed)
    for sequences in form.players:
        weights = [random.choice([0.0, 1e-300, random.random()]) for _ in range(len(sequences))]
        assert is_plan(sequences, plan_of(sequences, round_strategy(sequences, weights)))


def test_what_plans_secure_in_kuhn_poker(form_of):
    form = form_of("kuhn_poker")
    always_alike = [plan_of(sequences, round_strategy(sequences, [1.0] * len(sequences))) for sequences in form.players]
    low, high = assess(form, always_alike).interval
    assert low < Fraction(-1, 18) < high
    assert assess(form, always_alike).exploitability == (high - low) / 2


# What strategies do where they do not lead.


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
