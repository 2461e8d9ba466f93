"""Blind tic-tac-toe on small boards, against a second formulation of its rules in plain Python with its own linear
program. Three by two with three in a row, worth 0 in both, takes too long for a test."""

from __future__ import annotations

from itertools import product

import pytest

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.tree_building.building import build_tree

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
