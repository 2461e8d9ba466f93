"""A contest as a stochastic game: one step from each position, for any numbers behind it.

Shapley (1953): give every position a number, and a step is worth what its players can make of it: a matrix game where
two choose at once, the best way where one decides, the mean where chance draws. This *operator* is what all bounds rest
on. It is monotone, and numbers that all grow by one and the same amount make it grow by no more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from attrs import field, frozen

from zermelo.solvers.positions.circles.arena import AWAY, Arena, Row
from zermelo.solvers.positions.circles.end_components import end_components
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.graph import PAYS
from zermelo.solvers.positions.rounds.matrix_game import Mixture, matrix_value
from zermelo.solvers.positions.rounds.rounds import Path, earned_before, round_at

BOTH: Final = 2
"""The sign of a step in which both sides choose at once."""

Way = tuple[Fraction, Fraction, int]
"""A way from a position: what it earns, by what the number behind it is multiplied, and the position there."""


@frozen(eq=False)
class Step:
    """What can be done in a position. ``sign`` is 1 if who wants more decides, -1 if who wants less, 0 if chance draws
    one of the ``ways`` with these ``chances``, and ``BOTH`` if who wants more chooses a row, and who wants less one of
    so many ``columns``; the ways are the entries, row by row. ``edges`` has the edges of each way."""

    position: int
    sign: int
    ways: Sequence[Way]
    edges: Sequence[Path]
    chances: Mixture = ()
    columns: int = 1

    is_plain: bool = field(init=False)
    """Whether no way earns anything, and none has a discount."""

    @is_plain.default
    def _is_plain(self) -> bool:
        return all(not earned and factor == 1 for earned, factor, _ in self.ways)

    def worths(self, numbers: Mapping[int, Fraction]) -> list[Fraction]:
        """What the ways are worth."""
        if self.is_plain:
            return [numbers[there] for _, _, there in self.ways]
        return [earned + factor * numbers[there] for earned, factor, there in self.ways]


@frozen
class Mixing:
    """What a step is worth, and how both sides bring that about: probabilities of ways, or of rows and columns."""

    number: Fraction
    rows: Mixture
    columns: Mixture

    def chances(self) -> list[Fraction]:
        """The probabilities of the ways."""
        if len(self.columns) == 1:
            return list(self.rows)
        return [row * column if row and column else _NEVER for row in self.rows for column in self.columns]

    def mean(self, step: Step, numbers: Mapping[int, Fraction]) -> Fraction:
        """What a step is worth by these probabilities, with other numbers behind it."""
        ways = zip(self.chances(), step.worths(numbers), strict=True)
        return sum((chance * worth for chance, worth in ways if chance), Fraction(0))


_ALONE: Final = (Fraction(1),)
_NEVER: Final = Fraction(0)


def step_of(contest: Contest, position: int) -> Step:
    """The step from a position; of a round, from the position in which it begins.

    Raises ``ZermeloError`` (``moves-differ``)."""
    graph = contest.graph
    kind = graph.kinds[position]
    if kind <= PAYS:
        return Step(position, 1, (), ())
    if kind < 0:
        edges = [(edge,) for edge in graph.edges(position)]
        ways = [_way(contest, position, path) for path in edges]
        return Step(position, 0, ways, edges, tuple(graph.probabilities(position)))
    round = round_at(graph, position)
    paths, signs = list(round.paths), [contest.wants[player] for player in round.choosers]
    if len(set(signs)) == 1:
        return Step(position, signs[0], [_way(contest, position, path) for path in paths], paths)
    assert len(signs) == 2, "two players have a constant sum"
    rows, columns = round.counts
    if signs[0] < 0:
        paths = [paths[i * columns + j] for j in range(columns) for i in range(rows)]
        columns = rows
    return Step(position, BOTH, [_way(contest, position, path) for path in paths], paths, columns=columns)


def _way(contest: Contest, position: int, path: Path) -> Way:
    graph, edge = contest.graph, path[-1]
    earned = graph.reward(edge)[0]
    if graph.rewards is not None:
        earned += earned_before(graph, path)[0]
    return earned, graph.factor(position, edge), graph.targets[edge]


def choose(step: Step, numbers: Mapping[int, Fraction]) -> Mixing:
    """What a step is worth with these numbers behind it."""
    worths = step.worths(numbers)
    if step.sign == 0:
        number = sum((chance * worth for chance, worth in zip(step.chances, worths, strict=True)), Fraction(0))
        return Mixing(number, step.chances, _ALONE)
    if step.sign == BOTH:
        found = matrix_value([worths[k : k + step.columns] for k in range(0, len(worths), step.columns)])
        return Mixing(found.value, found.rows, found.columns)
    best = (max if step.sign > 0 else min)(worths)
    return taking(best, len(worths), worths.index(best))


def taking(number: Fraction, ways: int, way: int) -> Mixing:
    """One of so many ways is taken, and that is worth so much."""
    return Mixing(number, tuple(Fraction(k == way) for k in range(ways)), _ALONE)


def answer(step: Step, choice: Mixing, numbers: Mapping[int, Fraction]) -> Mixing:
    """What a step is worth if who wants more chooses as in ``choice``, and who wants less answers best."""
    if step.sign < 0:
        return choose(step, numbers)
    worths = step.worths(numbers)
    columns = len(choice.columns)
    met = [
        sum((chance * worths[row * columns + column] for row, chance in enumerate(choice.rows)), Fraction(0))
        for column in range(columns)
    ]
    number = min(met)
    return Mixing(number, choice.rows, tuple(Fraction(column == met.index(number)) for column in range(columns)))


def by_all(step: Step) -> list[list[int]]:
    """The options of all players together."""
    every = range(len(step.ways))
    return [list(every)] if step.sign == 0 else [[way] for way in every]


def against(step: Step, choice: Mixing, side: int) -> list[list[int]]:
    """The options of the others, while a side mixes as in ``choice``."""
    every = range(len(step.ways))
    if step.sign in (0, side):
        return [[way for way, chance in zip(every, choice.chances(), strict=True) if chance]]
    if step.sign == -side:
        return [[way] for way in every]
    columns = step.columns
    if side > 0:
        mixed = [row for row, chance in enumerate(choice.rows) if chance]
        return [[row * columns + column for row in mixed] for column in range(columns)]
    mixed = [column for column, chance in enumerate(choice.columns) if chance]
    return [[row * columns + column for column in mixed] for row in range(len(step.ways) // columns)]


def ways_kept(steps: Sequence[Step], options: Callable[[Step], Sequence[Sequence[int]]]) -> Arena:
    """Where plays can go, as an arena without numbers, with one row for each of the ``options``: the ways of which
    chance, or who mixes, may take any. One player has the choice among the rows."""
    places = {step.position: place for place, step in enumerate(steps)}
    made = Arena([step.position for step in steps], [1] * len(steps))
    for step in steps:
        made.edges.append([])
        made.rows.append([_row([step.ways[way] for way in option], places) for option in options(step)])
    return made


def _row(ways: Sequence[Way], places: Mapping[int, int]) -> Row:
    """Where some ways lead in an arena: outside, too, if one takes a discount off."""
    inside = {places[there] for _, factor, there in ways if factor == 1 and there in places}
    stays = all(factor == 1 and there in places for _, factor, there in ways)
    return 0, tuple((there, 1) for there in (*sorted(inside), *(() if stays else (AWAY,))))


def kept(steps: Sequence[Step], options: Callable[[Step], Sequence[Sequence[int]]]) -> frozenset[int]:
    """The positions that a play can come back to for ever if who has the choice among the ``options`` wants that."""
    arena = ways_kept(steps, options)
    return frozenset(arena.positions[p] for part in end_components(arena, arena.every_row()) for p in part)
