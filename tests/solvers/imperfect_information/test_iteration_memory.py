"""The estimated memory of iterations is that of their arrays."""

from __future__ import annotations

from ctypes import sizeof

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information.counterfactual_regret import (
    VARIANTS,
    CounterfactualRegret,
    MonteCarloRegret,
    minimizer,
    numbers_of_kernel,
)
from zermelo.solvers.tree_building.building import build_tree


def forms(name):
    game = zermelo.load(name)
    tree = build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    return game, tree, sequence_form(tree, Limits())


def held(record):
    """The number of elements of the lists of a record."""
    return sum(sizeof(part) // 8 for name, part in record.kept.items() if name)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_for_several", "battleship"])
def test_every_array_is_counted(name):
    _, tree, form = forms(name)
    assert held(CounterfactualRegret(form, VARIANTS["cfr_plus"]).players) == numbers_of_kernel(tree, form, False)
    assert held(MonteCarloRegret(tree, form, False).sampling) == numbers_of_kernel(tree, form, True)


@pytest.mark.parametrize("solver", ["cfr_plus", "external_sampling"])
def test_what_does_not_fit_is_refused_with_its_size(solver):
    game, tree, form = forms("kuhn_poker_for_several")
    needed = 8 * numbers_of_kernel(tree, form, solver not in VARIANTS)
    with pytest.raises(ZermeloError) as raised:
        minimizer(solver, game.searching, tree, form, 0, Limits(memory=needed))  # the way into the arrays needs some
    assert raised.value.code == "out-of-memory"
    assert "iteration over 312 leaves would take about" in raised.value.message
    assert minimizer(solver, game.searching, tree, form, 0, Limits(memory=8 * needed)).iterations == 0
