"""Searches by kernels that may be cut off: what a position is worth there, and the search to a depth.

Kernels reckon in whole parts of a unit, in which both payoffs and estimates are whole. Where nothing limits a search
that is the unit of payoffs, and no horizon is ever met.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, lcm
from typing import Final, Generic, Protocol, TypeVar

from attrs import evolve, frozen

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.dialect.kernel_source import Hole
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import fractions as kernel
from zermelo.solvers.native.beyond import BeyondKernel, check_range
from zermelo.solvers.native.line import best_line
from zermelo.solvers.native.loops import UNWATCHED, Watch, watch
from zermelo.solvers.native.path_search import PathRecord, PathSearch
from zermelo.solvers.search.horizon import QUIESCENCE_PLIES, check_estimate
from zermelo.solvers.search.search import Number
from zermelo.solvers.solution import Problem

TO_THE_END: Final = 1 << 30
"""More plies than any play has."""


class LimitedSearch(PathRecord, Protocol):
    """What a kernel works on that looks so many ``plies`` ahead, and counts positions at the horizon."""

    plies: int

    @property
    def estimates(self) -> int: ...


S = TypeVar("S", bound=LimitedSearch)


@frozen
class Sight:
    """The unit of a problem's values, as the number of its parts in 1; how the path is watched, which it is in a search
    to the end alone; and what fills the holes of ``kernels/horizon.py``, and of what watches the path."""

    unit: int
    path: Watch
    holes: dict[str, Hole]

    def value(self, over: int, under: int = 1) -> Fraction:
        """So many parts."""
        return Fraction(over, under * self.unit)

    def fraction(self, parts: kernel.Fraction) -> Fraction:
        """What a kernel has reckoned."""
        return self.value(parts.over, parts.under)


def sight(machine: LoweredMachine, problem: Problem[LoweredState], parts: int = 1) -> Sight:
    """How far kernels see, in a unit that has so many parts, or a multiple of them.

    Raises ``ZermeloError`` (``needs-estimate``) as :func:`zermelo.solvers.search.horizon.horizon_of` does, and
    :class:`BeyondKernel` for rollouts, for hints that are not in the program, and as
    :func:`~zermelo.solvers.native.loops.watch` does."""
    program, facts, is_limited = machine.program, problem.facts, problem.limits.has_horizon
    check_estimate(problem)
    unit, guess, unsettled = lcm(program.denominator, parts), "0", "0"
    if is_limited:
        over = program.estimate_denominator
        if problem.rollouts or over is None or (facts.has_unsettled and not program.has("unsettled")):
            raise BeyondKernel
        unit = lcm(unit, over)
        guess = f"product(rules, estimate(rules, state, player), {unit // over})"
        unsettled = "unsettled(rules, state)" if facts.has_unsettled else "0"
    check_range("fractions", unit)
    path = UNWATCHED if is_limited else watch(machine, problem)
    seen: dict[str, Hole] = {
        "PAYOFFS": unit // program.denominator,
        "OVERTIME": QUIESCENCE_PLIES,
        "guess": guess,
        "is_unsettled": unsettled,
    }
    return Sight(unit, path, seen | path.holes)


@frozen
class Lookahead(Generic[S]):
    """A kernel's search of a problem to one depth after the other, which goes on counting from search to search."""

    search: PathSearch[S]

    def to(self, root: LoweredState, depth: Number) -> bool:
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
        root: LoweredState,
        first: tuple[Move, ...],
        depth: Number,
        best: Callable[[LoweredState], tuple[Move, ...]],
    ) -> tuple[Move, ...]:
        """Best play from a root with these best moves, so many plies deep. ``best`` gives the best moves of the state
        searched last. Nothing but memory limits this: what best play is behind a value that has been found costs
        little, and belongs to it."""
        self.search.limits = evolve(self.search.limits, nodes=inf, seconds=inf)

        def best_behind(state: LoweredState, plies: int) -> tuple[Move, ...]:
            self.to(state, depth - plies)
            return best(state)

        return best_line(self.search.machine, root, first, best_behind)
