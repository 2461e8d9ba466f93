"""Expectiminimax on its kernel.

The kernel reckons in fractions of whole numbers below 2 ** 61 and notices what leaves them, so what it finds is exact.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import expectiminimax as kernel
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.expectiminimax import Expected, answer
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.expectiminimax, ("nodes", "terminals", "estimates"))


def expectiminimax(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.expectiminimax.expectiminimax`, with the same counts."""
    sees = sight(LoweredBackend(machine), problem)

    def solve(kernels: Kernels) -> Answer:
        paths = CallSearch(KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, sees.path)
        search, lookahead = paths.search, Lookahead(paths)

        def best(state: LoweredState) -> tuple[Move, ...]:
            wanted = sees.fraction(search.value)
            moves = enumerate(machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if sees.fraction(search.values[k]) == wanted)

        def iteration(depth: Number, _: Expected | None) -> Expected:
            whole = lookahead.to(problem.root, depth)
            return Expected(sees.fraction(search.value), best(problem.root), (), whole)

        seen = searched(problem, iteration)
        counts = lookahead.counts
        line = lookahead.line(problem.root, seen.found.best, seen.plies, best)
        return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts)

    return machine.run(KERNEL.source(**sees.holes), solve)
