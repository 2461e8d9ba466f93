"""Df-pn, and values found by threshold questions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from all_machines import native_machine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_trees import trees
from reaching import reached
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import END
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.numbers import INFINITE, JustAbove
from zermelo.solvers.running import path_search
from zermelo.solvers.search.alphabeta import minimax
from zermelo.solvers.search.dfpn import Question
from zermelo.solvers.solution import Problem

GAMES = [
    ("tic_tac_toe", {}),
    ("connect_four", {"rows": 3, "columns": 4, "run": 3}),
    ("two_ply_tree", {}),
    ("nim", {}),
    ("hex", {"size": 3}),
    ("dots_and_boxes", {"rows": 1, "columns": 2}),
]

# Whoever finds three left cannot even list his moves.
BROKEN = """
game "Broken"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..6 = 6
start at play(A)
phase play(p: Player):
    turn p:
        move take(n in 1..3) if n <= left and 6 / (left - 3) != 7:
            left -= n
            go play(other p)
    otherwise:
        end win other p
"""


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(written=trees(), bound=st.sampled_from([None, 3, 5]))
def test_it_finds_what_minimax_finds(tree, known, written, bound):
    machine = tree(written)
    fitting = known() if bound is None else known(bounds=((-bound, bound), (-bound, bound)))
    plain = minimax(Problem(machine, fitting, machine.initial()))
    found = solve(machine, fitting, "dfpn")
    assert found.exact
    assert found.value == plain.value
    assert found.best[0] in plain.best if plain.best else found.best == ()
    state = reached(machine, found.line)
    assert machine.actor(state) == END
    assert machine.payoff(state) == plain.value


@pytest.mark.parametrize(("game", "parameters"), GAMES)
def test_the_kernel_visits_what_the_reference_visits(game, parameters):
    loaded = zermelo.load(game, **parameters)
    known = facts(loaded.model)
    plain = solve(loaded.reference, known, "dfpn")
    fast = solve(native_machine(loaded.model), known, "dfpn")
    assert (fast.value, fast.line, fast.counts) == (plain.value, plain.line, plain.counts)
    assert fast.value == solve(loaded.reference, known, "alphabeta_table").value


@pytest.mark.parametrize("make", [lambda game: game.reference, lambda game: native_machine(game.model)])
def test_a_rule_that_goes_wrong_is_found_by_the_play_to_it(make):
    game = zermelo.loads(BROKEN)
    with pytest.raises(zermelo.PlayError) as raised:
        solve(make(game), game.facts, "dfpn")
    assert list(map(str, raised.value.play)) == ["take(3)"]


def test_wins_and_losses_take_one_question():
    game = zermelo.load("nim")
    assert solve(game.reference, game.facts, "dfpn").counts["questions"] == 1


def test_a_table_that_is_too_small_costs_time_and_nothing_else():
    game = zermelo.load("tic_tac_toe")
    wide = solve(game.reference, game.facts, "dfpn")
    tight = solve(game.reference, game.facts, "dfpn", limits=Limits(memory=50 << 10))
    assert tight.value == wide.value
    assert tight.counts["nodes"] > wide.counts["nodes"]
    native = solve(native_machine(game.model), game.facts, "dfpn", limits=Limits(memory=1 << 18))
    assert native.value == wide.value


@pytest.mark.parametrize("make", [lambda game: game.reference, lambda game: native_machine(game.model)])
def test_a_limit_tells_what_has_been_proved(make):
    game = zermelo.load("two_ply_tree")
    with pytest.raises(ZermeloError) as raised:
        solve(make(game), game.facts, "dfpn", limits=Limits(nodes=13))
    assert raised.value.code == "out-of-nodes"
    assert "proved that MAX gets at least 2 and at most" in raised.value.message


def test_questions():
    assert Question(1).is_met(1)
    assert not Question(1, strictly=True).is_met(1)


@pytest.mark.parametrize("amount", [0, Fraction(1, 3), -(10**30), INFINITE, -INFINITE])
def test_just_above_an_amount_is_nothing_else(amount):
    least = JustAbove(amount)
    assert amount < least and not amount >= least
    for more in (amount + Fraction(1, 10**40), INFINITE):
        assert more <= amount or more >= least


# What tells the payoffs apart is too small for the native machine.
FINE = """
game "Fine"
players A, B
define unit = 1 / 10000000000000000000000
start at first
phase first:
    turn A:
        move a: go second
        move b: end payoff (unit, -unit)
phase second:
    turn B:
        move c: end payoff (2 * unit, -2 * unit)
        move d: end payoff (3 * unit, -3 * unit)
"""


def test_questions_between_payoffs_of_any_size():
    game = zermelo.loads(FINE)
    found = solve(game.reference, facts(game.model), "dfpn")
    assert found.value == solve(game.reference, facts(game.model), "minimax").value
    assert list(map(str, found.line)) == ["a", "c"]


@pytest.mark.parametrize(
    ("name", "parameters"), [("tic_tac_toe", {}), ("connect_four", {"rows": 4, "columns": 4}), ("go", {"size": 2})]
)
def test_a_table_that_grows_changes_no_value(name, parameters, monkeypatch):
    game = zermelo.load(name, **parameters)
    at_once = solve(game.searching, game.facts, "dfpn")
    monkeypatch.setattr(path_search, "LARGE", 1 << 12)
    growing = solve(game.searching, game.facts, "dfpn")
    assert growing.value == at_once.value
    assert growing.counts["nodes"] > at_once.counts["nodes"]
