"""Information sets side by side: which are found to be alike, and that nothing depends on it but time."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.interpreter.native.dialect.words import LANES
from zermelo.solvers.forms.best_response import assess
from zermelo.solvers.imperfect_information import lanes
from zermelo.solvers.imperfect_information.counterfactual_regret import VARIANTS, CounterfactualRegret
from zermelo.solvers.imperfect_information.lanes import find_alike, lay_out


def ends_of(form, player):
    ends = [[] for _ in range(len(form.players[player]))]
    for own, other in zip(form.leaves[player], form.leaves[1 - player], strict=True):
        ends[own].append((other,))
    return ends


def test_sets_of_leduc_poker_are_alike_that_differ_in_the_card_alone(form_of):
    """There are 6 courses of bets in which somebody has to act in the first round, with 6 cards in the hand; 5 courses
    lead on, with 6 cards on the table, 6 courses behind that, and 5 cards in the hand."""
    form = form_of("leduc_poker")
    sizes = []
    for player, sequences in enumerate(form.players):
        alike = find_alike(sequences, ends_of(form, player))
        sizes += [alike.count(kind) for kind in set(alike)]
    assert sorted(sizes) == [5] * (5 * 6 * 6) + [6] * 6


def test_what_is_alike_follows_what_is_alike(form_of):
    """Where no card was known before, as in the first round, the lanes have nothing to follow."""
    game = lay_out(form_of("leduc_poker"))
    assert len(game["parents"]) == 5 * 6 * 6 + 6
    assert sum(parent < 0 for parent in game["parents"]) == 3
    assert len(game["singles"]) == 0
    assert len(game["payoffs"]) < len(game["others"]) * LANES / 2  # many rows are equal


def test_sequences_that_have_nothing_in_common_are_alone(random_form):
    assert any(len(lay_out(random_form(seed))["singles"]) for seed in range(10))


@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("entries", [0, 2, 100])
def test_gains_are_those_of_exact_best_responses(monkeypatch, random_form, players, entries):
    """Whether all sequences have columns, some, or none."""
    monkeypatch.setattr(lanes, "_ENTRIES", entries)
    for seed in range(10):
        form = random_form(seed, players, zero_sum=False)
        regret = CounterfactualRegret(form, VARIANTS["cfr"])
        regret.iterate(3)
        plans = [[Fraction(weight) for weight in weights] for weights in regret.averages()]
        assessment = assess(form, plans)
        found = [float(best - now) for best, now in zip(assessment.best, assessment.expected, strict=True)]
        assert regret.gains() == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("worthwhile", [1, 3, 100])
def test_families_do_not_change_what_is_found(monkeypatch, form_of, worthwhile):
    """Whether every set follows a row, or none."""
    usual = CounterfactualRegret(form_of("kuhn_poker"), VARIANTS["cfr_plus"])
    monkeypatch.setattr(lanes, "_WORTHWHILE", worthwhile)
    other = CounterfactualRegret(form_of("kuhn_poker"), VARIANTS["cfr_plus"])
    for each in (usual, other):
        each.iterate(50)
    for one, two in zip(usual.averages(), other.averages(), strict=True):
        assert one == pytest.approx(two, abs=1e-12)
