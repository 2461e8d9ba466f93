"""Minimax on its kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import minimax as kernel
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.line import best_line
from zermelo.solvers.running.loops import watch
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.minimax)


def minimax(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.minimax.minimax`, with the same counts."""

    path = watch(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        minimax = CallSearch(KERNEL, machine, kernels, problem.limits, problem.progress, path)
        search = minimax.search

        def best(state: LoweredState, _: int = 0) -> tuple[Move, ...]:
            minimax.run(state)
            values = zip(machine.moves(state), search.values, strict=False)
            return tuple(move for move, value in values if value == search.value)

        moves = best(problem.root)
        first, counts = search.value, minimax.counts
        return Answer(
            value=problem.share(Fraction(first, kernels.program.denominator)),
            best=moves,
            line=best_line(machine, problem.root, moves, best),
            counts=counts,
        )

    return machine.run(KERNEL.source(**path.holes), solve)
