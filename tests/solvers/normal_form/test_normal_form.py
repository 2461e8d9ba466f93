"""The normal form of small games, and known results for the games of the lectures."""

from __future__ import annotations

import sys
import tracemalloc
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from equilibria import table
from hypothesis import given, settings
from hypothesis import strategies as st
from random_cases import many, seeds

import zermelo
from zermelo.foundation.deadline import DeadlinePassed, time_limit
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.normal_form.nash import equilibria_of, extreme_equilibria
from zermelo.solvers.normal_form.normal_form import NormalForm, PureStrategy, check_count, normal_form
from zermelo.solvers.normal_form.solution_concepts import (
    best_correlated,
    dominant_strategy,
    eliminate,
    is_efficient,
    is_strict,
    maximin,
    pure_equilibria,
    undominated_payoffs,
)
from zermelo.solvers.tree_building.building import build_tree

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

ROBOTS = (((0, 0), (10, 8)), ((8, 10), (0, 0)))
DILEMMA = (((3, 3), (0, 4)), ((4, 0), (1, 1)))
CHICKEN = (((6, 6), (2, 7)), ((7, 2), (0, 0)))  # Aumann's example of a correlated equilibrium
PENNIES = (((1, -1), (-1, 1)), ((-1, 1), (1, -1)))


def of_game(game):
    machine = game.searching
    return normal_form(build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress), Limits())


def mixtures(game):
    return [profile.mixtures for profile in extreme_equilibria(game, Limits())]


def test_two_robots():
    """Two pure equilibria and the mixed one."""
    game = table(ROBOTS)
    assert pure_equilibria(game) == [(0, 1), (1, 0)]
    assert all(is_strict(game, profile) for profile in pure_equilibria(game))
    assert mixtures(game) == [
        ((1, 0), (0, 1)),
        ((0, 1), (1, 0)),
        ((Fraction(5, 9), Fraction(4, 9)), (Fraction(5, 9), Fraction(4, 9))),
    ]


def test_prisoners_dilemma():
    """Defecting dominates, and both could do better."""
    game = of_game(zermelo.load("prisoners_dilemma"))
    assert [dominant_strategy(game, player) for player in (0, 1)] == [1, 1]
    assert pure_equilibria(game) == [(1, 1)]
    assert not is_efficient(game.payoff((1, 1)), undominated_payoffs(game.payoffs), Limits())
    assert eliminate(game, Limits())[1] == ((1,), (1,))
    assert best_correlated(game, False, Limits()).welfare == 2


def test_payoffs_that_give_one_player_as_much_and_another_less_are_dominated():
    cells = [(Fraction(a), Fraction(b)) for a, b in [(2, 1), (2, 0), (1, 1), (0, 3), (0, 3)]]
    assert undominated_payoffs(cells) == {(2, 1), (0, 3)}


def test_a_strategy_that_is_as_good_somewhere_is_neither_dominated_nor_dominant():
    """The second row never pays Ann more, and as much in one column; her third pays less everywhere."""
    game = table((((2, 0), (1, 0)), ((2, 0), (0, 0)), ((1, 0), (-1, 0))))
    assert eliminate(game, Limits())[1] == ((0, 1), (0, 1))
    assert [dominant_strategy(game, player) for player in (0, 1)] == [None, None]


def worse_than_a_lottery(payoff, payoffs):
    """Whether a lottery over two payoffs of two players is better for both or for one and worse for none; of a single
    payoff, too. Two are enough: what is best in one direction is on an edge of all that lotteries bring."""
    x, y = payoff
    for (a, b), (c, d) in product(payoffs, repeat=2):
        if a >= x and b >= y and (a, b) != (x, y):
            return True
        if a > x > c:  # where the line from the one to the other passes the payoff
            share = (x - c) / (a - c)
            if share * b + (1 - share) * d > y:
                return True
    return False


def judged_tables(seeds):
    """How many equilibria of random tables there are, and how many of them are not efficient though no profile betters
    them. Each is judged as pairs of payoffs judge it."""
    count, mended = 0, 0
    for seed in seeds:
        random = Random(seed)
        rows, columns = random.randint(1, 4), random.randint(1, 4)
        cells = list(product(range(-2, 3), repeat=2))
        if seed % 2:  # who get 2 in turn are better off than with -1
            cells = [(2, -2), (-2, 2), (-1, -1), (-2, -2)]
        game = table([[random.choice(cells) for _ in range(columns)] for _ in range(rows)])
        front = undominated_payoffs(game.payoffs)
        for payoff in {profile.payoff for profile in equilibria_of(game, Limits()).profiles}:
            found = is_efficient(payoff, front, Limits())
            assert found != worse_than_a_lottery(payoff, game.payoffs), (seed, payoff)
            count += 1
            mended += not found and payoff in front
    return count, mended


@pytest.mark.random
def test_what_is_efficient_no_lottery_betters():
    count, mended = judged_tables(seeds(150))
    assert count > 200 and mended > 5


@pytest.mark.parametrize("more", [0, -9])
def test_efficiency_of_three_players(more):
    """Half of each of the first two pays 2 to all. If all amounts are less by as much, it makes no difference."""
    cells = (4, 0, 2), (0, 4, 2), (1, 1, 2), (2, 2, 1)
    payoffs = [tuple(Fraction(amount + more) for amount in each) for each in cells]
    assert [is_efficient(payoff, undominated_payoffs(payoffs), Limits()) for payoff in payoffs] == [
        True,
        True,
        False,
        False,
    ]


def test_matching_pennies():
    game = table(PENNIES)
    assert pure_equilibria(game) == []
    assert mixtures(game) == [((HALF, HALF), (HALF, HALF))]
    assert maximin(game, 0, Limits()) == (0, [HALF, HALF])


def test_correlation_helps_in_chicken():
    """Aumann (1974): private signals from a joint lottery pay more than any mixture of equilibria."""
    found = best_correlated(table(CHICKEN), False, Limits())
    assert found.profiles == {(0, 0): HALF, (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)}
    assert found.welfare == Fraction(21, 2)
    assert best_correlated(table(CHICKEN), True, Limits()).welfare >= found.welfare


def test_a_mixture_dominates():
    """Neither of two rows is better than the third everywhere, half and half is."""
    game = table((((4, 0), (0, 0)), ((0, 0), (4, 0)), ((1, 0), (1, 0))))
    taken, left = eliminate(game, Limits())
    assert [(gone.player, gone.strategy) for gone in taken] == [(0, 2)]
    assert left == ((0, 1), (0, 1))


def test_a_degenerate_game_has_infinitely_many_equilibria():
    """Their vertices are found: B is indifferent, so many of their mixtures are equilibria with one row."""
    game = table((((1, 1), (1, 1)), ((2, 0), (0, 0))))
    assert mixtures(game) == [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((1, 0), (HALF, HALF)), ((0, 1), (HALF, HALF))]


def test_kuhn_poker_by_its_table():
    """27 and 64 reduced strategies; their maximin is the value that the sequence form finds."""
    game = of_game(zermelo.load("kuhn_poker"))
    assert game.counts == (27, 64)
    assert maximin(game, 0, Limits())[0] == Fraction(-1, 18)
    assert maximin(game, 1, Limits())[0] == Fraction(1, 18)


def test_three_players():
    text = """\
game "Odd one out"
players A, B, C
type Side = left | right
start at choose
phase choose:
    together:
        move go_to(s in Side)
    then:
        let same_ab = go_to[A].s == go_to[B].s
        let same_bc = go_to[B].s == go_to[C].s
        if same_ab and same_bc: end payoff {A: 0, B: 0, C: 0}
        if same_ab: end payoff {A: 0, B: 0, C: 3}
        if same_bc: end payoff {A: 3, B: 0, C: 0}
        end payoff {A: 0, B: 3, C: 0}
"""
    solution = zermelo.solve(zermelo.loads(text))
    assert len(pure_equilibria(of_game(zermelo.loads(text)))) == 6
    assert sorted({solution.value, *solution.alternatives}) == [(0, 0, 3), (0, 3, 0), (3, 0, 0)]


def test_ties_are_ruled_out_only_where_all_equilibria_are_known():
    """Mixed equilibria are looked for among two players only."""
    text = """\
game "Left is better"
players {players}
type Side = left | right
start at choose
phase choose:
    together:
        move go_to(s in Side)
    then:
        end payoff {{p: if go_to[p].s == left then 2 else 1 for p in Player}}
"""
    two, three = (zermelo.loads(text.format(players=players)) for players in ("A, B", "A, B, C"))
    assert zermelo.solve(two, "normal_form").alternatives == ()
    assert zermelo.solve(three, "normal_form").alternatives is None


def test_too_many_strategies_are_refused():
    with pytest.raises(ZermeloError) as error:
        of_game(zermelo.load("leduc_poker"))
    assert error.value.code == "too-many-strategies"


def test_any_number_of_strategies_is_told():
    """Python itself writes no number of more than 4,300 digits, unless it is told to, as commands do."""
    machine = (game := zermelo.load("matching_pennies")).searching
    tree = build_tree(machine, game.facts, machine.initial(), Limits(), ignore_progress)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        with pytest.raises(ZermeloError, match=r"A 1,000, B about 10\^5000"):
            check_count(tree, ("A", "B"), (1000, 2 * 10**5000))
    finally:
        sys.set_int_max_str_digits(before)


def test_a_team_that_sees_different_things():
    """Ann sees a coin and may knock; Bob hears the knock and guesses. By agreeing on what it means they always win,
    unless knocking costs: then they are silent and right half of the time."""
    text = """\
game "Knock"
players Ann, Bob
param price: 0..4 = 0
type Side = heads | tails
var coin: Side = heads    seen by Ann
start at toss
phase toss:
    chance:
        outcome toss(s in Side):
            coin := s
            go signal
phase signal:
    turn Ann:
        move knock: go guess(price)
        move wait: go guess(0)
phase guess(cost: 0..4):
    turn Bob:
        move say(s in Side):
            let won = (if s == coin then 4 else 0) - cost
            end payoff {Ann: won, Bob: won}
"""
    free = zermelo.solve(zermelo.loads(text))
    assert free.solver == "team"
    assert free.value == (4, 4)
    assert zermelo.solve(zermelo.loads(text, price=3)).value == (Fraction(5, 2), Fraction(5, 2))
    assert zermelo.solve(zermelo.loads(text, price=4)).value == (2, 2)


@settings(max_examples=many(60))
@given(st.integers(1, 3), st.integers(1, 3), st.data())
def test_random_games(rows, columns, data):
    """The results are equilibria, among them all pure ones; and every game has one (Nash 1950)."""
    game = table(
        [[(data.draw(st.integers(-2, 2)), data.draw(st.integers(-2, 2))) for _ in range(columns)] for _ in range(rows)]
    )
    found = extreme_equilibria(game, Limits())
    assert found
    for profile in found:
        x, y = profile.mixtures
        brings = [
            [sum(w * game.payoff((i, j))[0] for j, w in enumerate(y)) for i in range(rows)],
            [sum(w * game.payoff((i, j))[1] for i, w in enumerate(x)) for j in range(columns)],
        ]
        assert profile.payoff == (max(brings[0]), max(brings[1]))
        assert profile.payoff == tuple(
            sum(x[i] * y[j] * game.payoff((i, j))[p] for i, j in product(range(rows), range(columns))) for p in (0, 1)
        )
    pure = {tuple(mix.index(1) for mix in profile.mixtures) for profile in found if profile.is_pure}
    assert pure == set(pure_equilibria(game))
    _, left = eliminate(game, Limits())
    for profile in found:
        for player, mixture in enumerate(profile.mixtures):
            assert all(k in left[player] for k, weight in enumerate(mixture) if weight)
    welfare = best_correlated(game, False, Limits()).welfare
    assert welfare >= max(sum(profile.payoff) for profile in found)
    assert best_correlated(game, True, Limits()).welfare >= welfare
    assert equilibria_of(game, Limits()).are_all


def test_a_table_whose_cells_are_all_equilibria_takes_no_more_room_than_itself() -> None:
    """150 x 150 cells, and as many equilibria of 300 probabilities each: written out they would take a gigabyte."""
    game = table([[(0, 0)] * 150] * 150)
    tracemalloc.start()
    found = equilibria_of(game, Limits())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found.profiles) == 22_500 and found.are_all
    assert all(profile.is_pure for profile in found.profiles)
    assert most < 50 << 20
    last = found.profiles[-1].mixtures
    assert [tuple(mixture) for mixture in last] == [(0,) * 149 + (1,)] * 2
    assert last[0][-1] == 1 and last[0][148:] == (0, 1) and last[0].index(1) == 149


def test_a_search_for_equilibria_keeps_its_time() -> None:
    game = table([[(i * j % 7, i * j % 5) for j in range(60)] for i in range(60)])
    for work in (
        pure_equilibria,
        lambda game: equilibria_of(game, Limits()),
        lambda game: undominated_payoffs(game.payoffs),
    ):
        with pytest.raises(DeadlinePassed), time_limit(0):
            work(game)


@given(st.lists(st.integers(0, 2), min_size=36, max_size=36))
def test_pure_equilibria_of_three_are_those_that_nobody_leaves(amounts: list[int]) -> None:
    names = tuple(tuple(PureStrategy(frozenset(), str(k)) for k in range(count)) for count in (2, 3, 2))
    cells = [tuple(map(Fraction, amounts[k : k + 3])) for k in range(0, 36, 3)]
    game = NormalForm(("A", "B", "C"), names, cells)
    assert pure_equilibria(game) == [
        profile
        for profile in game.profiles()
        if all(
            game.payoff(other)[player] <= game.payoff(profile)[player]
            for player in range(3)
            for other in game.instead(profile, player)
        )
    ]
