"""Leduc poker with five ranks, compared with a linear program written here by hand, in floating point.

It has no suits, which only matter for the number of remaining cards of a rank. So it is smaller, with other information
sets and the same value.
"""

from __future__ import annotations

import numpy as np
import pytest
from attrs import define, field
from scipy.optimize import linprog
from scipy.sparse import csr_array

import zermelo
from zermelo import gamedefs
from zermelo.solvers.common.limits import Limits
from zermelo.solving import solve_knowing

RANKS = 5
SMALL_RAISE, LARGE_RAISE = 2, 4


@define
class Player:
    """Sequences by number, the empty one first, and for every information set the sequence that leads there and those
    that go on."""

    sequences: int = 1
    sets: dict = field(factory=dict)

    def go_on(self, seen, before, action):
        _, options = self.sets.setdefault(seen, (before, {}))
        if action not in options:
            options[action] = self.sequences
            self.sequences += 1
        return options[action]


@define
class Leduc:
    """Both players, and the first one's payoff for each pair of sequences, times its probability."""

    players: tuple[Player, Player] = field(factory=lambda: (Player(), Player()))
    payoffs: dict = field(factory=dict)

    def deal(self):
        for first in range(RANKS):
            for second in range(RANKS):
                pairs = 2 if first == second else 4
                chance = pairs / (2 * RANKS * (2 * RANKS - 1))
                self.bet((first, second), None, chance, "", (1, 1), 0, (0, 0))

    def bet(self, cards, board, chance, heard, paid, mover, at):
        """``heard`` are all bets so far; ``at`` are the sequences of both players."""

        def after(action):
            gone = self.players[mover].go_on((cards[mover], board, heard), at[mover], action)
            return (gone, at[1]) if mover == 0 else (at[0], gone)

        raises = heard.partition("/")[2].count("r") if board is not None else heard.count("r")
        if paid[0] == paid[1]:
            if mover == 0:
                self.bet(cards, board, chance, heard + "k", paid, 1, after("k"))
            else:
                self.close(cards, board, chance, heard + "k", paid, after("k"))
        else:
            self.end(after("f"), chance * (-paid[0] if mover == 0 else paid[1]))
            self.close(cards, board, chance, heard + "c", (max(paid),) * 2, after("c"))
        if raises < 2:
            more = paid[1 - mover] + (SMALL_RAISE if board is None else LARGE_RAISE)
            raised = (more, paid[1]) if mover == 0 else (paid[0], more)
            self.bet(cards, board, chance, heard + "r", raised, 1 - mover, after("r"))

    def close(self, cards, board, chance, heard, paid, at):
        if board is None:
            for rank in range(RANKS):
                left = 2 - cards.count(rank)
                self.bet(cards, rank, chance * left / (2 * RANKS - 2), heard + "/", paid, 0, at)
            return
        mine, his = ((card == board, card) for card in cards)
        if mine != his:
            self.end(at, chance * paid[0] if mine > his else -chance * paid[0])

    def end(self, at, amount):
        self.payoffs[at] = self.payoffs.get(at, 0.0) + amount

    def value(self):
        """The first player's, by the linear program of von Stengel (1996)."""
        mine, his = self.players
        columns = mine.sequences + 1 + len(his.sets)
        plan, answers = [(0, 0, 1.0)], [(0, mine.sequences, 1.0)]
        for row, (before, options) in enumerate(mine.sets.values(), 1):
            plan += [(row, before, -1.0), *((row, option, 1.0) for option in options.values())]
        for k, (before, options) in enumerate(his.sets.values(), mine.sequences + 1):
            answers += [(before, k, -1.0), *((option, k, 1.0) for option in options.values())]
        answers += [(other, own, -amount) for (own, other), amount in self.payoffs.items()]
        found = linprog(
            -np.eye(columns)[mine.sequences],
            A_ub=matrix(answers, his.sequences, columns),
            b_ub=np.zeros(his.sequences),
            A_eq=matrix(plan, len(mine.sets) + 1, columns),
            b_eq=np.eye(len(mine.sets) + 1)[0],
            bounds=[(0, None)] * mine.sequences + [(None, None)] * (columns - mine.sequences),
        )
        return -found.fun


def matrix(entries, rows, columns):
    at, to, factors = zip(*entries, strict=True)
    return csr_array((factors, (at, to)), shape=(rows, columns))


def test_leduc_poker_of_five_ranks_has_the_value_of_another_program():
    """And within 64 MB: 1,876 of its equations form a block, which would take 141 MB as a dense matrix."""
    text = gamedefs.path("leduc_poker").read_text(encoding="utf-8").partition("expect")[0]
    assert "J < Q < K" in text
    text = text.replace("J < Q < K", "A < B < C < D < E").replace('"J" = J, "Q" = Q, "K" = K', '"1" = A, "2" = B')
    game = zermelo.loads(text)
    solution = solve_knowing(game.facts, game, limits=Limits(memory=64 << 20))
    assert solution.exact
    leduc = Leduc()
    leduc.deal()
    assert float(solution.value[0]) == pytest.approx(leduc.value(), abs=1e-9)
