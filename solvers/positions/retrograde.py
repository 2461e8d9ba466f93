"""Retrograde analysis, for contests without chance, rounds and discount in which nothing is earned in a circle. An
analysis (:mod:`zermelo.solvers.kernels.retrograde`) needs to know the *middle*: what an endless play is worth, which
also separates those who hurry from those who delay.

- Where the rules say ``endless``, it is that.
- Else, if there is no circle, only the second meaning is left. Of two opposed players, who have a constant sum, the one
  who gets more than half of it hurries. Players with a common payoff always hurry.
- Else each position gets two numbers: with endless plays worth less than any end, or more than any. The value of a
  position never falls as that amount grows, so it depends on it only if the two differ. Where they agree, each side can
  force an end that gives it this much: those who want more hurry in the first analysis, and the others in the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define, field, frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import OBJECT_BYTES, over_one_denominator
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.retrograde import EARNS, FOREVER, NEEDS_ROOM, OUTSIDE, Search, go_on
from zermelo.solvers.positions.graph.graph import EXCHANGED, PAYS, ROOT, Components, Contest, NeedsEndless
from zermelo.solvers.positions.solved_positions import SolvedContest
from zermelo.solvers.running.path_search import Slices

# An analysis of all positions of a contest: the host of the kernel :mod:`zermelo.solvers.kernels.retrograde`.
#
# Numbers are whole parts of a unit. If they could exceed 64 bits, the kernel runs in Python, whose whole numbers have
# no bounds.


_MOST: Final = 1 << 60
"""Numbers up to here, and the differences of any two of them, have 64 bits."""

_FEW: Final = 1 << 14
"""The edges of a graph that is solved in Python sooner than machine code can be loaded."""

_WORD_BYTES: Final = 8
_DISTANCE_BYTES: Final = 4
RESULT_BYTES: Final = _WORD_BYTES + _DISTANCE_BYTES
"""The bytes of what is found of a position, in machine code."""

_PLACE_BYTES: Final = 12
"""The bytes of a place in a circle."""

_EXIT_BYTES: Final = 8
"""The bytes of a place with an exit, beside a number."""

_SOURCE_BYTES: Final = 4
_LISTS: Final = ("opens", "firsts", "sources", "found")
_OF_EXITS: Final = ("places", "numbers", "distances")


class EarnsInCircle(Exception):
    """A play may earn something again and again, so retrograde analysis does not apply."""


class MeetsCircle(Exception):
    """There is a circle, so it matters what an endless play is worth."""


@frozen(eq=False)
class Analysis:
    """The numbers of all positions, in parts of a unit, and their distances, with a certain ``middle``."""

    numbers: Sequence[int]
    distances: Sequence[int]
    middle: int


@define(eq=False)
class Analyser:
    """Analyses a contest with several middles. ``parts`` are the first player's amounts, in parts of a unit;
    ``compiled`` says whether machine code may be used; ``progress`` is told how many positions have been solved."""

    contest: Contest
    components: Components
    parts: Sequence[int]
    limits: Limits
    progress: Progress
    compiled: bool
    beyond: int = field(init=False)
    """More than any two plays differ by, apart from what endless plays pay. So it outweighs everything, like
    infinity: a play earns something on at most as many edges as there are positions, and is paid once."""

    _kernels: PlainKernels = field(init=False)

    def __attrs_post_init__(self) -> None:
        graph = self.contest.graph
        times = 1 if graph.rewards is None else len(graph) + 1
        self.beyond = 2 * times * max(map(abs, self.parts)) + 1
        is_plain = len(graph.targets) > _FEW and self.beyond <= _MOST
        self._kernels = load(kernel(go_on, PAYS=PAYS, EXCHANGED=EXCHANGED), self.compiled and is_plain)

    @property
    def _bytes(self) -> int:
        """The bytes of the result of an analysis."""
        return (self._number_bytes + _DISTANCE_BYTES) * len(self.contest.graph)

    @property
    def _number_bytes(self) -> int:
        return _WORD_BYTES if self._kernels.is_compiled else OBJECT_BYTES

    def analyse(self, middle: int, with_circles: bool = True) -> Analysis:
        """Analyse all positions, with a middle of at most ``beyond`` in either direction.

        Raises :class:`MeetsCircle` at the first circle unless they are allowed; :class:`EarnsInCircle`; and
        ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
        size = len(self.contest.graph)
        self.limits.require(self._bytes, f"the values of {size:,} positions")
        numbers, distances = self._kernels.elements(int, size), self._kernels.halves(size)
        search = self._search(middle, numbers, distances)
        slices = Slices(self._kernels.is_compiled)
        while (answer := self._kernels.call(go_on, search, slices.next())) != DONE:
            if answer == EARNS:
                raise EarnsInCircle
            if answer == NEEDS_ROOM:
                if not with_circles:
                    raise MeetsCircle
                self._make_room(search)
            self.progress(search.solved + (search.circle.count if search.stage != OUTSIDE else 0))
            self.limits.check({"nodes": search.solved})
        analysis = Analysis(numbers, distances, middle)
        self.limits.hold(analysis, self._bytes)
        return analysis

    def _search(self, middle: int, numbers: list[int], distances: list[int]) -> Search:
        """The record of the kernel before the first step."""
        graph, kernels, components = self.contest.graph, self._kernels, self.components
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
            circle={**dict.fromkeys(_LISTS, 0), "exits": {**dict.fromkeys(_OF_EXITS, 0), "middle": 1}},
        )
        search.exchanges = graph.exchanges
        search.amounts[:] = [*self.parts, middle]
        search.wants[:] = list(self.contest.wants)
        return search

    def _make_room(self, search: Search) -> None:
        """Make the lists for circles long enough for the one that is being solved."""
        circle = search.circle
        size, edges = max(circle.size, len(circle.opens)), max(circle.edges, len(circle.sources))
        leaving = max(circle.leaving, len(circle.exits.places))
        needed = _PLACE_BYTES * size + _SOURCE_BYTES * edges + (_EXIT_BYTES + self._number_bytes) * leaving
        self.limits.require(self._bytes + needed, f"a circle of {circle.size:,} positions")
        lengths = dict.fromkeys(_LISTS, size) | {"firsts": size + 1, "sources": edges}
        self._kernels.grow(search, circle={**lengths, "exits": dict.fromkeys(_OF_EXITS, leaving)})


@frozen(eq=False)
class RetrogradeValues(SolvedContest):
    """The values of a contest: an analysis in which endless plays are worth the least that they may be, and one in
    which they are worth the most. The two are one if their worth is known, or if there are no endless plays.

    ``parts`` are the first player's amounts in parts of a unit, which has ``denominator`` parts: those of the graph
    and, as the last one, ``fair``; whoever gets more than that hurries."""

    contest: Contest
    components: Components
    low: Analysis
    high: Analysis
    parts: Sequence[int]
    denominator: int

    @property
    def fair(self) -> int:
        """What an endless play is worth, if that is known; else half of what two players get together."""
        return self.parts[-1]

    @property
    def tells_distances(self) -> bool:
        return True

    def number(self, position: int) -> Fraction | None:
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
        return [edge for edge in edges if analysis.distances[self._behind(edge)] == behind]

    def keepers(self, position: int) -> tuple[int, ...]:
        """The players who can see to it that a play never ends, alone or with others who want the same, where the rules
        do not say what it pays: those who would do so if it paid them more than all ends."""
        beyond = self.high.middle // 2
        gains = {1: self.high.numbers[position] > beyond, -1: self.low.numbers[position] < -beyond}
        return tuple(player for player, want in enumerate(self.contest.wants) if gains[want])

    def worth(self, analysis: Analysis, edge: int) -> int:
        """What an edge is worth in an analysis, in parts of a unit."""
        graph, target = self.contest.graph, self._behind(edge)
        earned = 0 if graph.rewards is None else self.parts[graph.rewards[edge]]
        number = analysis.numbers[target]
        return (number if target == graph.targets[edge] else 2 * self.fair - number) + earned

    def _behind(self, edge: int) -> int:
        """The position to which an edge leads, with the players exchanged or not."""
        graph = self.contest.graph
        return graph.targets[edge] & (EXCHANGED - 1) if graph.exchanges else graph.targets[edge]


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
    graph, is_opposed = contest.graph, len(set(contest.wants)) > 1
    totals = {sum(payoff) for payoff in graph.amounts} - {0}  # of ends, since rewards sum to 0
    half = Fraction(max(totals, default=0), 2)
    fair = half if contest.endless is None else contest.endless
    parts, denominator = over_one_denominator([*(payoff[0] for payoff in graph.amounts), fair])
    analyser = Analyser(contest, components, parts, limits, progress, compiled)
    beyond = analyser.beyond
    if contest.endless is not None:
        low = high = analyser.analyse(parts[-1])
    else:
        try:
            low = high = analyser.analyse(parts[-1] if is_opposed else -beyond, with_circles=False)
        except MeetsCircle:
            low, high = analyser.analyse(-beyond), analyser.analyse(beyond)
    values = RetrogradeValues(contest, components, low, high, parts, denominator)
    if not values.is_known(ROOT):
        raise _needs_endless(values)
    return values


def _needs_endless(values: RetrogradeValues) -> NeedsEndless:
    """A play on which no position has a known number, up to where a position comes again. Each side plays as if going
    on for ever were best: then an edge that keeps the number leads to no position with a known number, for otherwise
    the position would be worth just that."""
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
    return NeedsEndless(position, tuple(play[: met[position]]), values.keepers(position))


# Who can see to it that a play never ends.
#
# Suppose that such a play paid a little more, less than any two numbers of positions differ by. A position is then
# worth more if and only if those who want more can see to it that the play never ends, or else brings them more than
# the position is worth now. For if it is worth more, the way to play that brings this about does so: every play that
# ends pays one of the old numbers, and so more than the old value, and an endless one pays no less than it. If it is
# not worth more, the others can see to it that no play pays more than the old value, so that an endless play, without
# the little, pays less. Likewise for those who want less, if such a play paid a little less. So two more analyses tell
# it; numbers are whole parts of a unit, and half a part is little enough.


@frozen(eq=False)
class Lasting:
    """The values of a contest, and its values if an endless play paid half a part ``more``, and half a part ``less``,
    which are in half parts."""

    values: RetrogradeValues
    more: Analysis
    less: Analysis

    def players(self, position: int) -> tuple[int, ...]:
        """The players who can see to it, alone or with others who want the same, that a play from a position on never
        ends, or else brings them more than the position is worth."""
        worth = 2 * self.values.low.numbers[position]
        gains = {1: self.more.numbers[position] > worth, -1: self.less.numbers[position] < worth}
        return tuple(player for player, want in enumerate(self.values.contest.wants) if gains[want])


def who_sustains(
    values: RetrogradeValues,
    limits: Limits,
    progress: Progress = ignore_progress,
    compiled: bool = True,
) -> Lasting:
    """Who can see to it that plays never end, in a contest whose rules say ``endless``; for the rest see
    :func:`solve`."""
    assert values.contest.endless is not None
    parts = [2 * amount for amount in values.parts]
    analyser = Analyser(values.contest, values.components, parts, limits, progress, compiled)
    return Lasting(values, *(analyser.analyse(2 * values.fair + half) for half in (1, -1)))
