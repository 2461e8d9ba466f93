"""Star1 and Star2 on their kernel.

The kernel reckons in fractions of whole numbers below 2 ** 61, windows too, and notices what leaves them, so what it
finds is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, lcm

from attrs import define

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.beyond import BeyondKernel, check_range
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.horizon import Lookahead, Sight, sight
from zermelo.solvers.search.horizon import horizon_of, no_horizon
from zermelo.solvers.search.search import Number
from zermelo.solvers.search.star1 import solve
from zermelo.solvers.search.window_search import WindowResult
from zermelo.solvers.solution import Answer, Problem

_BEST, _VALUE = 3, 6
"""Places of columns: the number of the best move, and the value."""


def _star(probes: bool) -> Callable[[LoweredMachine, Problem[LoweredState]], Answer]:
    """A solver on the kernel; it ``probes`` outcomes or does not."""

    def search_draws(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
        low, high = (horizon_of(problem) if problem.limits.has_horizon else no_horizon(problem)).bounds
        if low == -inf or high == inf:
            raise BeyondKernel
        sees = sight(machine, problem, lcm(Fraction(low).denominator, Fraction(high).denominator))
        bounds = int(low * sees.unit), int(high * sees.unit)
        check_range("fractions", *bounds)
        head = f"PROBES = {int(probes)}\nLOW = {bounds[0]}\nHIGH = {bounds[1]}\n"

        def work(kernels: Kernels) -> Answer:
            most, path = kernels.program.most_moves, sees.path
            columns = (0, 0, 0, 0, 0, most, 2, 2, 2, 4, 4, 4 * most, path.width)
            search = DepthFirst(
                "star", machine, kernels, columns, problem.limits, problem.progress, [path.buckets(kernels)], [0],
                ("nodes", "terminals", "cutoffs", "estimates"),
            )  # fmt: skip
            return solve(problem, _NativeStar(problem, kernels, sees, Lookahead(search), low, high))

        text = f"{sees.text}\n\n{head}\n\n{kernel_text('star')}"
        return machine.run_kernels(text, ("star_begin", "star"), work)

    return search_draws


@define(eq=False)
class _NativeStar:
    """A search. ``low`` and ``high`` bound every value. Every window is open: no driver of Star asks for another."""

    problem: Problem[LoweredState]
    kernels: Kernels
    sees: Sight
    lookahead: Lookahead
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
        value = self.sees.value(*self.kernels.row(self.lookahead.search.path[_VALUE], 0, 2))
        return WindowResult(value, (best, None) if best else None, whole)

    def line(self, found: WindowResult, depth: Number) -> tuple[Move, ...]:
        """Best play up to the end, the horizon or the first draw of chance."""

        first = () if found.line is None else found.line[0]
        return self.lookahead.line(self.problem.root, first, depth, lambda _: self._best())

    def _best(self) -> tuple[Move, ...]:
        """The best move of the state searched last, none where chance draws or it is cut off."""
        search, program = self.lookahead.search, self.kernels.program
        number = search.path[_BEST][0]
        if number < 0:
            return ()
        return (program.moves.decode(self.kernels.row(search.moves, 0, program.most_moves)[number]),)


star1 = _star(probes=False)
star2 = _star(probes=True)
