"""A component, prepared for solvers that compute with it again and again.

Its positions are numbered from 0; what lies outside is :data:`AWAY`, and all numbers there are known. So an edge, and
the draw of a chance position, is a *row*: what it brings at once, and the shares with which the play goes on in the
component. It is worth::

    what it brings, plus the sum of share * worth(position)

The shares of a row sum to 1, that of ``AWAY`` included, which also takes what a discount takes off. Since ``AWAY`` is
worth 0, and is the last entry of every list of numbers, no formula needs an exception.

Numbers are of any kind that can be added, multiplied, divided and compared: rationals or balls of FLINT, or floats.
A row that may lead to an infinite number outside brings that (:mod:`zermelo.solvers.positions.circles.leaving`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, field

from zermelo.solvers.common.numbers import Infinite
from zermelo.solvers.positions.graph.contest import Component, Contest

AWAY: Final = -1
"""What lies outside of a component, or will never be played since the game is discounted."""

Number = Any
"""A number of one kind."""

Row = tuple[Number, tuple[tuple[int, Number], ...]]
"""What an edge or a draw brings at once, and the positions where the play goes on, each with its share; ``AWAY`` is the
last."""

Policy = list[int]
"""For each position the number of the row that is taken: 0 where chance draws."""


@define(eq=False)
class Arena:
    """Some ``positions`` of a component: ``signs[p]`` is 1 if the player who decides in ``p`` wants more, -1 if less,
    and 0 if chance draws; ``rows[p]`` has a row for each of the ``edges[p]`` of a player, equal ones
    left out, and one for all of chance."""

    positions: Sequence[int]
    signs: list[int] = field(factory=list)
    rows: list[list[Row]] = field(factory=list)
    edges: list[Sequence[int]] = field(factory=list)

    def __len__(self) -> int:
        return len(self.signs)

    def edges_of(self, p: int, row: int) -> Sequence[int]:
        """The edges of the graph of which a row is made."""
        return self.edges[p][row : row + 1] if self.signs[p] else self.edges[p]

    def every_row(self) -> dict[int, Sequence[int]]:
        """The numbers of all rows of all positions."""
        return {p: range(len(rows)) for p, rows in enumerate(self.rows)}

    def part(self, rows: Mapping[int, Sequence[int]]) -> Arena:
        """The arena of some positions with some of their rows, which lead to these positions or outside."""
        place = {p: new for new, p in enumerate(rows)} | {AWAY: AWAY}
        made = Arena([self.positions[p] for p in rows])
        for p, kept in rows.items():
            made.signs.append(self.signs[p])
            made.edges.append([self.edges[p][k] for k in kept] if self.signs[p] else self.edges[p])
            chosen = [self.rows[p][k] for k in kept]
            made.rows.append([(brings, tuple((place[q], share) for q, share in shares)) for brings, shares in chosen])
        return made

    def mapped(self, convert: Callable[[Number], Number]) -> Arena:
        """The same with numbers of another kind."""

        def mapped(row: Row) -> Row:
            return convert(row[0]), tuple((there, convert(share)) for there, share in row[1])

        rows = [[mapped(row) for row in choice] for choice in self.rows]
        return Arena(self.positions, self.signs, rows, self.edges)


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
    return row[1][-1][0] == AWAY


def is_infinite(row: Row) -> bool:
    """Whether a row may lead to an infinite number outside."""
    return isinstance(row[0], Infinite)


class _Shares(dict[tuple[int, int], Number]):
    """Weights in a sum of weights, as numbers."""

    def __init__(self, number: Callable[[Fraction], Number]) -> None:
        self.number = number

    def __missing__(self, share: tuple[int, int]) -> Number:
        found = self[share] = self.number(Fraction(*share))
        return found


@define(eq=False)
class ArenaMaker:
    """Makes arenas of components of a contest, with numbers of one kind: ``number`` makes one of a fraction, and
    ``known`` gives that of a position that has been solved."""

    contest: Contest
    number: Callable[[Fraction], Number]
    known: Callable[[int], Number]
    _nothing: Number = field(init=False)
    _whole: Number = field(init=False)
    _is_discounted: bool = field(init=False)
    _discount: Number = field(init=False)
    _lost: Number = field(init=False)
    _amounts: dict[int, Number] = field(factory=dict)
    _shares: _Shares = field(init=False)

    def __attrs_post_init__(self) -> None:
        discount = self.contest.graph.discount
        self._nothing, self._whole = self.number(Fraction(0)), self.number(Fraction(1))
        self._shares = _Shares(self.number)
        self._is_discounted = discount != 1
        self._discount, self._lost = self.number(discount), self.number(1 - discount)

    def arena(self, positions: Component) -> Arena:
        """The arena of a component."""
        graph, made = self.contest.graph, Arena(positions)
        place = {position: p for p, position in enumerate(positions)}
        for position in positions:
            kind = graph.kinds[position]
            if kind < 0:
                made.signs.append(0)
                made.edges.append(graph.edges(position))
                made.rows.append([self._drawn(position, place)])
            else:
                edges = self._different(position)
                made.signs.append(self.contest.wants[kind])
                made.edges.append(edges)
                made.rows.append([self._decided(position, edge, place) for edge in edges])
        return made

    def _different(self, position: int) -> Sequence[int]:
        """The edges of a position, without repeated ones."""
        graph = self.contest.graph
        edges = graph.edges(position)
        if len(edges) == 1:
            return edges
        found: dict[tuple[int, int], int] = {}
        for edge in edges:
            found.setdefault((graph.targets[edge], 0 if graph.rewards is None else graph.rewards[edge]), edge)
        return list(found.values())

    def _earned(self, edge: int) -> Number:
        rewards = self.contest.graph.rewards
        amount = 0 if rewards is None else rewards[edge]
        if amount not in self._amounts:
            self._amounts[amount] = self.number(self.contest.graph.amounts[amount][0])
        return self._amounts[amount]

    def _decided(self, position: int, edge: int, place: Mapping[int, int]) -> Row:
        target, earned = self.contest.graph.targets[edge], self._earned(edge)
        is_discounted = self._is_discounted and self.contest.graph.factor(position, edge) != 1
        there = place.get(target, AWAY)
        if there != AWAY:
            return earned, ((there, self._discount), (AWAY, self._lost)) if is_discounted else ((there, self._whole),)
        behind = self.known(target)
        if not isinstance(behind, Infinite):
            behind = earned + (self._discount * behind if is_discounted else behind)
        return behind, ((AWAY, self._whole),)

    def _drawn(self, position: int, place: Mapping[int, int]) -> Row:
        graph, shares, known = self.contest.graph, self._shares, self.known
        assert graph.weights is not None, "chance draws"
        first, end = graph.firsts[position], graph.firsts[position + 1]
        weights = graph.weights[first:end]
        total = sum(weights)
        brings, inside, away = self._nothing, dict[int, int](), 0
        for edge, target, weight in zip(range(first, end), graph.targets[first:end], weights, strict=True):
            there = place.get(target)
            if there is not None:
                inside[there] = inside.get(there, 0) + weight
            else:
                away += weight
                behind = known(target)
                if isinstance(behind, Infinite):
                    return behind, ((AWAY, self._whole),)
                brings = brings + shares[weight, total] * behind
            if graph.rewards is not None:
                brings = brings + shares[weight, total] * self._earned(edge)
        if away:
            inside[AWAY] = away
        return brings, tuple([(there, shares[weight, total]) for there, weight in inside.items()])
