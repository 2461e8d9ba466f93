"""Games of hidden information: published values, and values from other computations."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.normal_form.nash import equilibria_of
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.solvers.normal_form.solution_concepts import dominant, pure_equilibria
from zermelo.solvers.tree_building.building import build_tree


def tree_of(name, **parameters):
    game = zermelo.load(name, **parameters)
    return build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)


def table_of(name, **parameters):
    return normal_form(tree_of(name, **parameters), Limits())


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("battleship", {"columns": 3, "length": 2}, Fraction(1, 49)),
        ("battleship", {"columns": 1, "rows": 2, "shots": 2}, Fraction(1, 2)),  # the first shot hits half of the time
        ("colonel_blotto", {}, Fraction(14, 9)),  # Gross and Wagner 1950
        ("morra", {"fingers": 3}, Fraction(0)),
        ("goofspiel", {"cards": 4}, Fraction(0)),
        ("goofspiel", {"cards": 4, "open": True}, Fraction(0)),
        ("rock_paper_scissors_lizard_spock", {}, Fraction(0)),
    ],
)
def test_values_of_zero_sum_games(name, parameters, value):
    solution = zermelo.solve(zermelo.load(name, **parameters))
    assert solution.exact
    assert solution.value == (value, -value)


def test_bidding_what_it_is_worth_dominates_where_the_second_price_is_paid():
    """Vickrey (1961): no other bid is ever better. It is an equilibrium, and none where the own bid is paid."""
    second, first = (table_of("sealed_bid_auction", second_price=rule) for rule in (True, False))
    truth = tuple(
        next(k for k, strategy in enumerate(own) if strategy.name == "bid(0), bid(1), bid(2)")
        for own in second.strategies
    )
    assert truth in pure_equilibria(second)
    assert truth not in pure_equilibria(first)
    for other in second.instead(truth, 1):
        best = max(second.payoff(profile)[0] for profile in second.instead(other, 0))
        assert second.payoff(other)[0] == best


def test_both_pool_at_breakfast():
    """Cho and Kreps (1987): in every equilibrium strong and weak eat the same, beer or quiche, and are left alone."""
    found = equilibria_of(table_of("beer_or_quiche"), Limits())
    assert found.are_all
    assert {profile.payoff for profile in found.profiles} == {
        (Fraction(29, 10), Fraction(9, 10)),
        (Fraction(21, 10), Fraction(9, 10)),
    }


@pytest.mark.parametrize(
    ("name", "equilibria"),
    [("two_robots", 3), ("chicken", 3), ("stag_hunt", 3), ("battle_of_the_sexes", 3), ("prisoners_dilemma", 1)],
)
def test_tables_of_the_lectures(name, equilibria):
    found = equilibria_of(table_of(name), Limits())
    assert found.are_all and len(found.profiles) == equilibria


def test_nothing_dominates_in_chicken():
    table = table_of("chicken")
    assert [dominant(table, player) for player in (0, 1)] == [None, None]


def test_the_best_of_fireworks_is_the_best_profile_of_its_table():
    table = table_of("fireworks", turns=2)
    solution = zermelo.solve(zermelo.load("fireworks", turns=2))
    assert solution.solver == "team"
    assert solution.value[0] == max(payoff[0] for payoff in table.payoffs) == Fraction(7, 6)
