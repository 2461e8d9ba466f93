"""Lemke's algorithm on the sequence form: nobody gains by a deviation, and nobody uses a dominated strategy."""

from __future__ import annotations

from array import array
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_cases import seeds
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.best_response import best_response
from zermelo.solvers.forms.extensive_form import SequenceForm, Sequences
from zermelo.solvers.imperfect_information.subgame_perfect import perfect_equilibrium
from zermelo.solvers.linear_programming.exact_optimum import optimum_from
from zermelo.solvers.linear_programming.linear_program import Basis, LinearProgram
from zermelo.solvers.normal_form.nash import extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy

TABLES = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=size[0] * size[1], max_size=size[0] * size[1]
    ).map(lambda payoffs: (size, payoffs))
)
"""Tables with small payoffs, which are often equal."""


def table_form(size, payoffs):
    """A table as a sequence form: an information set for each player."""
    players = tuple(Sequences(array("q", [0]), array("q", [1, count + 1]), array("q", [0])) for count in size)
    rows, columns = size
    leaves = (
        array("q", (1 + i for i in range(rows) for _ in range(columns))),
        array("q", (1 + j for _ in range(rows) for j in range(columns))),
    )
    return SequenceForm(players, leaves, tuple(array("q", own) for own in zip(*payoffs, strict=True)), 1)


def gains(form, plans):
    """What each player gains by a best response."""
    expected = form.expectation(plans)
    return [best_response(form, player, plans)[0] - expected[player] for player in (0, 1)]


@pytest.mark.parametrize("seed", seeds(300))
def test_nobody_gains_in_random_games(random_form, seed):
    form = random_form(seed, sets=2 + seed % 5, leaves=1 + seed % 40, zero_sum=False)
    plans, _ = perfect_equilibrium(form, Limits())
    for own, plan in zip(form.players, plans, strict=True):
        assert plan[0] == 1 and min(plan) >= 0
        for i, parent in enumerate(own.parents):
            assert sum(plan[own.firsts[i] : own.firsts[i + 1]]) == plan[parent]
    assert gains(form, plans) == [0, 0]


@given(TABLES)
def test_tables(table):
    """It is an equilibrium, a mixture of extreme ones, and no player's mixture is weakly dominated."""
    size, payoffs = table
    form = table_form(size, payoffs)
    plans, _ = perfect_equilibrium(form, Limits())
    assert gains(form, plans) == [0, 0]
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in size)
    game = NormalForm(("A", "B"), names, [tuple(map(Fraction, payoff)) for payoff in payoffs])
    extreme = extreme_equilibria(game, Limits())
    for player in (0, 1):
        played = {k for k, weight in enumerate(plans[player][1:]) if weight}
        assert played <= {k for each in extreme for k, weight in enumerate(each.mixtures[player]) if weight}
        assert not is_dominated(game, player, plans[player][1:])


def is_dominated(game, player, mixture):
    """Whether some mixture is as good against every reply and better against one: a linear program, in fractions. Its
    columns are the weights of the other mixture and the gains against each reply."""
    own, replies = game.counts[player], game.counts[1 - player]

    def payoff(k, reply):
        return game.payoff((k, reply) if player == 0 else (reply, k))[player]

    program = LinearProgram([0] * own + [1] * replies, [False] * (own + replies))
    program.add([(k, 1) for k in range(own)], 1, True)
    for reply in range(replies):
        amounts = [int(payoff(k, reply)) for k in range(own)]
        had = sum(weight * amount for weight, amount in zip(mixture, amounts, strict=True))
        scale = had.denominator
        row = [(k, scale * amount) for k, amount in enumerate(amounts) if amount]
        program.add([*row, (own + reply, -scale)], had.numerator, True)
    found = optimum_from(program, Basis([], []), Limits())
    assert found is not None
    return sum(found.x[own:]) > 0


def test_an_equilibrium_of_dominated_strategies_is_not_found():
    """Both (top, left) and (bottom, right) are equilibria; in the second both play what is never better."""
    form = table_form((2, 2), [(1, 1), (0, 0), (0, 0), (0, 0)])
    plans, _ = perfect_equilibrium(form, Limits())
    assert form.expectation(plans) == (1, 1)
    assert is_dominated(
        NormalForm(
            ("A", "B"),
            tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(2)) for _ in range(2)),
            [(Fraction(1), Fraction(1)), *[(Fraction(0), Fraction(0))] * 3],
        ),
        0,
        [Fraction(0), Fraction(1)],
    )


def test_a_game_whose_only_equilibrium_is_mixed():
    """Two by two, by hand: each mixes so that the other is indifferent."""
    form = table_form((2, 2), [(2, 0), (0, 1), (0, 3), (1, 0)])
    plans, _ = perfect_equilibrium(form, Limits())
    assert plans == ([1, Fraction(3, 4), Fraction(1, 4)], [1, Fraction(1, 3), Fraction(2, 3)])


def test_a_large_table():
    """A table of 60 by 60 has more pairs of supports than can be tried."""
    random = Random(7)
    form = table_form((60, 60), [(random.randint(0, 99), random.randint(0, 99)) for _ in range(3600)])
    plans, pivots = perfect_equilibrium(form, Limits())
    assert gains(form, plans) == [0, 0] and pivots > 1


@pytest.mark.parametrize("name", ["kuhn_poker", "beer_or_quiche", "two_robots", "chicken", "matching_pennies"])
def test_bundled_games(form_of, name):
    form = form_of(name)
    plans, _ = perfect_equilibrium(form, Limits())
    assert gains(form, plans) == [0, 0]


def test_the_value_of_kuhn_poker():
    """-1/18 (Kuhn 1950); with a constant sum every equilibrium pays the value."""
    assert zermelo.solve(zermelo.load("kuhn_poker"), "lemke").value == (Fraction(-1, 18), Fraction(1, 18))


def test_gambit_agrees_where_there_is_one_equilibrium():
    """Gambit's implementation of the same idea, on tables with a single equilibrium."""
    gambit = pytest.importorskip("pygambit")
    np = pytest.importorskip("numpy")
    random, single = Random(3), 0
    for _ in range(60):
        size = (random.randint(2, 4), random.randint(2, 4))
        payoffs = [(random.randint(-9, 9), random.randint(-9, 9)) for _ in range(size[0] * size[1])]
        arrays = (np.array(own, dtype=object).reshape(size) for own in zip(*payoffs, strict=True))
        game = gambit.StrategicGame.from_arrays(*arrays)
        found = gambit.nash.enummixed_solve(game, rational=True).equilibria
        if len(found) != 1:
            continue
        single += 1
        theirs = [[Fraction(str(chance)) for _, chance in found[0][player]] for player in game.players]
        plans, _ = perfect_equilibrium(table_form(size, payoffs), Limits())
        assert [plan[1:] for plan in plans] == theirs
    assert single > 20


def test_more_strategies_than_a_table_holds():
    """The default solver goes on where the table would be too large, and nobody gains."""
    game = zermelo.load("sealed_bid_auction", most=4, second_price=False)
    with pytest.raises(ZermeloError) as refused:
        zermelo.solve(game, "normal_form")
    assert refused.value.code == "too-many-strategies" and "lemke" in str(refused.value.help)
    solution = zermelo.solve(game)
    assert solution.exact and solution.alternatives is None
    assert solution.value == zermelo.solve(game, "lemke").value


def test_limits():
    game = zermelo.load("leduc_poker")
    with pytest.raises(ZermeloError) as refused:
        solve(game.searching, game.facts, "lemke", limits=Limits(memory=16 << 20))
    assert refused.value.code == "out-of-memory" and "pivots" in str(refused.value)
