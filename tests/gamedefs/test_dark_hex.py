"""Dark hex when both place at random, against a second program, which keeps positions and beliefs and no histories.

Of 3 by 3, with 19,119,486,979 histories too large for a tree, the same recursions give 1/3 to Red for random play and,
if values of beliefs are kept, 1 to Red and about 0.832804 to Blue for the best against it.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest

import zermelo
from zermelo.policies.exploiting import UNIFORM, exploitations
from zermelo.solvers.common.limits import Limits, ignore_progress
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
