"""An analysis of all positions of a contest: the host of the kernel :mod:`zermelo.solvers.kernels.retrograde`.

Numbers are whole parts of a unit. If they could exceed 64 bits, the kernel runs in Python, whose whole numbers have no
bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define, field, frozen

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.plain_kernels import PlainKernels, load
from zermelo.solvers.common.columns import OBJECT_BYTES
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.retrograde import EARNS, NEEDS_ROOM, OUTSIDE, Search, go_on
from zermelo.solvers.positions.graph.components import Components
from zermelo.solvers.positions.graph.contest import Contest
from zermelo.solvers.positions.graph.graph import EXCHANGED, PAYS
from zermelo.solvers.running.slices import Slices

_MOST: Final = 1 << 60
"""Numbers up to here, and the differences of any two of them, have 64 bits."""

_FEW: Final = 1 << 14
"""The edges of a graph that is solved in Python sooner than machine code can be loaded."""

_WORD_BYTES: Final = 8
_DISTANCE_BYTES: Final = 4
_PLACE_BYTES: Final = 12
"""Of a place in a circle."""

_EXIT_BYTES: Final = 8
"""Of one with an exit, beside a number."""

_SOURCE_BYTES: Final = 4
_LISTS: Final = ("opens", "firsts", "sources", "found")
_OF_EXITS: Final = ("places", "numbers", "distances")


class EarnsInCircle(Exception):
    """A play may earn something again and again, so retrograde analysis does not apply."""


class MeetsCircle(Exception):
    """There is a circle, so it matters what a play is worth that never ends."""


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
    """More than any two plays differ by, without what is paid where they never end. So it decides, like infinity: a
    play earns something on as many edges as there are positions at most, and is paid once."""

    _kernels: PlainKernels = field(init=False)

    def __attrs_post_init__(self) -> None:
        graph = self.contest.graph
        times = 1 if graph.rewards is None else len(graph) + 1
        self.beyond = 2 * times * max(map(abs, self.parts)) + 1
        is_plain = len(graph.targets) > _FEW and self.beyond <= _MOST
        self._kernels = load(kernel(go_on, PAYS=PAYS, EXCHANGED=EXCHANGED), self.compiled and is_plain)

    @property
    def _bytes(self) -> int:
        """Of the result of an analysis."""
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
        """Let the lists of the circle be long enough for that in work."""
        circle = search.circle
        size, edges = max(circle.size, len(circle.opens)), max(circle.edges, len(circle.sources))
        leaving = max(circle.leaving, len(circle.exits.places))
        needed = _PLACE_BYTES * size + _SOURCE_BYTES * edges + (_EXIT_BYTES + self._number_bytes) * leaving
        self.limits.require(self._bytes + needed, f"a circle of {circle.size:,} positions")
        lengths = dict.fromkeys(_LISTS, size) | {"firsts": size + 1, "sources": edges}
        self._kernels.grow(search, circle={**lengths, "exits": dict.fromkeys(_OF_EXITS, leaving)})
