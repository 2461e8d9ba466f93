"""Capture the flag against a second program, in which pieces are a dictionary and every step is looked at by itself.

Both are walked in parallel. At every history the same player is to move, with the same moves; what the player has
perceived tells the same histories apart in both programs; and the payoffs at the end are the same.
"""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve, field, frozen

import zermelo
from zermelo.interpreter.machine import END

RANKS = ("flag", "spy", "scout", "miner", "captain", "marshal", "bomb")
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


@frozen
class Position:
    """Pieces by cell, as ``(player, rank)``, those in hand, and what each player has perceived."""

    columns: int
    rows: int
    deep: int
    left: int
    hands: tuple[tuple[str, ...], ...]
    pieces: dict = field(factory=dict)
    player: int = 0
    perceived: tuple[tuple, tuple] = ((), ())
    winner: int | None = None

    def moves(self):
        """The moves of the player, as texts: the rank that is deployed, or from where to where."""
        if self.winner is not None or self.left < 0:
            return {}
        if self.hands[self.player]:
            return {f"deploy({rank})": (rank,) for rank in self.hands[self.player]}
        return {
            f"go_to({name(start)}, {name(goal)})": (start, goal)
            for start, (player, rank) in self.pieces.items()
            if player == self.player and rank not in ("flag", "bomb")
            for step in STEPS
            for goal in self.goals(start, step, self.columns + self.rows if rank == "scout" else 1)
        }

    def after(self, move):
        return self.deployed(*move) if len(move) == 1 else self.gone(*move)

    def goals(self, start, step, most):
        """The cells in one direction, up to the first piece."""
        x, y = start
        for _ in range(most):
            x, y = x + step[0], y + step[1]
            if not (1 <= x <= self.columns and 1 <= y <= self.rows) or self.pieces.get((x, y), ("",))[0] == self.player:
                return
            yield x, y
            if (x, y) in self.pieces:
                return

    def told(self, mine, others):
        """What both have perceived, after the player to move perceives one thing and the other one another."""
        after = list(self.perceived)
        after[self.player] += (mine,)
        after[1 - self.player] += (others,)
        return tuple(after)

    def deployed(self, rank):
        hand = list(self.hands[self.player])
        hand.remove(rank)
        first = 1 if self.player == 0 else self.rows - self.deep + 1
        cell = next((x, y) for y in range(first, self.rows + 1) for x in range(1, self.columns + 1)
                    if (x, y) not in self.pieces)  # fmt: skip
        hands = (tuple(hand), self.hands[1]) if self.player == 0 else (self.hands[0], tuple(hand))
        return evolve(
            self,
            hands=hands,
            pieces={**self.pieces, cell: (self.player, rank)},
            player=self.player if hand else 1 - self.player,
            perceived=self.told(rank, "deployed"),
        )

    def gone(self, start, goal):
        pieces = dict(self.pieces)
        mine, his = pieces.pop(start), pieces.pop(goal, None)
        ranks = (mine[1], his and his[1])
        if his is None or strength(*ranks) > 0:
            pieces[goal] = mine
        elif strength(*ranks) < 0:
            pieces[goal] = his
        seen = start, goal, ranks if his else ()
        after = evolve(self, pieces=pieces, player=1 - self.player, left=self.left - 1, perceived=self.told(seen, seen))
        if ranks[1] == "flag":
            return evolve(after, winner=self.player)
        return after.judged()

    def judged(self):
        """The position, ended if all moves have been made or there is none."""
        if self.left == 0:
            return evolve(self, left=-1)
        return self if self.moves() else evolve(self, winner=1 - self.player)


def strength(rank, attacked):
    """Above 0 if the attacker wins, 0 if both are lost, below 0 if the attacker is lost."""
    if (rank, attacked) in {("spy", "marshal"), ("miner", "bomb")}:
        return 1
    return RANKS.index(rank) - RANKS.index(attacked)


def name(cell):
    return f"{'abcdefghij'[cell[0] - 1]}{cell[1]}"


def beginning(columns=3, rows=3, deep=1, moves=6, marshals=1, captains=0, miners=0, spies=0, bombs=1):
    army = ["flag", *["marshal"] * marshals, *["captain"] * captains, *["miner"] * miners, *["spy"] * spies]
    army += ["bomb"] * bombs
    army += ["scout"] * (columns * deep - len(army))
    return Position(columns, rows, deep, moves, (tuple(army), tuple(army)))


class Comparison:
    """Both programs side by side, with what has been perceived so far in one and in the other."""

    def __init__(self, **parameters):
        self.machine = zermelo.load("capture_the_flag", **parameters).searching
        self.first = self.machine.initial(), beginning(**parameters)
        self.here, self.there = {}, {}

    def after(self, ours, theirs):
        """All pairs of positions a move later, once these have been compared."""
        actor, moves = self.machine.actor(ours), theirs.moves()
        assert (actor == END) == (not moves)
        if not moves:
            worth = 0 if theirs.winner is None else 1 - 2 * theirs.winner
            assert tuple(self.machine.payoff(ours)) == (worth, -worth)
            return []
        assert actor == theirs.player
        mine, his = (actor, self.machine.information_state(ours, actor)), (actor, theirs.perceived[actor])
        assert self.here.setdefault(mine, his) == his
        assert self.there.setdefault(his, mine) == mine
        found = {str(move): self.machine.after(ours, move) for move in self.machine.moves(ours)}
        assert found.keys() == moves.keys()
        return [(found[text], theirs.after(moves[text])) for text in sorted(moves)]


def test_all_plays_on_three_by_three_with_scouts():
    both = Comparison(bombs=0, moves=4)
    waiting, ends = [both.first], 0
    while waiting:
        pairs = both.after(*waiting.pop())
        ends += not pairs
        waiting += pairs
    assert ends > 1000


@pytest.mark.parametrize(
    ("parameters", "plays"),
    [
        ({}, 200),
        ({"columns": 4, "captains": 1, "spies": 1, "bombs": 0, "moves": 30}, 100),
        ({"columns": 4, "rows": 6, "deep": 2, "miners": 2, "spies": 1, "bombs": 2, "moves": 200}, 20),
    ],
)
def test_random_plays_of_larger_armies(parameters, plays):
    both, random, wins = Comparison(**parameters), Random(1), 0
    for _ in range(plays):
        pair, pairs = None, [both.first]
        while pairs:
            pair = random.choice(pairs)
            pairs = both.after(*pair)
        wins += pair[1].winner is not None
    assert wins > 0
