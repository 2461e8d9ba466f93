"""Time limits around work that does not check them, on a clock set by the tests."""

from __future__ import annotations

import os
from fractions import Fraction

import pytest

import zermelo
from zermelo.foundation import deadline
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common import limits
from zermelo.solvers.common.limits import LimitReached, Limits, ignore_progress
from zermelo.solvers.forms.best_response import check_memory
from zermelo.solvers.forms.extensive_form import sequence_form
from zermelo.solvers.imperfect_information.sequence_form_lp import equilibrium
from zermelo.solvers.linear_programming.rational_basis import solve_equations
from zermelo.solvers.normal_form.double_description import TooManyVertices
from zermelo.solvers.normal_form.nash import equilibria_of, extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy
from zermelo.solvers.tree_building.building import build_tree


def test_what_looks_at_the_clock_is_ended_with_the_error_of_the_limit(clock):
    limits = Limits(3, begin=0.0)
    with pytest.raises(LimitReached, match="within 3 s") as refused, limits.enforce():
        clock[0] = 4.0
        deadline.check_deadline()
    assert refused.value.code == "out-of-time"
    assert "got as far as" not in refused.value.message


def test_time_that_has_gone_by_before_counts(clock):
    clock[0] = 2.5
    with pytest.raises(LimitReached), Limits(3, begin=0.0).enforce():
        clock[0] = 3.5
        deadline.check_deadline()


def test_who_asked_whether_the_time_is_up_ends_in_good_order(clock):
    limits = Limits(3, begin=0.0)
    with limits.enforce():
        clock[0] = 4.0
        assert limits.is_over
        deadline.check_deadline()


# The default of the memory follows the computer, and never what is found.


@pytest.mark.parametrize(
    ("installed", "granted", "found"),
    [
        (16 << 30, "max", 4 << 30),
        (16 << 30, str(8 << 30), 2 << 30),
        (16 << 30, None, 4 << 30),
        (256 << 20, "max", limits.LEAST),
        (None, None, limits.LEAST),
    ],
)
def test_a_quarter_of_the_memory_of_the_machine_or_the_container(installed, granted, found, tmp_path, monkeypatch):
    def sysconf(name):
        if installed is None:
            raise ValueError("unrecognized configuration name")
        return 4096 if name == "SC_PAGE_SIZE" else installed // 4096

    monkeypatch.setattr(os, "sysconf", sysconf)
    monkeypatch.setattr(limits, "_CONTAINER", tmp_path / "memory.max")
    if granted is not None:
        (tmp_path / "memory.max").write_text(f"{granted}\n")
    assert limits.measure_quarter_of_memory() == found


def test_a_quarter_of_the_addresses_that_the_process_may_use(tmp_path, monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(os, "sysconf", lambda name: 4096 if name == "SC_PAGE_SIZE" else 4 << 20)
    monkeypatch.setattr(limits, "_CONTAINER", tmp_path / "memory.max")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (8 << 30, resource.RLIM_INFINITY))
    assert limits.measure_quarter_of_memory() == 2 << 30


def test_limits_have_it_by_default_and_say_how_to_get_more(monkeypatch):
    monkeypatch.setattr(limits, "quarter_of_memory", lambda: 3 << 30)
    assert Limits().memory == 3 << 30
    assert Limits().out_of_memory({}).help == "--memory 12G allows 4 times as much"
    assert Limits(memory=1 << 20).out_of_memory({}).help == "--memory 4M allows 4 times as much"


# The ledger: results count as long as they live, and later phases have the rest.


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
    with pytest.raises(ZermeloError, match="a form would take about 41 of memory beside the 60 of") as no:
        limits.require(41, "a form")
    assert no.value.code == "out-of-memory" and no.value.help == "--memory 1K should be enough"
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
    assert equilibrium(form, limits) is not None
    assert limits.ledger.held == after_tree + form.bytes, "the program is gone with its solution"
    del tree, form
    assert limits.ledger.held == 0


def test_equilibria_are_counted_as_they_are_found():
    """A table of equal payoffs has an equilibrium in every cell."""
    players, cells = ("A", "B"), [(Fraction(0), Fraction(0))] * 10_000
    own = tuple(PureStrategy(frozenset(), str(k)) for k in range(100))
    game = NormalForm(players, (own, own), cells)
    with pytest.raises(ZermeloError) as refused:
        equilibria_of(game, Limits(memory=1 << 20))
    assert refused.value.code == "out-of-memory"
    assert len(equilibria_of(game, Limits(memory=16 << 20)).profiles) == 10_000


def test_corners_are_counted_as_they_are_found():
    own = tuple(PureStrategy(frozenset(), str(k)) for k in range(8))
    cells = [(Fraction(i == j), Fraction(-(i == j))) for i in range(8) for j in range(8)]
    game = NormalForm(("A", "B"), (own, own), cells)
    with pytest.raises(TooManyVertices):
        extreme_equilibria(game, Limits(memory=32 << 10))
    assert len(extreme_equilibria(game, Limits())) == 1


def test_long_fractions_are_counted_as_they_grow():
    """Each equation makes the next number longer: x0 = 1 / p, x1 = x0 / p, and so on."""
    prime, count = (1 << 521) - 1, 60
    system = [[(0, prime)], *([(k - 1, -1), (k, prime)] for k in range(1, count))]
    right = [1, *(0 for _ in range(1, count))]
    with pytest.raises(ZermeloError, match="the numbers that solve 60 equations would take") as refused:
        solve_equations(system, right, Limits(memory=64 << 10))
    assert refused.value.code == "out-of-memory"
    found = solve_equations(system, right, Limits())
    assert found[-1] == Fraction(1, prime**count)


def test_a_best_response_to_long_fractions_is_refused():
    game, limits = zermelo.load("kuhn_poker"), Limits()
    tree = build_tree(game.reference, game.facts, game.reference.initial(), limits, ignore_progress)
    form = sequence_form(tree, limits)
    long = [[Fraction(1, (1 << 4000) + 1)] * len(own) for own in form.players]
    free = limits.free
    check_memory(form, long, limits)
    assert limits.free == free
    with pytest.raises(ZermeloError) as refused:
        check_memory(form, long, Limits(memory=32 << 10))
    assert refused.value.code == "out-of-memory"
