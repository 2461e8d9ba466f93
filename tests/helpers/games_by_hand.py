"""Three games of hidden information written without the language, with their values by a linear program in floating
point: what is found in fractions is held against these.

Players remember what they have seen and done, in any form that can be compared. Suits and the order of one's own dice
are left out, which changes the information sets and not the value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import product

import numpy as np
from attrs import define, field
from scipy.optimize import linprog
from scipy.sparse import csr_array


@define
class Player:
    """Sequences by number, the empty one first, and for every information set the sequence that leads there and those
    that go on."""

    sequences: int = 1
    sets: dict = field(factory=dict)

    def go_on(self, seen: Hashable, before: int, action: Hashable) -> int:
        _, options = self.sets.setdefault(seen, (before, {}))
        if action not in options:
            options[action] = self.sequences
            self.sequences += 1
        return options[action]


At = tuple[int, int]
"""The sequences of both players."""

BEGINNING: At = (0, 0)


@define
class Sequences:
    """Both players, and the first one's payoff for each pair of sequences, times its probability."""

    players: tuple[Player, Player] = field(factory=lambda: (Player(), Player()))
    payoffs: dict[At, float] = field(factory=dict)

    def after(self, mover: int, at: At, seen: Hashable, action: Hashable) -> At:
        gone = self.players[mover].go_on(seen, at[mover], action)
        return (gone, at[1]) if mover == 0 else (at[0], gone)

    def end(self, at: At, amount: float) -> None:
        self.payoffs[at] = self.payoffs.get(at, 0.0) + amount

    def value(self) -> float:
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


def matrix(entries: Iterable[tuple[int, int, float]], rows: int, columns: int) -> csr_array:
    at, to, factors = zip(*entries, strict=True)
    return csr_array((factors, (at, to)), shape=(rows, columns))


SMALL_RAISE, LARGE_RAISE = 2, 4


def leduc_poker(ranks: int) -> Sequences:
    """With two cards of each rank."""
    game = Sequences()

    def bet(cards, board, chance, heard, paid, mover, at) -> None:
        """``heard`` are all bets so far."""

        def after(action: str) -> At:
            return game.after(mover, at, (cards[mover], board, heard), action)

        raises = heard.partition("/")[2].count("r") if board is not None else heard.count("r")
        if paid[0] == paid[1]:
            if mover == 0:
                bet(cards, board, chance, heard + "k", paid, 1, after("k"))
            else:
                close(cards, board, chance, heard + "k", paid, after("k"))
        else:
            game.end(after("f"), chance * (-paid[0] if mover == 0 else paid[1]))
            close(cards, board, chance, heard + "c", (max(paid),) * 2, after("c"))
        if raises < 2:
            more = paid[1 - mover] + (SMALL_RAISE if board is None else LARGE_RAISE)
            raised = (more, paid[1]) if mover == 0 else (paid[0], more)
            bet(cards, board, chance, heard + "r", raised, 1 - mover, after("r"))

    def close(cards, board, chance, heard, paid, at) -> None:
        if board is None:
            for rank in range(ranks):
                left = 2 - cards.count(rank)
                bet(cards, rank, chance * left / (2 * ranks - 2), heard + "/", paid, 0, at)
            return
        mine, his = ((card == board, card) for card in cards)
        if mine != his:
            game.end(at, chance * paid[0] if mine > his else -chance * paid[0])

    for first, second in product(range(ranks), repeat=2):
        pairs = 2 if first == second else 4
        bet((first, second), None, pairs / (2 * ranks * (2 * ranks - 1)), "", (1, 1), 0, BEGINNING)
    return game


def kuhn_poker(cards: int) -> Sequences:
    game = Sequences()
    for mine, his in product(range(cards), repeat=2):
        if mine != his:
            chance = 1 / (cards * (cards - 1))
            won = chance if mine > his else -chance
            checked = game.after(0, BEGINNING, mine, "check")
            game.end(game.after(1, checked, (his, "checked"), "check"), won)
            raised = game.after(1, checked, (his, "checked"), "bet")
            game.end(game.after(0, raised, (mine, "raised"), "fold"), -chance)
            game.end(game.after(0, raised, (mine, "raised"), "call"), 2 * won)
            bet = game.after(0, BEGINNING, mine, "bet")
            game.end(game.after(1, bet, (his, "bet"), "fold"), chance)
            game.end(game.after(1, bet, (his, "bet"), "call"), 2 * won)
    return game


def liars_dice(dice: int, sides: int) -> Sequences:
    """Bids are numbered in their order. The highest face counts as any."""
    game = Sequences()
    last = 2 * dice * sides

    def turn(rolls, chance, bids, at) -> None:
        mover = len(bids) % 2
        seen = (rolls[mover], bids)
        if bids:
            quantity, face = divmod(bids[-1], sides)
            shown = sum(die in (face, sides - 1) for roll in rolls for die in roll)
            bidder_wins = shown > quantity
            won = chance if bidder_wins == (mover == 1) else -chance
            game.end(game.after(mover, at, seen, "liar"), won)
        for bid in range(bids[-1] + 1 if bids else 0, last):
            turn(rolls, chance, (*bids, bid), game.after(mover, at, seen, bid))

    for (first, share), (second, other) in product(rolls_of(dice, sides), repeat=2):
        turn((first, second), share * other, (), BEGINNING)
    return game


def rolls_of(dice: int, sides: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Each roll in order, with its probability."""
    rolls = Counter(tuple(sorted(roll)) for roll in product(range(sides), repeat=dice))
    for roll, times in rolls.items():
        yield roll, times / sides**dice
