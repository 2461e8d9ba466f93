"""Exact values of games with hidden information, compared with published ones and with each other."""

from __future__ import annotations

from fractions import Fraction

import pytest
from thoughtless import uniform

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.best_response import assess, best_response
from zermelo.solvers.forms.extensive_form import plan_of, sequence_form
from zermelo.solvers.imperfect_information import sequence_form_lp
from zermelo.solvers.imperfect_information.sequence_form_lp import equilibrium
from zermelo.solvers.linear_programming.linear_program import Certificate
from zermelo.solvers.solution import Certainty
from zermelo.solvers.tree_building.building import build_tree


def form_of(name, **parameters):
    game = zermelo.load(name, **parameters)
    machine = game.searching
    return sequence_form(build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress), Limits())


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("kuhn_poker", {}, Fraction(-1, 18)),  # Kuhn 1950
        ("rock_paper_scissors", {}, Fraction(0)),
        ("liars_dice", {"sides": 6}, Fraction(-7, 258)),
        ("leduc_poker", {}, None),
    ],
)
def test_exact_values(name, parameters, value):
    solution = zermelo.solve(zermelo.load(name, **parameters))
    assert solution.solver == "sequence_form"
    assert solution.exact
    if value is None:  # as computed by others in floating point: -0.0856064
        assert abs(solution.value[0] + Fraction("0.0856064")) < Fraction(1, 10**6)
    else:
        assert solution.value == (value, -value)


def test_an_equilibrium_cannot_be_exploited():
    form = form_of("kuhn_poker")
    found = equilibrium(form, Fraction(0), Limits())
    assert found.is_exact
    assert assess(form, found.plans).exploitability == 0
    assert form.expectation(found.plans) == (Fraction(-1, 18), Fraction(1, 18))


def test_best_responses_to_play_without_thought():
    """Against uniform play in Kuhn poker: enumeration of Alice's 2^6 and Bob's 2^6 pure strategies."""
    form = form_of("kuhn_poker")
    plans = [plan_of(player, uniform(player)) for player in form.players]
    for player in (0, 1):
        value, plan = best_response(form, player, plans)
        most = max(form.expectation([*plans[:player], pure, *plans[player + 1 :]])[player]
                   for pure in pure_plans(form.players[player]))  # fmt: skip
        assert value == most
        assert form.expectation([*plans[:player], plan, *plans[player + 1 :]])[player] == value


def pure_plans(player):
    strategies = [[Fraction(1)] + [Fraction(0)] * (len(player) - 1)]
    for first, end in zip(player.firsts, player.firsts[1:], strict=False):
        strategies = [
            [*strategy[:choice], Fraction(1), *strategy[choice + 1 :]]
            for strategy in strategies
            for choice in range(first, end)
        ]
    return [plan_of(player, strategy) for strategy in strategies]


def test_strategies_are_told_with_what_their_moves_lose():
    solution = zermelo.solve(zermelo.load("kuhn_poker"))
    alice, bob = solution.strategies
    assert (alice.player, bob.player) == ("Alice", "Bob")
    assert len(alice.decisions) == len(bob.decisions) == 6
    for strategy in solution.strategies:
        for decision in strategy.decisions:
            assert sum(decision.probabilities) == 1
            for chance, loss in zip(decision.probabilities, decision.losses, strict=True):
                assert loss >= 0
                assert not (chance and loss and decision.reached)


def test_a_value_that_is_not_proved_comes_between_bounds(monkeypatch):
    """Plans other than the optimum give valid bounds, and are not called exact."""
    honest = sequence_form_lp.optimum

    def spoiled(program, limits):
        certificate, _ = honest(program, limits)
        x = [value + Fraction(1, 7) for value in certificate.x]
        return Certificate(x, certificate.y), False

    monkeypatch.setattr(sequence_form_lp, "optimum", spoiled)
    solution = zermelo.solve(zermelo.load("kuhn_poker"))
    assert solution.certainty is Certainty.BOUNDED
    assert not solution.exact
    found = equilibrium(form_of("kuhn_poker"), Fraction(0), Limits())
    assert found.sure < Fraction(-1, 18) == found.most


def test_constant_sums_other_than_zero():
    text = """\
game "Share"
players A, B
type Side = left | right
start at choose
phase choose:
    together:
        move take(s in Side)
    then:
        if take[A].s == take[B].s: end payoff {A: 7, B: 3}
        if take[A].s == left: end payoff {A: 1, B: 9}
        end payoff {A: 4, B: 6}
"""
    solution = zermelo.solve(zermelo.loads(text))
    assert solution.exact
    assert solution.value == (Fraction(5), Fraction(5))


def test_what_is_left_of_a_play_has_no_value():
    game = zermelo.load("kuhn_poker")
    with pytest.raises(ZermeloError) as error:
        zermelo.solve(game.initial.after("deal(J, Q)"))
    assert error.value.code == "no-value"
