"""Searches to a depth, and the value of a position at the horizon.

Kernels compute in whole parts of a unit, in which both payoffs and estimates are whole. In a search without limits,
that is the unit of payoffs, and no horizon is met.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Final, Generic, Protocol, TypeVar

from attrs import evolve, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Move, State
from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import fractions as kernel
from zermelo.solvers.running.backend import Backend
from zermelo.solvers.running.line import best_line
from zermelo.solvers.running.loops import UNWATCHED, Watch
from zermelo.solvers.running.path_search import PathRecord, PathSearch
from zermelo.solvers.solution import Problem

QUIESCENCE_PLIES: Final = 32
"""The most plies beyond its depth that a search goes while a position is unsettled."""

TO_THE_END: Final = 1 << 30
"""More plies than any play has."""


class LimitedSearch(PathRecord, Protocol):
    """The record of a kernel that looks so many ``plies`` ahead, and counts positions at the horizon."""

    plies: int

    @property
    def estimates(self) -> int: ...


S = TypeVar("S", bound=LimitedSearch)


def bounds_of(problem: Problem[State]) -> tuple[Number, Number]:
    """Bounds on the values of a search to a depth: on payoffs and estimates."""
    low, high = problem.bounds
    if problem.rollouts or not problem.facts.has_estimate:
        return low, high
    least, most = problem.facts.estimates or (-inf, inf)
    return min(least, low), max(most, high)


@frozen(eq=False, repr=False)
class Sight(Displayed):
    """The unit of a problem's values, as the number of its parts in 1; how the path is watched, which it is in a search
    to the end alone; and what fills the holes of ``kernels/horizon.py``, and of what watches the path."""

    unit: int
    path: Watch
    holes: dict[str, Hole]

    def value(self, over: int, under: int = 1) -> Fraction:
        """So many parts."""
        return Fraction(over, under * self.unit)

    def fraction(self, parts: kernel.Fraction) -> Fraction:
        """A fraction of a kernel as a value."""
        return self.value(parts.over, parts.under)


def sight(backend: Backend[State], problem: Problem[State], parts: int = 1) -> Sight:
    """How far kernels see, in a unit that has so many parts, or a multiple of them, where a backend has a unit.

    Raises :class:`~zermelo.solvers.running.beyond.BeyondKernel` as ``Backend.hints`` and ``Backend.watch`` do."""
    unit, hints = backend.hints(problem, parts)
    path = UNWATCHED if problem.limits.has_horizon else backend.watch(problem)
    estimates = int(problem.has_estimate or not problem.limits.has_horizon)
    return Sight(unit, path, {"OVERTIME": QUIESCENCE_PLIES, "ESTIMATES": estimates, **hints, **path.holes})


@frozen(eq=False, repr=False)
class Lookahead(Displayed, Generic[S]):
    """A kernel's search of a problem to one depth after the other, which goes on counting from search to search."""

    search: PathSearch[S]

    def to(self, root: State, depth: Number) -> bool:
        """Search so many plies deep; whether no horizon was met. Raises what :meth:`PathSearch.run` raises."""
        search = self.search.search
        before = search.estimates
        search.plies = TO_THE_END if depth == inf else int(depth)
        self.search.run(root)
        return search.estimates == before

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted, estimates only if there are some."""
        return {what: count for what, count in self.search.counts.items() if count or what != "estimates"}

    def line(
        self,
        root: State,
        first: tuple[Move, ...],
        depth: Number,
        best: Callable[[State], tuple[Move, ...]],
    ) -> tuple[Move, ...]:
        """Best play from a root with these best moves, so many plies deep. ``best`` gives the best moves of the state
        searched last. Only memory limits this, since it costs little and belongs
        to the value."""
        self.search.limits = evolve(self.search.limits, nodes=inf, seconds=inf)

        def best_behind(state: State, plies: int) -> tuple[Move, ...]:
            self.to(state, depth - plies)
            return best(state)

        return best_line(self.search.backend.machine, root, first, best_behind, depth)
