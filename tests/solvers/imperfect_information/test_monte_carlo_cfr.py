"""Monte Carlo counterfactual regret minimization: the kernel as Python and as machine code, and its results."""

from __future__ import annotations

import pytest
from iterating_alike import iterate_alike

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information.counterfactual_regret import MonteCarloRegret
from zermelo.solvers.tree_building.building import build_tree

GAMES = ("kuhn_poker", "rock_paper_scissors", "prisoners_dilemma", "tiger")


def trees(name):
    game = zermelo.load(name)
    machine = game.searching
    tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    return tree, sequence_form(tree, Limits())


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("by_outcome", [False, True])
@pytest.mark.parametrize("seed", [0, 7])
def test_python_and_machine_code_agree_bit_for_bit(name, by_outcome, seed):
    tree, form = trees(name)
    plain, compiled = (MonteCarloRegret(tree, form, by_outcome, seed, is_compiled) for is_compiled in (False, True))
    iterate_alike(plain, compiled, (1, 2, 200))


@pytest.mark.parametrize("by_outcome", [False, True])
def test_the_error_shrinks_in_kuhn_poker(by_outcome):
    sampled = MonteCarloRegret(*trees("kuhn_poker"), by_outcome)
    sampled.iterate(1000)
    early = sum(sampled.gains()) / 2
    sampled.iterate(999_000)
    assert sum(sampled.gains()) / 2 < min(0.004, early / 4)


@pytest.mark.parametrize("by_outcome", [False, True])
def test_an_only_player_learns_as_well(by_outcome):
    """Nobody else sums up their strategies."""
    sampled = MonteCarloRegret(*trees("tiger"), by_outcome)
    before = sum(sampled.gains())
    sampled.iterate(200_000)
    assert sum(sampled.gains()) < before / 100


@pytest.mark.parametrize("by_outcome", [False, True])
def test_what_is_saved_goes_on_bit_for_bit(by_outcome):
    tree, form = trees("kuhn_poker")
    whole, before = (MonteCarloRegret(tree, form, by_outcome, 3) for _ in range(2))
    whole.iterate(500)
    before.iterate(123)
    for is_compiled in (False, True):
        after = MonteCarloRegret(tree, form, by_outcome, 3, is_compiled)
        after.load(before.save())
        after.iterate(500 - 123)
        assert after.save() == whole.save()
