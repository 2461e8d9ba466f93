"""Counterfactual regret minimization: the version to read, and the kernel beside it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.sequence_form import plan_of
from zermelo.solvers.imperfect_information.rounding import rounded_strategy
from zermelo.solvers.native.counterfactual_regret import RegretKernel
from zermelo.solvers.regret.counterfactual_regret import VARIANTS, CounterfactualRegret


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_kernel_and_reference_agree_bit_for_bit(random_form, name, players):
    for seed in range(5):
        form = random_form(seed, players, zero_sum=False)
        reference = CounterfactualRegret(form, VARIANTS[name])
        kernels = [RegretKernel(form, VARIANTS[name], compiled) for compiled in (False, True)]
        for count in (1, 2, 30):
            reference.iterate(count)
            for kernel in kernels:
                kernel.iterate(count)
                assert kernel.iterations == reference.iterations
                assert kernel.averages() == reference.averages()
                assert kernel.gains() == reference.gains()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_value_of_kuhn_poker(form_of, name):
    form = form_of("kuhn_poker")
    kernel = RegretKernel(form, VARIANTS[name])
    kernel.iterate(20_000)
    pairs = zip(form.players, kernel.averages(), strict=True)
    plans = [plan_of(own, rounded_strategy(own, weights)) for own, weights in pairs]
    assessment = assess(form, plans)
    low, high = assessment.interval
    assert low <= Fraction(-1, 18) <= high
    assert high - low < Fraction(1, 1000)
    assert float(assessment.exploitability) == pytest.approx(sum(kernel.gains()) / 2, abs=1e-9)


@pytest.mark.parametrize("name", VARIANTS)
def test_regret_vanishes_in_random_games(random_form, name):
    for seed in range(10):
        kernel = RegretKernel(random_form(seed), VARIANTS[name])
        kernel.iterate(5)
        before = sum(kernel.gains())
        kernel.iterate(2000)
        assert sum(kernel.gains()) < max(0.02, before / 10)


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize(("name", "theirs"), [("cfr", "CFRSolver"), ("cfr_plus", "CFRPlusSolver")])
def test_openspiel_is_as_far_after_every_iteration(form_of, game, name, theirs):
    pyspiel = pytest.importorskip("pyspiel")
    peer_game = pyspiel.load_game(game)
    peer, kernel = getattr(pyspiel, theirs)(peer_game), RegretKernel(form_of(game), VARIANTS[name])
    for count in (1, 1, 4, 14):
        kernel.iterate(count)
        for _ in range(count):
            peer.evaluate_and_update_policy()
        theirs_now = pyspiel.exploitability(peer_game, peer.average_policy())
        assert sum(kernel.gains()) / 2 == pytest.approx(theirs_now, abs=1e-12)
