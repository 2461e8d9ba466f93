"""Dark hex when both place at random, against a second program, which keeps positions and beliefs and no histories.

Of 3 by 3, with 19,119,486,979 histories too large for a tree, the same recursions give 1/3 to Red for random play and,
if values of beliefs are kept, 1 to Red and about 0.832804 to Blue for the best against it."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import zermelo
from zermelo.policies.exploiting import UNIFORM, exploitations
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.normal_form.nash import equilibria_of
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.solvers.normal_form.solution_concepts import dominant_strategy, pure_equilibria
from zermelo.solvers.tree_building.building import build_tree


class Board:
    """Cells are pairs of numbers, sets of them frozen. Player 0 joins the first and the last column, 1 the rows."""

    def __init__(self, size):
        self.size = size
        self.cells = frozenset((x, y) for x in range(size) for y in range(size))
        self.joined = cache(self.joined)
        self.random = cache(self.random)

    def joined(self, player, stones):
        reached, waiting = set(), [cell for cell in stones if cell[player] == 0]
        while waiting:
            x, y = cell = waiting.pop()
            if cell in reached:
                continue
            reached.add(cell)
            around = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1)}
            waiting += around & stones
        return any(cell[player] == self.size - 1 for cell in reached)

    def random(self, player, mine, met, others, met_by_other):
        """What a position is worth to the player to move, and its histories, if both place at random."""
        value, histories = Fraction(0), 1
        free = self.cells - mine - met
        for cell in free:
            if cell in others:
                worth, behind = self.random(player, mine, met | {cell}, others, met_by_other)
            elif self.joined(player, mine | {cell}):
                worth, behind = Fraction(1), 1
            else:
                lost, behind = self.random(1 - player, others, met_by_other, mine | {cell}, met)
                worth = -lost
            value += worth / len(free)
            histories += behind
        return value, histories

    def reply(self, player, mine, belief):
        """The other places at random. The belief: how likely which stones they have, and which of mine they have met.
        The probability that they win, and the belief after their stone."""
        lost, after, waiting = Fraction(0), defaultdict(Fraction), [(*state, share) for state, share in belief.items()]
        while waiting:
            others, met, share = waiting.pop()
            free = self.cells - others - met
            for cell in free:
                if cell in mine:
                    waiting.append((others, met | {cell}, share / len(free)))
                elif self.joined(1 - player, others | {cell}):
                    lost += share / len(free)
                else:
                    after[others | {cell}, met] += share / len(free)
        return lost, after

    def best(self, player, mine, met, belief):
        """The most that a player to move has from here on, times the probability of the belief."""
        if not belief:
            return Fraction(0)
        values = []
        for cell in self.cells - mine - met:
            taken = {state: share for state, share in belief.items() if cell in state[0]}
            free = {state: share for state, share in belief.items() if cell not in state[0]}
            value = self.best(player, mine, met | {cell}, taken)
            if self.joined(player, mine | {cell}):
                value += sum(free.values())
            else:
                lost, after = self.reply(player, mine | {cell}, free)
                value += self.best(player, mine | {cell}, met, after) - lost
            values.append(value)
        return max(values)


@pytest.mark.parametrize("size", [1, 2])
def test_random_play_and_the_best_against_it_are_those_of_a_second_program(size):
    board, none = Board(size), frozenset()
    worth, histories = board.random(0, none, none, none, none)
    sure = {(none, none): Fraction(1)}
    lost, after = board.reply(1, none, sure)
    bests = [board.best(0, none, none, sure), board.best(1, none, none, after) - lost]
    game = zermelo.load("dark_hex", size=size)
    _, answers = exploitations(UNIFORM, game.initial, Limits(), ignore_progress)
    assert [each.value for each in answers] == [worth, -worth]
    assert [each.best for each in answers] == bests
    tree = build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    assert tree.histories == histories


# Blind tic-tac-toe on small boards, against a second formulation of its rules in plain Python with its own linear
# program. Three by two with three in a row, worth 0 in both, takes too long for a test.


BOARDS = [(2, 1, 2), (3, 1, 2), (3, 1, 3), (2, 2, 2), (3, 2, 2)]


class Blind:
    """All plays. Players know their own attempts in order, and which of them hit a taken cell."""

    def __init__(self, width, height, run):
        self.cells = list(product(range(width), range(height)))
        self.lines = [
            line
            for (x, y), (right, up) in product(self.cells, [(1, 0), (0, 1), (1, 1), (1, -1)])
            if set(line := [(x + k * right, y + k * up) for k in range(run)]) <= set(self.cells)
        ]
        self.histories = 0
        self.sets = ({}, {})  # information sets of each player, with the cells that they may try
        self.leaves = []  # the knowledge of both, and the payoff of the first
        self.play({}, ((), ()), 0)

    def play(self, board, known, player):
        self.histories += 1
        if any(all(board.get(cell) == 1 - player for cell in line) for line in self.lines):
            self.leaves.append((*known, 2 * player - 1))
            return
        if len(board) == len(self.cells):
            self.leaves.append((*known, 0))
            return
        tried = [cell for cell, _ in known[player]]
        options = [cell for cell in self.cells if cell not in tried]
        assert self.sets[player].setdefault(known[player], options) == options
        for cell in options:
            was_free = cell not in board
            learned = list(known)
            learned[player] = (*known[player], (cell, was_free))
            after = {**board, cell: player} if was_free else board
            self.play(after, tuple(learned), 1 - player if was_free else player)


def value(game):
    """The first player's value: the most that a realization plan secures (Koller, Megiddo and von Stengel 1994). A
    sequence is a player's last move with the information set in which they made it."""
    optimize = pytest.importorskip("scipy.optimize")
    sparse = pytest.importorskip("scipy.sparse")
    sequences = [[(), *((state, cell) for state, cells in known.items() for cell in cells)] for known in game.sets]
    places = [{sequence: k for k, sequence in enumerate(own)} for own in sequences]
    sets = [[(), *known] for known in game.sets]
    payoffs = sparse.lil_array((len(sequences[0]), len(sequences[1])))
    for first, second, payoff in game.leaves:
        payoffs[places[0][last(first)], places[1][last(second)]] += payoff
    plans = []
    for own, place, known in zip(sequences, places, sets, strict=True):
        plan = sparse.lil_array((len(known), len(own)))
        plan[0, 0] = 1
        for row, state in enumerate(known[1:], 1):
            plan[row, place[last(state)]] -= 1
            for sequence in own[1:]:
                if sequence[0] == state:
                    plan[row, place[sequence]] += 1
        plans.append(plan)
    # maximize q[0] over plans x and numbers q with plans[1]' q <= payoffs' x
    count, rows = len(sequences[0]), len(sets[1])
    found = optimize.linprog(
        [0] * count + [-1] + [0] * (rows - 1),
        A_ub=sparse.hstack([-payoffs.T, plans[1].T]).tocsr(),
        b_ub=[0] * len(sequences[1]),
        A_eq=sparse.hstack([plans[0], sparse.csr_array((len(sets[0]), rows))]).tocsr(),
        b_eq=[1] + [0] * (len(sets[0]) - 1),
        bounds=[(0, None)] * count + [(None, None)] * rows,
    )
    assert found.status == 0
    return -found.fun


def last(known):
    """The sequence that leads to an information set."""
    return (known[:-1], known[-1][0]) if known else ()


@pytest.mark.parametrize(("width", "height", "run"), BOARDS)
def test_the_rules_and_the_value_are_those_of_a_second_program(width, height, run):
    theirs = Blind(width, height, run)
    game = zermelo.load("blind_tic_tac_toe", width=width, height=height, run=run)
    tree = build_tree(game.searching, game.facts, game.searching.initial(), Limits(), ignore_progress)
    assert tree.histories == theirs.histories
    assert len(tree.information_sets) == sum(map(len, theirs.sets))
    solution = zermelo.solve(game)
    assert solution.exact
    assert float(solution.value[0]) == pytest.approx(value(theirs), abs=1e-7)


# Games of hidden information: published values, and values from other computations.


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
    assert [dominant_strategy(table, player) for player in (0, 1)] == [None, None]


def test_the_best_of_fireworks_is_the_best_profile_of_its_table():
    table = table_of("fireworks", turns=2)
    solution = zermelo.solve(zermelo.load("fireworks", turns=2))
    assert solution.solver == "team"
    assert solution.value[0] == max(payoff[0] for payoff in table.payoffs) == Fraction(7, 6)
