"""The graph of positions of pig, written down without the rules of the bundled game.

Two players take turns. Whoever is on turn throws a die as often as they like: a 1 ends the turn, anything else adds to
the pot; or holds, which adds the pot to their score and ends the turn. Who comes to the ``target`` first wins 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from fractions import Fraction

from zermelo.solvers.positions.graph.graph import DRAWS, PAYS, PositionGraph


def pig(target: int) -> PositionGraph:
    """The positions of pig in which somebody decides or throws. Ends are numbered 1 and 2: the first player wins, and
    loses."""
    numbers: dict[tuple[int, int, int, int], int] = {}
    for mine in range(target):
        for other in range(target):
            for pot in range(target - mine):
                for player in (0, 1):
                    numbers[player, mine, other, pot] = 0
    order = iter(range(len(numbers)))
    place = {key: 2 * number for key, number in zip(numbers, order, strict=True)}  # followed by its throw
    place = {key: number if number == 0 else number + 2 for key, number in place.items()}
    throws = {key: number + (3 if number == 0 else 1) for key, number in place.items()}
    rows: dict[int, tuple[int, list[int]]] = {1: (PAYS - 1, []), 2: (PAYS - 2, [])}
    for (player, mine, other, pot), number in place.items():
        key = player, mine, other, pot
        held = 1 + player if mine + pot >= target else place[1 - player, other, mine + pot, 0]
        rows[number] = player, [throws[key], held] if pot else [throws[key]]
        thrown = list(_throws(place, player, mine, other, pot, target))
        rows[throws[key]] = DRAWS, thrown
    kinds, firsts, targets = array("b"), array("i", [0]), array("i")
    for number in range(len(rows)):
        kind, edges = rows[number]
        kinds.append(kind)
        targets.extend(edges)
        firsts.append(len(targets))
    amounts = ((Fraction(0),) * 2, (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    return PositionGraph(("Ann", "Bob"), kinds, firsts, targets, [1] * len(targets), None, amounts)


def _throws(
    place: dict[tuple[int, int, int, int], int], player: int, mine: int, other: int, pot: int, target: int
) -> Iterator[int]:
    yield place[1 - player, other, mine, 0]
    for n in range(2, 7):
        if mine + pot + n >= target:
            yield 1 + player  # they hold
        else:
            yield place[player, mine, other, pot + n]
