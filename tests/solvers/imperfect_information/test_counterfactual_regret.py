"""Counterfactual regret minimization: the kernel as Python and as machine code, and against other programs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from iterating_alike import iterate_alike

from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.forms.extensive_form import plan_of
from zermelo.solvers.imperfect_information.counterfactual_regret import VARIANTS, CounterfactualRegret
from zermelo.solvers.imperfect_information.regret_minimization import round_strategy


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_python_and_machine_code_agree_bit_for_bit(random_form, name, players):
    for seed in range(5):
        form = random_form(seed, players, zero_sum=False)
        plain, compiled = (CounterfactualRegret(form, VARIANTS[name], is_compiled) for is_compiled in (False, True))
        iterate_alike(plain, compiled, (1, 2, 30))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_value_of_kuhn_poker(form_of, name):
    form = form_of("kuhn_poker")
    regret = CounterfactualRegret(form, VARIANTS[name])
    regret.iterate(20_000)
    pairs = zip(form.players, regret.averages(), strict=True)
    plans = [plan_of(own, round_strategy(own, weights)) for own, weights in pairs]
    assessment = assess(form, plans)
    low, high = assessment.interval
    assert low <= Fraction(-1, 18) <= high
    assert high - low < Fraction(1, 1000)
    assert float(assessment.exploitability) == pytest.approx(sum(regret.gains()) / 2, abs=1e-9)


@pytest.mark.parametrize("name", VARIANTS)
def test_regret_vanishes_in_random_games(random_form, name):
    for seed in range(10):
        regret = CounterfactualRegret(random_form(seed), VARIANTS[name])
        regret.iterate(5)
        before = sum(regret.gains())
        regret.iterate(2000)
        assert sum(regret.gains()) < max(0.02, before / 10)


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize(("name", "theirs"), [("cfr", "CFRSolver"), ("cfr_plus", "CFRPlusSolver")])
def test_openspiel_is_as_far_after_every_iteration(form_of, game, name, theirs):
    pyspiel = pytest.importorskip("pyspiel")
    peer_game = pyspiel.load_game(game)
    peer, regret = getattr(pyspiel, theirs)(peer_game), CounterfactualRegret(form_of(game), VARIANTS[name])
    for count in (1, 1, 4, 14):
        regret.iterate(count)
        for _ in range(count):
            peer.evaluate_and_update_policy()
        theirs_now = pyspiel.exploitability(peer_game, peer.average_policy())
        assert sum(regret.gains()) / 2 == pytest.approx(theirs_now, abs=1e-12)
