"""A component, prepared for solvers that compute with it again and again.

Its positions are numbered from 0; what lies outside is :data:`AWAY`, and all numbers there are known. So an edge, and
the draw of a chance position, is a *row*: what it brings at once, and the shares with which the play goes on in the
component. It is worth::

    sum of share * worth(position), plus what it brings

The shares of a row sum to 1, that of ``AWAY`` included, which also takes what a discount takes off. Since ``AWAY`` is
worth 0, and is the last entry of every list of numbers, no formula needs an exception.

Numbers are of any kind that can be added, multiplied, divided and compared: rationals or balls of FLINT, or floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, field

from zermelo.interpreter.machine import CHANCE
from zermelo.solvers.positions.contest import Component, Contest

AWAY: Final = -1
"""What lies outside of a component, or will never be played since the game is discounted."""

Number = Any
"""A number of one kind."""

Row = tuple[Number, tuple[tuple[int, Number], ...]]
"""What an edge or a draw brings at once, and the positions where the play goes on, each with its share."""

Policy = list[int]
"""For each position the number of the row that is taken: 0 where chance draws."""


@define(eq=False)
class Arena:
    """A component: ``signs[p]`` is 1 if the player who decides in ``p`` wants more, -1 if less, and 0 if chance draws;
    ``rows[p]`` has a row for each edge of a player, and one for all edges of chance."""

    signs: list[int] = field(factory=list)
    rows: list[list[Row]] = field(factory=list)

    def __len__(self) -> int:
        return len(self.signs)

    def worth(self, row: Row, values: Sequence[Number]) -> Number:
        """What a row is worth; the last of the ``values`` is that of ``AWAY``."""
        total, shares = row
        for there, share in shares:
            total = total + share * values[there]
        return total

    def inside(self, row: Row) -> Iterator[int]:
        """The positions of the component where the play goes on."""
        return (there for there, _ in row[1] if there != AWAY)

    def leaves(self, row: Row) -> bool:
        """Whether the play may go on outside."""
        return any(there == AWAY for there, _ in row[1])


def arena(
    contest: Contest, component: Component, known: Callable[[int], Number], number: Callable[[Fraction], Number]
) -> Arena:
    """The arena of a component; ``known`` gives the numbers of the positions outside, and ``number`` makes one of the
    same kind."""
    graph = contest.graph
    place = {position: p for p, position in enumerate(component)}
    amounts = [number(amount[0]) for amount in graph.amounts]
    nothing, whole, discount = number(Fraction(0)), number(Fraction(1)), number(graph.discount)
    lost = number(1 - graph.discount)

    def earned(edge: int) -> Number:
        return nothing if graph.rewards is None else amounts[graph.rewards[edge]]

    def decided(position: int, edge: int) -> Row:
        target = graph.targets[edge]
        is_discounted = graph.factor(position, edge) != 1
        if target not in place:
            behind = known(target)
            return earned(edge) + (discount * behind if is_discounted else behind), ((AWAY, whole),)
        if is_discounted:
            return earned(edge), ((place[target], discount), (AWAY, lost))
        return earned(edge), ((place[target], whole),)

    def drawn(position: int) -> Row:
        brings, shares = nothing, {}
        for edge, probability in zip(graph.edges(position), graph.probabilities(position), strict=True):
            share, target = number(probability), graph.targets[edge]
            there = place.get(target, AWAY)
            brings = brings + share * (earned(edge) if there != AWAY else earned(edge) + known(target))
            shares[there] = shares[there] + share if there in shares else share
        return brings, tuple(shares.items())

    made = Arena()
    for position in component:
        if graph.actor(position) == CHANCE:
            made.signs.append(0)
            made.rows.append([drawn(position)])
        else:
            made.signs.append(contest.wants[graph.kinds[position]])
            made.rows.append([decided(position, edge) for edge in graph.edges(position)])
    return made
