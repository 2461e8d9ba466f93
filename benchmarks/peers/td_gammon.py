"""TD-Gammon in plain Python and numpy, in the usual way: Tesauro's 198 inputs, 40 hidden units, logistic ones, and each
legal play of a roll made on a copy of the board and evaluated by a product with the matrix of weights.

After Tesauro, "Practical issues in temporal difference learning", Machine Learning 8 (1992), with what public programs
have in common. The output is the chance that the first player wins. ``NAME`` is its name in tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import numpy

NAME: Final = "TD-Gammon in numpy"

INPUTS, HIDDEN = 198, 40
ALPHA, LAMBDA = 0.1, 0.7
BAR, MEN = 25, 15

Board = tuple[list[int], list[int]]
"""The men of both players on points 0 (off) to 25 (the bar), as each of them counts."""


def beginning() -> Board:
    """The usual beginning."""
    men = [0] * 26
    men[24], men[13], men[8], men[6] = 2, 5, 3, 5
    return list(men), list(men)


def plays(board: Board, player: int, dice: tuple[int, ...]) -> list[Board]:
    """The boards behind the legal plays: as many dice as possible are played, and of one the larger if it can be."""
    found: dict[tuple[int, ...], Board] = {}
    most = 0
    orders = {dice, dice[::-1]}
    for order in sorted(orders, reverse=True):
        for used, behind in _steps(board, player, order):
            count = len(used)
            if count > most:
                found, most = {}, count
            if count == most:
                found.setdefault((*behind[0], *behind[1]), behind)
        if most == 1 and len(dice) == 2 and found:
            return list(found.values())  # the larger die comes first
    return list(found.values()) or [board]


def _steps(board: Board, player: int, dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Board]]:
    """The dice played in this order as far as possible, with the board behind them."""
    went_on = False
    if dice:
        for place in _movable(board, player, dice[0]):
            went_on = True
            for used, behind in _steps(_moved(board, player, place, dice[0]), player, dice[1:]):
                yield (dice[0], *used), behind
    if not went_on:
        yield (), board


def _movable(board: Board, player: int, die: int) -> Iterator[int]:
    mine, theirs = board[player], board[1 - player]
    places = (BAR,) if mine[BAR] else range(24, 0, -1)
    is_home = not any(mine[7:])
    for place in places:
        if mine[place]:
            if place > die:
                if theirs[25 - place + die] < 2:
                    yield place
            elif is_home and (place == die or not any(mine[place + 1 : 7])):
                yield place


def _moved(board: Board, player: int, place: int, die: int) -> Board:
    behind = list(board[0]), list(board[1])
    mine, theirs = behind[player], behind[1 - player]
    to = max(0, place - die)
    mine[place] -= 1
    mine[to] += 1
    if to and theirs[25 - to]:
        theirs[25 - to] = 0
        theirs[BAR] += 1
    return behind


def inputs(board: Board, turn: int) -> Any:
    """Tesauro's: for each point and player 4 units, the men on the bar and off, and whose turn it is."""
    x = numpy.zeros(INPUTS)
    for player in (0, 1):
        men, first = board[player], 99 * player
        for point in range(1, 25):
            count, at = men[point], first + 4 * (point - 1)
            if count:
                x[at] = 1
                x[at + 1] = count > 1
                x[at + 2] = count > 2
                x[at + 3] = max(0, count - 3) / 2
        x[first + 96] = men[BAR] / 2
        x[first + 97] = men[0] / MEN
        x[first + 98] = turn == player
    return x


class Network:
    """The network, and the traces of its weights."""

    def __init__(self, seed: int) -> None:
        random = numpy.random.default_rng(seed)
        self.hidden = random.uniform(-0.25, 0.25, (HIDDEN, INPUTS))
        self.output = random.uniform(-0.25, 0.25, HIDDEN)
        self.forget()

    def forget(self) -> None:
        """Traces begin anew."""
        self.hidden_trace, self.output_trace = numpy.zeros((HIDDEN, INPUTS)), numpy.zeros(HIDDEN)

    def value(self, x: Any) -> tuple[float, Any]:
        """The output and the hidden units."""
        hidden = 1 / (1 + numpy.exp(-(self.hidden @ x)))
        return float(1 / (1 + numpy.exp(-(self.output @ hidden)))), hidden

    def learn(self, x: Any, later: float) -> None:
        """Bring the output at x nearer to a later one."""
        value, hidden = self.value(x)
        slope = value * (1 - value)
        self.output_trace = LAMBDA * self.output_trace + slope * hidden
        self.hidden_trace = LAMBDA * self.hidden_trace + numpy.outer(slope * self.output * hidden * (1 - hidden), x)
        step = ALPHA * (later - value)
        self.output += step * self.output_trace
        self.hidden += step * self.hidden_trace


def play(network: Network, random: Random) -> int:
    """One game against oneself, with learning; returns the number of turns."""
    board, turns = beginning(), 0
    network.forget()
    first, second = 1, 1
    while first == second:
        first, second = random.randint(1, 6), random.randint(1, 6)
    player, before = int(first < second), None
    while True:
        dice = (first,) * 4 if first == second else (max(first, second), min(first, second))
        sign = 1 if player == 0 else -1
        board = max(plays(board, player, dice), key=lambda each: sign * network.value(inputs(each, 1 - player))[0])
        turns += 1
        is_over = board[player][0] == MEN
        x = inputs(board, 1 - player)
        if before is not None:
            network.learn(before, float(player == 0) if is_over else network.value(x)[0])
        if is_over:
            return turns
        before, player = x, 1 - player
        first, second = random.randint(1, 6), random.randint(1, 6)


def games(count: int, seed: int) -> int:
    """So many games of a new network; returns their number."""
    network, random = Network(seed), Random(seed)
    for _ in range(count):
        play(network, random)
    return count
