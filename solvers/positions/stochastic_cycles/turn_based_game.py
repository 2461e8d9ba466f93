"""A component, prepared for solvers that compute with it again and again.

Its positions are numbered from 0; what lies outside is :data:`AWAY`, and all numbers there are known. So an edge, and
the draw of a chance position, is a *row*: what it brings at once, and the shares with which the play goes on in the
component. It is worth::

    what it brings, plus the sum of share * worth(position)

The shares of a row sum to 1, that of ``AWAY`` included, which also takes what a discount takes off. Since ``AWAY`` is
worth 0, and is the last entry of every list of numbers, no formula needs an exception.

Numbers are of any kind that can be added, multiplied, divided and compared: rationals or balls of FLINT, or floats.
A row that may lead to an infinite number outside brings that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.solvers.common.numbers import Infinite, depth_first
from zermelo.solvers.positions.graph.graph import Component, Contest, EarnsForEver, attractor

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
    and 0 if chance draws; ``rows[p]`` has a row for each of the ``edges[p]`` of a player, without duplicates, and one
    for all edges of chance together."""

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

        def convert_row(row: Row) -> Row:
            return convert(row[0]), tuple((there, convert(share)) for there, share in row[1])

        rows = [[convert_row(row) for row in choice] for choice in self.rows]
        return Arena(self.positions, self.signs, rows, self.edges)


def row_value(row: Row, values: Sequence[Number]) -> Number:
    """What a row is worth; the last of the ``values`` is that of ``AWAY``."""
    total, shares = row
    for there, share in shares:
        total = total + share * values[there]
    return total


def targets_inside(row: Row) -> Iterator[int]:
    """The positions of the component where the play goes on."""
    return (there for there, _ in row[1] if there != AWAY)


def may_leave(row: Row) -> bool:
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
                made.rows.append([self._chance_row(position, place)])
            else:
                edges = self._distinct_edges(position)
                made.signs.append(self.contest.wants[kind])
                made.edges.append(edges)
                made.rows.append([self._decision_row(position, edge, place) for edge in edges])
        return made

    def _distinct_edges(self, position: int) -> Sequence[int]:
        """The edges of a position, without repeated ones."""
        graph = self.contest.graph
        edges = graph.edges(position)
        if len(edges) == 1:
            return edges
        found: dict[tuple[int, int], int] = {}
        for edge in edges:
            found.setdefault((graph.targets[edge], 0 if graph.rewards is None else graph.rewards[edge]), edge)
        return list(found.values())

    def _amount_earned(self, edge: int) -> Number:
        rewards = self.contest.graph.rewards
        amount = 0 if rewards is None else rewards[edge]
        if amount not in self._amounts:
            self._amounts[amount] = self.number(self.contest.graph.amounts[amount][0])
        return self._amounts[amount]

    def _decision_row(self, position: int, edge: int, place: Mapping[int, int]) -> Row:
        target, earned = self.contest.graph.targets[edge], self._amount_earned(edge)
        is_discounted = self._is_discounted and self.contest.graph.factor(position, edge) != 1
        there = place.get(target, AWAY)
        if there != AWAY:
            return earned, ((there, self._discount), (AWAY, self._lost)) if is_discounted else ((there, self._whole),)
        behind = self.known(target)
        if not isinstance(behind, Infinite):
            behind = earned + (self._discount * behind if is_discounted else behind)
        return behind, ((AWAY, self._whole),)

    def _chance_row(self, position: int, place: Mapping[int, int]) -> Row:
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
                brings = brings + shares[weight, total] * self._amount_earned(edge)
        if away:
            inside[AWAY] = away
        return brings, tuple([(there, shares[weight, total]) for there, weight in inside.items()])


# Where some players can keep a play going round for ever, and how the others let it out.
#
# Given are some positions of a component and, for each, the rows that may be taken there. The *keepers* can stay in the
# largest set of positions such that
#
# - in a position of a keeper, some row stays in the set;
# - in every other one, all rows do. (A row of chance stays if all its outcomes do.)
#
# It is found by removal: a position that fails is taken out, which may make others fail, as in every retrograde
# analysis (Zermelo 1913). In a position of the others the row by which it failed is their *way out*. If they always
# take it, then from any position that was taken out the play comes, with a positive probability and within as many
# steps as there are positions, out of all given ones: each of their rows, every row of the keepers, and one outcome of
# each draw leads to a position that was taken out before, or is not given. So the probability that a play stays for
# ever among those that were taken out is 0.
#
# Cost: a step for each edge.


Rows = Mapping[int, Sequence[int]]
"""The numbers of the rows that may be taken in each of some positions."""


@frozen
class Staying:
    """``ways[p]`` is the row to take in a position ``p``: where the keepers can stay, one that stays, in each of their
    positions; and elsewhere one that leads out, in each position of the others."""

    positions: frozenset[int]
    ways: Mapping[int, int]


def where_to_stay(arena: Arena, keepers: Collection[int], rows: Rows) -> Staying:
    """Where the players whose signs are ``keepers`` can stay, among the positions of ``rows``, if everybody takes only
    these rows."""
    entering: dict[int, list[tuple[int, int]]] = defaultdict(list)
    stays: dict[int, set[int]] = {}
    ways: dict[int, int] = {}
    removed: list[int] = []
    for p, allowed in rows.items():
        own = arena.rows[p]
        kept = {k for k in allowed if not may_leave(own[k]) and all(there in rows for there in targets_inside(own[k]))}
        if len(kept) < len(allowed) and arena.signs[p] not in keepers:
            ways[p] = next(k for k in allowed if k not in kept)
            kept.clear()
        stays[p] = kept
        if not kept:
            removed.append(p)
        for k in kept:
            for there in targets_inside(own[k]):
                entering[there].append((p, k))
    while removed:
        for p, k in entering[removed.pop()]:
            kept = stays[p]
            if k not in kept:
                continue
            kept.discard(k)
            if arena.signs[p] not in keepers:
                ways[p] = k
                kept.clear()
            if not kept:
                removed.append(p)
    positions = frozenset(p for p, kept in stays.items() if kept)
    for p in positions:
        if arena.signs[p] in keepers:
            ways[p] = min(stays[p])
    return Staying(positions, ways)


# End components: where plays may stay for ever, with a probability that is not 0.
#
# An *end component* is a set of positions with some of their rows (all outcomes, where chance draws), at least one
# each, that stay in the set and lead from each position to every other (de Alfaro 1997). Whatever the players do, the
# rows that are taken again and again for ever are with probability 1 those of an end component (his theorem 3.2); and a
# play may go through all of one for ever if those who decide there want it. The *maximal* ones do not overlap, and hold
# all others.
#
# They are found by taking away what does not last: the rows of players that leave the strongly connected component in
# which their position is, the positions that have no row left, and those where chance leads out; until nothing changes.
#
# Cost: (positions taken away) times the edges, at worst; mostly two or three passes.


def end_components(arena: Arena, rows: Rows) -> list[dict[int, list[int]]]:
    """The maximal end components of these rows: their positions with the rows that stay."""
    waiting = [_staying_rows(arena, rows)]
    found = []
    while waiting:
        kept = waiting.pop()
        parts = _strong_components(arena, kept)
        if len(parts) == 1:
            found.append(kept)
            continue
        for part in parts:
            inside = _staying_rows(arena, {p: kept[p] for p in part})
            if inside:
                waiting.append(inside)
    return found


def _staying_rows(arena: Arena, rows: Rows) -> dict[int, list[int]]:
    """The positions where all players together can stay, with the rows that do."""
    kept = where_to_stay(arena, (1, -1), rows).positions
    return {
        p: [
            k
            for k in rows[p]
            if not may_leave(arena.rows[p][k]) and all(there in kept for there in targets_inside(arena.rows[p][k]))
        ]
        for p in rows
        if p in kept
    }


def _strong_components(arena: Arena, rows: Rows) -> list[list[int]]:
    """The strongly connected components of positions (Tarjan 1972)."""
    number: dict[int, int] = {}
    left: dict[int, None] = {}
    found: list[list[int]] = []

    def visit(p: int) -> Generator[int, int, int]:
        """The lowest number of a position that belongs to no component yet and is reached from ``p``."""
        lowest = number[p] = len(number)
        left[p] = None
        for k in rows[p]:
            for there in targets_inside(arena.rows[p][k]):
                if there not in number:
                    lowest = min(lowest, (yield there))
                elif there in left:
                    lowest = min(lowest, number[there])
        if lowest == number[p]:
            part: list[int] = []
            while p in left:
                part.append(left.popitem()[0])
            found.append(part)
        return lowest

    for p in rows:
        if p not in number:
            depth_first(visit, p)
    return found


# Which edges that keep the number are best in a circle: those that bring it about however often they are taken.
#
# Without a discount an edge may be worth as much as its position and yet not be best: a player who takes such edges
# only may go round for ever, and get what an endless play pays, e. Let a *side* decide, seen as if it wants more, and
# let v be the numbers. Its best edges are, among those that keep the number,
#
# - where v is no more than e, all of them;
# - elsewhere, those that do not belong to an end component of the positions of the component
#   that are worth more than e, with the edges of all players there that keep the number;
# - and of those that do, the ones by which it *comes out* soonest: each position has a rank, the least number of steps
#   within which the side can leave these positions with a probability that is not 0, whatever the others do (by edges
#   that keep the number) and if chance is kind; best are edges to a lower rank.
#
# *Sound.* Let the side only take such edges, any of them, wherever it decides. The expectation of what has been earned,
# plus v, never falls, and rises wherever another player gives something away; so with probability 1 that happens
# finitely often. What is taken again and again for ever is then with probability 1 an end component of edges that keep
# the number (de Alfaro 1997). There nothing is earned, so that v is the same in all of it. If that is no more than e,
# the side gets no less than v. Else all of it lies in the positions worth more than e, and the side takes edges to
# lower ranks there; every position has one, as has every edge of the others and every draw, by the meaning of ranks.
# But the least rank in it cannot lead to a lower one. So there is no such end component, the play ends, and the side
# gets v.
#
# *Every position worth more than e has a rank, so that some edge is best.* Where none is left that can come out, the
# others can hold the play for ever unless the side gives something away. It would get no more than e by staying, and
# less than v by every edge that gives something away: then v would not be what the position is worth.
#
# If plays that never end are infinitely bad for the side, every number is more than e.
#
# Cost: as for end components.


def edges_that_leave(contest: Contest, component: Component, side: int) -> dict[int, list[int]]:
    """The best edges of a side (1: it wants more, -1: less) in each position of a component where it decides and
    endless plays are worth less to it than the number; the numbers are exact, and there is no discount."""
    graph, endless = contest.graph, contest.endless
    numbers = {position: contest.numbers[position] for position in component}
    dear = [p for p, v in numbers.items() if v is not None and (endless is None or side * (v - endless) > 0)]
    place = {position: p for p, position in enumerate(dear)}
    arena = Arena(dear)
    for position in dear:
        kind = graph.kinds[position]
        edges = graph.edges(position) if kind < 0 else equal_value_edges(contest, position)
        leads = [(place.get(graph.targets[edge], AWAY), None) for edge in edges]
        arena.signs.append(contest.wants[kind] if kind >= 0 else 0)
        arena.edges.append(edges)
        rows = [[lead] for lead in leads] if kind >= 0 else [sorted(set(leads), reverse=True)]
        arena.rows.append([(None, tuple(row)) for row in rows])
    ranks = _ranks(arena, side)
    held = {p: kept for part in end_components(arena, arena.every_row()) for p, kept in part.items()}
    return {
        position: [
            arena.edges[p][k]
            for k, row in enumerate(arena.rows[p])
            if k not in held.get(p, ()) or ranks[next(targets_inside(row))] < ranks[p]
        ]
        for p, position in enumerate(dear)
        if arena.signs[p] == side
    }


def equal_value_edges(contest: Contest, position: int) -> list[int]:
    """The edges of a position that are worth as much as it is."""
    graph, number = contest.graph, contest.numbers[position]
    return [
        edge
        for edge in graph.edges(position)
        if contest.numbers[graph.targets[edge]] is not None and contest.worth(position, edge) == number
    ]


def _ranks(arena: Arena, side: int) -> Mapping[int, int]:
    """Within how many steps a side can leave each position with a probability that is not 0."""
    ways = (
        (p, [there for row in rows for there in ((AWAY,) if may_leave(row) else targets_inside(row))])
        for p, rows in enumerate(arena.rows)
    )
    return attractor([AWAY], ways, lambda p: arena.signs[p] == -side)


# Where one side can bring a play out of a component, to where the numbers are known and finite.
#
# If a play that never ends is infinitely bad for a side (because the rules do not say what it pays, and the solver asks
# whether that matters), the side must leave *almost surely*, with probability 1, and without any chance of coming to a
# position that is infinitely bad. The positions from which it can do so whatever the others do are found from the
# largest set down, by taking out of it, again and again,
#
# - positions from which the play can come to a position that has been taken out, or to an infinite number, against the
#   side's will: it has no row that does not, or another player or chance has one that does;
# - positions where the others can keep the play in the set.
#
# From each of the former the others bring the play, with some probability, to a position that was taken out before, and
# so in the end to the latter, or to an infinite number. So these are lost. When nothing is taken out any more, the ways
# out of the last set lead almost surely to the outside (de Alfaro, Henzinger and Kupferman 2007, "Concurrent
# reachability games"; here for players who take turns).
#
# Cost: a pass over all edges for each time that something is taken out; mostly one.


@frozen
class Leaving:
    """``rows[p]`` are the rows that a side may take in ``p``, for each position from which it can leave almost surely
    (and all rows of the others there). It leaves by always taking the row ``ways[p]``."""

    rows: Mapping[int, Sequence[int]]
    ways: Mapping[int, int]


def where_to_leave(arena: Arena, side: int) -> Leaving:
    """Where the players of a side (1: they want more, -1: less) can leave almost surely."""
    rows = arena.every_row()
    while True:
        kept = _harmless_rows(arena, side, rows)
        held = where_to_stay(arena, (-side,), kept)
        if not held.positions:
            return Leaving(kept, {p: k for p, k in held.ways.items() if arena.signs[p] == side})
        rows = {p: ks for p, ks in kept.items() if p not in held.positions}


def _harmless_rows(arena: Arena, side: int, rows: Mapping[int, Sequence[int]]) -> dict[int, Sequence[int]]:
    """The positions where a side can keep the play among these positions as long as it does not leave, with the rows by
    which it does."""
    kept = dict(rows)
    while True:
        smaller: dict[int, Sequence[int]] = {}
        for p, ks in kept.items():
            own = arena.rows[p]
            fine = [k for k in ks if not is_infinite(own[k]) and all(q in kept for q in targets_inside(own[k]))]
            if fine and (arena.signs[p] == side or len(fine) == len(ks)):
                smaller[p] = fine
        if len(smaller) == len(kept):
            return smaller
        kept = smaller


# Where policy iteration begins in a component.
#
# **Tolls.** If something is earned wherever a play may stay for ever, its total need not have a limit, and the game is
# refused. But where staying only costs, and those who decide there all bear it, as on the way through a maze in which
# every step costs something, a play that never ends is infinitely bad for them, whatever the rules say of it: a play
# that stays takes, from some time on, the rows of an end component again and again (de Alfaro 1997), and since no end
# component is free, and none earns anything back, its total falls below all bounds. So they leave, as where ``endless``
# is infinitely bad: with probability 1 if they can, and policy iteration from a policy that leaves finds the best such
# policy (Bertsekas and Tsitsiklis 1991, "An analysis of stochastic shortest path problems"). An improvement never
# stays: around a circle in which it did, the numbers would have to rise by no less than they fall.


@frozen
class Beginning:
    """The positions with finite numbers, and the rows that keep them finite; a policy to begin with, and the ``side``
    that improves it. ``may_stay`` says whether plays may stay there for ever, and ``may_last`` whether they may by any
    rows of the component. ``toll`` is an edge that costs something where they may, None if nothing is earned there."""

    arena: Arena
    policy: Policy
    side: int
    may_stay: bool
    may_last: bool
    toll: int | None = None


def find_beginning(contest: Contest, arena: Arena, endless: Fraction | Infinite) -> Beginning:
    """Where to begin if ``endless`` is what an endless play is worth: with the edges that have been chosen, if any. If
    plays may stay for ever, and that is infinitely bad for one side, this side begins with a policy that leaves.

    Raises :class:`EarnsForEver`."""
    may_stay = bool(where_to_stay(arena, (1, -1), arena.every_row()).positions)
    toll = _toll(contest, arena) if may_stay else None
    if toll is not None:
        return _begin_by_leaving(arena, *toll)
    if isinstance(endless, Fraction):
        return Beginning(arena, _initial_policy(contest, arena), 1, may_stay, may_stay)
    side = 1 if endless < 0 else -1
    if not may_stay and not any(is_infinite(row) for rows in arena.rows for row in rows):
        return Beginning(arena, _initial_policy(contest, arena), side, False, False)
    found = where_to_leave(arena, side)
    ways = [rows.index(found.ways[p]) if p in found.ways else 0 for p, rows in found.rows.items()]
    return Beginning(arena.part(found.rows), ways, side, False, may_stay)


def _initial_policy(contest: Contest, arena: Arena) -> Policy:
    """The rows that have been chosen before; the first row where none has."""
    policy = []
    for position, sign, edges in zip(arena.positions, arena.signs, arena.edges, strict=True):
        choice = contest.choices[position]
        policy.append(edges.index(choice) if sign and choice in edges else 0)
    return policy


def _begin_by_leaving(arena: Arena, side: int, toll: int) -> Beginning:
    """Where to begin if staying costs a side. Raises :class:`EarnsForEver` if it cannot leave from everywhere."""
    found = where_to_leave(arena, side)
    if len(found.rows) < len(arena.positions) or any(is_infinite(row) for rows in arena.rows for row in rows):
        raise EarnsForEver(toll)
    ways = [rows.index(found.ways[p]) if p in found.ways else 0 for p, rows in found.rows.items()]
    return Beginning(arena, ways, side, False, True, toll)


def _toll(contest: Contest, arena: Arena) -> tuple[int, int] | None:
    """The side that pays wherever a play may stay for ever, and an edge where it does; None if nothing is earned there.

    Raises :class:`EarnsForEver` if something else is earned, another side decides there, too, or some way of staying is
    free."""
    graph = contest.graph
    if graph.rewards is None:
        return None
    components = end_components(arena, arena.every_row())
    rows = [(p, k, arena.edges_of(p, k)) for component in components for p, ks in component.items() for k in ks]
    earning = [edge for _, _, edges in rows for edge in edges if any(graph.reward(edge))]
    if not earning:
        return None
    side = -1 if graph.reward(earning[0])[0] > 0 else 1
    free: dict[int, list[int]] = {}
    for p, k, edges in rows:
        if not any(any(graph.reward(edge)) for edge in edges):
            free.setdefault(p, []).append(k)
    is_borne = all(side * graph.reward(edge)[0] < 0 for edge in earning)
    if not is_borne or any(arena.signs[p] == -side for p, _, _ in rows) or end_components(arena, free):
        raise EarnsForEver(earning[0])
    return side, earning[0]
