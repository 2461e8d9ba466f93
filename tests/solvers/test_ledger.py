"""What is held counts as long as it lives, and what comes next has what is left."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from grammar.diagnostics import ZermeloError
from solvers.limits import Limits
from solvers.native.dispatch import build_tree
from solvers.sequence_form import sequence_form
from solvers.sequence_form_lp import equilibrium
from solvers.solution import ignore_progress


class Thing:
    """Something that takes memory."""


def test_what_is_let_go_counts_no_more():
    limits = Limits(memory=100)
    first, second = Thing(), Thing()
    limits.hold(first, 60)
    limits.hold(second, 30)
    assert limits.free == 10
    del first
    assert limits.free == 70
    del second
    assert limits.free == 100


def test_what_comes_is_counted_beside_what_is_there():
    limits, thing = Limits(memory=100), Thing()
    limits.hold(thing, 60)
    limits.require(40, "a form")
    with pytest.raises(ZermeloError, match="a form takes about 41 of memory beside the 60 of what it is made of") as no:
        limits.require(41, "a form")
    assert no.value.code == "out-of-memory" and no.value.help == "--memory 202 should be enough"
    assert limits.budget().filled == 60


@pytest.mark.parametrize("machine", ["reference", "searching"])
def test_the_phases_of_a_solve_are_put_down_and_taken_off(machine):
    game, limits = zermelo.load("kuhn_poker"), Limits()
    chosen = getattr(game, machine)
    tree = build_tree(chosen, game.facts, chosen.initial(), limits, ignore_progress)
    after_tree = limits.ledger.held
    assert after_tree >= tree.bytes
    form = sequence_form(tree, limits)
    assert limits.ledger.held == after_tree + form.bytes
    assert equilibrium(form, Fraction(0), limits) is not None
    assert limits.ledger.held == after_tree + form.bytes, "the program is gone with its solution"
    del tree, form
    assert limits.ledger.held == 0
