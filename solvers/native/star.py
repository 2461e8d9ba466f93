"""Star1 and Star2 on their kernel.

The kernel reckons in fractions of whole numbers below 2 ** 61, windows too, and notices what leaves them, so what it
finds is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, lcm
from typing import Final

from attrs import define

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import star as kernel
from zermelo.solvers.running.beyond import BeyondKernel, check_range
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.horizon import Lookahead, Sight, sight
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.horizon import horizon_of, no_horizon
from zermelo.solvers.search.star1 import solve
from zermelo.solvers.search.window_search import WindowResult
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.star, ("nodes", "terminals", "cutoffs", "estimates"))


def _star(probes: bool) -> Callable[[LoweredMachine, Problem[LoweredState]], Answer]:
    """A solver on the kernel; it ``probes`` outcomes or does not."""

    def search_draws(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
        low, high = (horizon_of(problem) if problem.limits.has_horizon else no_horizon(problem)).bounds
        if low == -inf or high == inf:
            raise BeyondKernel
        sees = sight(LoweredBackend(machine), problem, lcm(Fraction(low).denominator, Fraction(high).denominator))
        bounds = int(low * sees.unit), int(high * sees.unit)
        check_range("fractions", *bounds)

        def work(kernels: Kernels) -> Answer:
            search = CallSearch(KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, sees.path)
            return solve(problem, _NativeStar(problem, sees, Lookahead(search), low, high))

        return machine.run(KERNEL.source(**sees.holes, PROBES=int(probes), LOW=bounds[0], HIGH=bounds[1]), work)

    return search_draws


@define(eq=False)
class _NativeStar:
    """A search. ``low`` and ``high`` bound every value. Every window is open: no driver of Star asks for another."""

    problem: Problem[LoweredState]
    sees: Sight
    lookahead: Lookahead[kernel.Search]
    low: Number
    high: Number
    selection = ""

    @property
    def counts(self) -> dict[str, int]:
        return self.lookahead.counts

    def root(self, state: LoweredState, alpha: Number, beta: Number, depth: Number) -> WindowResult:
        """Search a state ``depth`` plies deep."""
        whole = self.lookahead.to(state, depth)
        best = self._best()
        value = self.sees.fraction(self._search.value.low)
        return WindowResult(value, (best, None) if best else None, whole)

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """Best play up to the end, the horizon or the first draw of chance."""

        first = () if found.line is None else found.line[0]
        return self.lookahead.line(self.problem.root, first, depth, lambda _: self._best())

    @property
    def _search(self) -> kernel.Search:
        return self.lookahead.search.search

    def _best(self) -> tuple[Move, ...]:
        """The best move of the state searched last, none where chance draws or it is cut off."""
        if self._search.best_move == kernel.NO_MOVE:
            return ()
        return (self.lookahead.search.backend.move(self._search.best_move),)


star1 = _star(probes=False)
star2 = _star(probes=True)
