"""Best responses, compared with all pure plans."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from random_cases import seeds

from zermelo.solvers.forms.best_response import assess, best_response
from zermelo.solvers.forms.extensive_form import plan_of
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
