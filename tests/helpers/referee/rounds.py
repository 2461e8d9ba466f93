"""Moves at once, in graphs of positions: exact matrix games, and in circles an interval around the value.

Every position is solved from what lies behind it. Without circles that is all. With circles it is done again and again,
from numbers below all that a play may pay, and from numbers above. A play of which only the first k moves are made, and
which is then paid the lower numbers, brings at most what the whole play brings; so the value is never left out,
although the interval need not become narrow (Everett 1957, "Recursive games").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import floor

from referee.matrix_games import matrix_game
from referee.positions import Node, Step, endless_number, read
from zermelo.solvers.positions.graph.graph import PositionGraph

PARTS = 1 << 64
"""Numbers in circles are rounded outward to this denominator."""


def round_numbers(graph: PositionGraph, wants: Sequence[int]) -> list[Fraction | None]:
    """The number of every position of a graph without circles, None within a round. In a round at most one player wants
    more and one less, or all want the same."""
    nodes = read(graph)
    found: dict[int, Fraction] = {}

    def number(p: int) -> Fraction:
        if p not in found:
            found[p] = one_step(nodes, wants, p, number)
        return found[p]

    return [None if node.is_within else number(p) for p, node in enumerate(nodes)]


def round_intervals(graph: PositionGraph, wants: Sequence[int], times: int) -> list[tuple[Fraction, Fraction] | None]:
    """Numbers between which the number of every position lies, None within a round. Something may be earned only with a
    discount."""
    nodes = read(graph)
    assert graph.discount < 1 or graph.rewards is None, "what is earned has no bounds"
    endless = endless_number(graph)
    assert endless is not None
    paid = [node.payoff[0] for node in nodes if node.is_end]
    earned = [step.earned for node in nodes for step in node.steps]
    longest = Fraction(0)
    if graph.discount < 1:
        # From wherever chance alone goes on, a decision or the end is reached within as many moves as there are
        # positions, with at least this probability, if it is reached at all.
        least = min((step.chance for node in nodes for step in node.steps if step.chance), default=Fraction(1))
        longest = len(nodes) / least ** len(nodes) / (1 - graph.discount)
    low = min([*paid, endless, Fraction(0)]) + longest * min([*earned, Fraction(0)])
    high = max([*paid, endless, Fraction(0)]) + longest * max([*earned, Fraction(0)])
    lows, highs = [low] * len(nodes), [high] * len(nodes)
    for _ in range(times):
        lows = [
            lows[p]
            if node.is_within
            else max(lows[p], Fraction(floor(one_step(nodes, wants, p, lows.__getitem__) * PARTS), PARTS))
            for p, node in enumerate(nodes)
        ]
        highs = [
            highs[p]
            if node.is_within
            else min(highs[p], Fraction(-floor(-one_step(nodes, wants, p, highs.__getitem__) * PARTS), PARTS))
            for p, node in enumerate(nodes)
        ]
    return [None if node.is_within else (lows[p], highs[p]) for p, node in enumerate(nodes)]


def one_step(nodes: Sequence[Node], wants: Sequence[int], p: int, number: Callable[[int], Fraction]) -> Fraction:
    """The number of a position, from those of the positions after its edges, or after its round."""
    node = nodes[p]

    def worth(step: Step) -> Fraction:
        return step.earned + step.factor * number(step.target)

    if node.is_end:
        return node.payoff[0]
    if node.player is None:
        return sum((step.chance * worth(step) for step in node.steps), Fraction(0))
    if not nodes[node.steps[0].target].is_within:
        return (max if wants[node.player] == 1 else min)(map(worth, node.steps))
    choosers = round_choosers(nodes, p)
    sides = {wants[chooser] for chooser in choosers}
    if len(sides) == 1:
        return (max if sides == {1} else min)(each for _, each in round_ends(nodes, p, worth))
    assert len(choosers) == 2, "a matrix game"
    matrix = [[first.earned + worth(second) for second in nodes[first.target].steps] for first in node.steps]
    if wants[choosers[0]] == 1:
        return matrix_game(matrix)[0]
    return -matrix_game([[-entry for entry in row] for row in matrix])[0]


def round_choosers(nodes: Sequence[Node], p: int) -> list[int]:
    """Those who choose in the round that begins here, in their order."""
    found = []
    while True:
        player = nodes[p].player
        assert player is not None
        found.append(player)
        p = nodes[p].steps[0].target
        if not nodes[p].is_within:
            return found


def round_ends(
    nodes: Sequence[Node], p: int, worth: Callable[[Step], Fraction]
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """What every joint choice of a round is worth."""
    for k, step in enumerate(nodes[p].steps):
        if nodes[step.target].is_within:
            for choice, each in round_ends(nodes, step.target, worth):
                yield (k, *choice), step.earned + each
        else:
            yield (k,), worth(step)
