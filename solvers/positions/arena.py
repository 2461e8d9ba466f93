"""A component, prepared for solvers that compute with it again and again.

Its positions are numbered from 0; what lies outside is :data:`AWAY`, and all numbers there are known. So an edge, and
the draw of a chance position, is a *row*: what it brings at once, and the shares with which the play goes on in the
component. It is worth::

    what it brings, plus the sum of share * worth(position)

The shares of a row sum to 1, that of ``AWAY`` included, which also takes what a discount takes off. Since ``AWAY`` is
worth 0, and is the last entry of every list of numbers, no formula needs an exception.

Numbers are of any kind that can be added, multiplied, divided and compared: rationals or balls of FLINT, or floats.
A row that may lead to an infinite number outside brings that (:mod:`zermelo.solvers.positions.leaving`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, field

from zermelo.solvers.common.numbers import Infinite
from zermelo.solvers.positions.contest import Component, Contest
from zermelo.solvers.positions.graph import PositionGraph

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
    """Some ``positions`` of a component: ``signs[p]`` is 1 if the player who decides in ``p`` wants more, -1 if less,
    and 0 if chance draws; ``rows[p]`` has a row for each of the ``edges[p]`` of a player, and one for all of chance."""

    positions: Sequence[int]
    signs: list[int] = field(factory=list)
    rows: list[list[Row]] = field(factory=list)
    edges: list[Sequence[int]] = field(factory=list)

    def __len__(self) -> int:
        return len(self.signs)

    def edges_of(self, p: int, row: int) -> Sequence[int]:
        """The edges of the graph of which a row is made."""
        return self.edges[p][row : row + 1] if self.signs[p] else self.edges[p]

    def every_row(self, positions: Iterable[int] | None = None) -> dict[int, Sequence[int]]:
        """The numbers of all rows, of all positions or of some."""
        return {p: range(len(self.rows[p])) for p in (range(len(self)) if positions is None else positions)}

    def part(self, rows: Mapping[int, Sequence[int]]) -> Arena:
        """The arena of some positions with some of their rows, which lead to these positions or outside."""
        place = {p: new for new, p in enumerate(rows)} | {AWAY: AWAY}
        made = Arena([self.positions[p] for p in rows])
        for p, kept in rows.items():
            made.signs.append(self.signs[p])
            made.edges.append([self.edges[p][k] for k in kept] if self.signs[p] else self.edges[p])
            made.rows.append(
                [(brings, tuple((place[q], share) for q, share in shares)) for brings, shares in map(self.rows[p].__getitem__, kept)]
            )
        return made


def worth(row: Row, values: Sequence[Number]) -> Number:
    """What a row is worth; the last of the ``values`` is that of ``AWAY``."""
    total, shares = row
    for there, share in shares:
        total = total + share * values[there]
    return total


def inside(row: Row) -> Iterator[int]:
    """The positions of the component where the play goes on."""
    return (there for there, _ in row[1] if there != AWAY)


def leaves(row: Row) -> bool:
    """Whether the play may go on outside."""
    return any(there == AWAY for there, _ in row[1])


def is_infinite(row: Row) -> bool:
    """Whether a row may lead to an infinite number outside."""
    return isinstance(row[0], Infinite)


@define
class _Rows:
    """The rows of some positions, while they are made."""

    graph: PositionGraph
    place: dict[int, int]
    known: Callable[[int], Number]
    amounts: list[Number]
    whole: Number
    discount: Number
    lost: Number

    def earned(self, edge: int) -> Number:
        return self.amounts[0 if self.graph.rewards is None else self.graph.rewards[edge]]

    def decided(self, position: int, edge: int) -> Row:
        target = self.graph.targets[edge]
        is_discounted = self.graph.factor(position, edge) != 1
        if target in self.place:
            there = self.place[target]
            return self.earned(edge), ((there, self.discount), (AWAY, self.lost)) if is_discounted else (
                (there, self.whole),
            )
        behind = self.known(target)
        if not isinstance(behind, Infinite):
            behind = self.earned(edge) + (self.discount * behind if is_discounted else behind)
        return behind, ((AWAY, self.whole),)

    def drawn(self, position: int, number: Callable[[Fraction], Number]) -> Row:
        brings, shares = self.amounts[0], dict[int, Number]()
        for edge, probability in zip(self.graph.edges(position), self.graph.probabilities(position), strict=True):
            target, share = self.graph.targets[edge], number(probability)
            there = self.place.get(target, AWAY)
            if there == AWAY:
                behind = self.known(target)
                if isinstance(behind, Infinite):
                    return behind, ((AWAY, self.whole),)
                brings = brings + share * (self.earned(edge) + behind)
            else:
                brings = brings + share * self.earned(edge)
            shares[there] = shares[there] + share if there in shares else share
        return brings, tuple(shares.items())


def arena_of(
    contest: Contest, positions: Component, known: Callable[[int], Number], number: Callable[[Fraction], Number]
) -> Arena:
    """The arena of some positions of a component; ``known`` gives the numbers of all others, and ``number`` makes one
    of the same kind."""
    graph = contest.graph
    amounts = [number(amount[0]) for amount in graph.amounts]
    whole, discount, lost = (number(share) for share in (Fraction(1), graph.discount, 1 - graph.discount))
    place = {position: p for p, position in enumerate(positions)}
    rows = _Rows(graph, place, known, amounts, whole, discount, lost)
    made = Arena(positions)
    for position in positions:
        edges, kind = graph.edges(position), graph.kinds[position]
        made.edges.append(edges)
        made.signs.append(0 if kind < 0 else contest.wants[kind])
        made.rows.append([rows.drawn(position, number)] if kind < 0 else [rows.decided(position, e) for e in edges])
    return made
