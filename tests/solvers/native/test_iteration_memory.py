"""What iteration takes in memory is what its arrays hold."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import ignore_progress
from zermelo.solvers.forms.sequence_form import sequence_form
from zermelo.solvers.native.counterfactual_regret import RegretKernel
from zermelo.solvers.native.dispatch import build_tree, minimizer
from zermelo.solvers.native.flat_form import FlatForm
from zermelo.solvers.native.iteration_memory import numbers_of_kernel
from zermelo.solvers.native.monte_carlo_cfr import MonteCarloKernel
from zermelo.solvers.regret.counterfactual_regret import VARIANTS


def forms(name):
    game = zermelo.load(name)
    tree = build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    return game, tree, sequence_form(tree, Limits())


def held(owner, seen):
    """How many numbers the arrays of an object hold, each counted once."""
    count = 0
    for value in vars(owner).values():
        for part in value if isinstance(value, (tuple, list)) else [value]:
            if isinstance(part, FlatForm):
                count += held(part, seen)
            elif type(part).__name__.endswith(f"_Array_{len(part) if hasattr(part, '__len__') else ''}"):
                count += len(part) * (id(part) not in seen)
                seen.add(id(part))
    return count


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker_for_several", "battleship"])
def test_every_array_is_counted(name):
    _, tree, form = forms(name)
    assert held(RegretKernel(form, VARIANTS["cfr_plus"]), set()) == numbers_of_kernel(tree, form, False)
    assert held(MonteCarloKernel(tree, form, False), set()) == numbers_of_kernel(tree, form, True)


@pytest.mark.parametrize("solver", ["cfr_plus", "external_sampling"])
def test_what_does_not_fit_is_refused_with_its_size(solver):
    game, tree, form = forms("kuhn_poker_for_several")
    needed = 8 * numbers_of_kernel(tree, form, solver not in VARIANTS)
    with pytest.raises(ZermeloError) as raised:
        minimizer(solver, game.searching, tree, form, 0, Limits(memory=needed))  # the way into the arrays needs some
    assert raised.value.code == "out-of-memory"
    assert "iteration over 312 leaves takes about" in raised.value.message
    assert minimizer(solver, game.searching, tree, form, 0, Limits(memory=8 * needed)).iterations == 0
