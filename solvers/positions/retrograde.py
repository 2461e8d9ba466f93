"""Retrograde analysis: the host of :mod:`zermelo.solvers.kernels.retrograde`.

For contests without chance, rounds and discount in which nothing is earned in a circle. The kernel wants to know the
middle: what a play is worth that never ends, which also parts those who hurry from those who delay.

- Where the rules say ``endless``, it is that.
- Else, if there is no circle, only the second meaning is left. Of players against each other, who have a constant sum
  together, those hurry who get more than half of it. Players with a common payoff always hurry.
- Else each position gets two numbers: with plays that never end below all that ends pay, and above. What a position is
  worth never falls as that amount grows, so it depends on it only if the two differ. Where they agree, each side can
  force an end that gives it this much: those who want more hurry in the first analysis, and the others in the second.

**Numbers** are whole parts of a unit, the denominator of all amounts together. If they could exceed 64 bits, the kernel
runs in Python, whose whole numbers have no bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define, frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import PlainKernels, load
from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.common.rationals import over_one_denominator
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.retrograde import EARNS, FOREVER, NEEDS_ROOM, Search, go_on
from zermelo.solvers.positions.components import Components
from zermelo.solvers.positions.contest import Contest
from zermelo.solvers.positions.graph import PAYS, ROOT
from zermelo.solvers.positions.refusals import NeedsEndless
from zermelo.solvers.running.slices import Slices

_MOST: Final = 1 << 60
"""Numbers up to here, and the differences of any two of them, have 64 bits."""

_FEW: Final = 1 << 14
"""The edges of a graph that is solved in Python sooner than machine code can be loaded."""

_WORD_BYTES: Final = 8
_DISTANCE_BYTES: Final = 4
_PLACE_BYTES: Final = 20
"""Of a place in a circle, beside a number."""

_SOURCE_BYTES: Final = 4
_LISTS: Final = ("opens", "exits", "exit_distances", "firsts", "sources", "found", "heap")


class EarnsInCircle(Exception):
    """A play may earn something again and again, so retrograde analysis does not apply."""


@frozen(eq=False)
class Analysis:
    """The numbers of all positions, in parts of a unit, and their distances, with a certain ``middle``."""

    numbers: Sequence[int]
    distances: Sequence[int]
    middle: int


@frozen(eq=False)
class RetrogradeValues:
    """The values of a contest: an analysis in which plays that never end are worth the least that they may be, and one
    in which they are worth the most. The two are one if that is known, or there are none.

    ``parts`` are the first player's amounts in parts of a unit, of which ``denominator`` are 1; those who get more than
    ``fair`` hurry."""

    contest: Contest
    low: Analysis
    high: Analysis
    parts: Sequence[int]
    denominator: int
    fair: int

    def number(self, position: int) -> Fraction | None:
        """What a position is worth; None if that depends on what a play is worth that never ends."""
        return Fraction(self.low.numbers[position], self.denominator) if self.is_known(position) else None

    def is_known(self, position: int) -> bool:
        """Whether a position has a number."""
        return self.low.numbers[position] == self.high.numbers[position]

    def distance(self, position: int) -> int | None:
        """The number of edges to the end if those who win hurry and the others delay, and if all hurry where nobody
        wins. None where play does not come to an end unless somebody gives something away."""
        if not self.is_known(position):
            return None
        analysis = self.low if self.low.numbers[position] >= self.fair else self.high
        distance = analysis.distances[position]
        return distance if distance < FOREVER else None

    def best(self, position: int) -> list[int]:
        """The best edges: those that keep the number, and where somebody hurries, the distance. Where nobody has
        anything to gain, all that keep the number are best; they need not lead to an end. A position without a number
        has those by which its player is sure of the most."""
        graph = self.contest.graph
        kind = graph.kinds[position]
        if kind < 0:
            return []
        analysis = self.low if self.contest.wants[kind] == 1 else self.high
        number = analysis.numbers[position]
        edges = [edge for edge in graph.edges(position) if self.worth(analysis, edge) == number]
        if number == analysis.middle:
            return edges
        behind = analysis.distances[position] - 1
        return [edge for edge in edges if analysis.distances[graph.targets[edge]] == behind]

    def worth(self, analysis: Analysis, edge: int) -> int:
        """What an edge is worth in an analysis, in parts of a unit."""
        graph = self.contest.graph
        earned = 0 if graph.rewards is None else self.parts[graph.rewards[edge]]
        return analysis.numbers[graph.targets[edge]] + earned


def solve(
    contest: Contest,
    components: Components,
    limits: Limits,
    progress: Progress = ignore_progress,
    compiled: bool = True,
) -> RetrogradeValues:
    """The values of all positions of a contest without chance, rounds and discount. ``compiled`` says whether machine
    code may be used; ``progress`` is told how many positions have been solved.

    Raises :class:`NeedsEndless`; :class:`EarnsInCircle` if an edge between positions of a component earns something;
    and ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    parts, denominator, fair = _in_parts(contest)
    beyond = _beyond(contest, parts)
    is_plain = len(contest.graph.targets) > _FEW and max(beyond, abs(fair)) <= _MOST
    run = _Run(contest, components, load(kernel(go_on, PAYS=PAYS), compiled and is_plain), parts, limits, progress)
    if contest.endless is not None:
        low = high = run.analyse(fair)
    else:
        try:
            low = high = run.analyse(fair if len(set(contest.wants)) > 1 else -beyond, goes_round=False)
        except _GoesRound:
            low, high = run.analyse(-beyond), run.analyse(beyond)
    values = RetrogradeValues(contest, low, high, parts, denominator, fair)
    limits.hold(values, len({low, high}) * run.bytes)
    if not values.is_known(ROOT):
        raise _needs_endless(values)
    return values


class _GoesRound(Exception):
    """There is a circle, where it matters what the middle is."""


@define(eq=False)
class _Run:
    """What all analyses of a contest have in common."""

    contest: Contest
    components: Components
    kernels: PlainKernels
    parts: Sequence[int]
    limits: Limits
    progress: Progress

    @property
    def bytes(self) -> int:
        """Of the result of an analysis."""
        return (self._number_bytes + _DISTANCE_BYTES) * len(self.contest.graph)

    @property
    def _number_bytes(self) -> int:
        return _WORD_BYTES if self.kernels.is_compiled else OBJECT_BYTES

    def analyse(self, middle: int, goes_round: bool = True) -> Analysis:
        """Analyse all positions. Raises :class:`_GoesRound` at the first circle, unless that is allowed."""
        size = len(self.contest.graph)
        self.limits.require(self.bytes, f"the values of {size:,} positions")
        numbers, distances = self.kernels.elements(int, size), self.kernels.halves(size)
        search = self._search(middle, numbers, distances)
        slices = Slices(self.kernels.is_compiled)
        while (answer := self.kernels.call(go_on, search, slices.next())) != DONE:
            if answer == EARNS:
                raise EarnsInCircle
            if answer == NEEDS_ROOM:
                if not goes_round:
                    raise _GoesRound
                self._make_room(search)
            self.progress(search.solved)
            self.limits.check({"nodes": search.solved})
        return Analysis(numbers, distances, middle)

    def _search(self, middle: int, numbers: list[int], distances: list[int]) -> Search:
        """The record of the kernel before the first step."""
        graph, kernels, components = self.contest.graph, self.kernels, self.components
        search = kernels.new(
            Search,
            kinds=kernels.as_halves(graph.kinds),
            firsts=kernels.as_halves(graph.firsts),
            targets=kernels.as_halves(graph.targets),
            rewards=kernels.as_halves(graph.rewards or ()),
            amounts=len(self.parts) + 1,
            wants=len(self.contest.wants),
            members=kernels.as_halves(() if graph.rises else components.members),
            starts=kernels.as_halves(() if graph.rises else components.starts),
            numbers=numbers,
            distances=distances,
            circle=dict.fromkeys(_LISTS, 0),
        )
        search.amounts[:] = [*self.parts, middle]
        search.wants[:] = list(self.contest.wants)
        return search

    def _make_room(self, search: Search) -> None:
        """Let the lists of the circle be long enough for that in work."""
        circle = search.circle
        size, edges = max(circle.size, len(circle.opens)), max(circle.edges, len(circle.sources))
        needed = (_PLACE_BYTES + self._number_bytes) * size + _SOURCE_BYTES * edges
        self.limits.require(self.bytes + needed, f"a circle of {circle.size:,} positions")
        lengths = dict.fromkeys(_LISTS, size) | {"firsts": size + 1, "sources": edges}
        self.kernels.grow(search, circle=lengths)


def _in_parts(contest: Contest) -> tuple[Sequence[int], int, int]:
    """The first player's amounts as whole parts of a unit; the number of parts in 1; and the amount above which those
    hurry who want more, in parts."""
    graph = contest.graph
    amounts = [payoff[0] for payoff in graph.amounts]
    totals = {sum(payoff) for payoff in graph.amounts} - {0}  # of ends, since rewards sum to 0
    half = Fraction(max(totals, default=0), 2)
    fair = half if contest.endless is None else contest.endless
    (*parts, fair_parts), denominator = over_one_denominator([*amounts, fair])
    return parts, denominator, fair_parts


def _beyond(contest: Contest, parts: Sequence[int]) -> int:
    """A number of parts that no play comes to, nor one that begins with minus that much: it earns something on as many
    edges as there are positions at most, and is paid once."""
    times = 1 if contest.graph.rewards is None else len(contest.graph) + 1
    return 3 * times * max(map(abs, parts)) + 1


def _needs_endless(values: RetrogradeValues) -> NeedsEndless:
    """A play on which the number of no position is known, up to where it comes again. Each side plays as if it was best
    to go on for ever: then an edge that keeps the number does not lead to a known one, for that is what the position
    would be worth."""
    graph, wants = values.contest.graph, values.contest.wants
    position, play = ROOT, list[int]()
    met: dict[int, int] = {}
    while position not in met:
        met[position] = len(play)
        analysis = values.high if wants[graph.kinds[position]] == 1 else values.low
        wanted = analysis.numbers[position]
        edge = next(edge for edge in graph.edges(position) if values.worth(analysis, edge) == wanted)
        play.append(edge)
        position = graph.targets[edge]
    return NeedsEndless(position, tuple(play[: met[position]]))
