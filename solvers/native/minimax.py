"""Minimax on its kernel."""

from __future__ import annotations

from fractions import Fraction

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, State
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.line import best_line
from zermelo.solvers.native.loops import watch
from zermelo.solvers.solution import Answer, Problem


def minimax(machine: LoweredMachine, problem: Problem[State]) -> Answer:
    """As :func:`zermelo.solvers.search.minimax.minimax`, with the same counts."""

    path = watch(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        values = kernels.numbers(kernels.program.most_moves)
        columns, others = (0, 0, 0, path.width), [values, path.buckets(kernels)]
        search = DepthFirst("minimax", machine, kernels, columns, problem.limits, problem.progress, others)

        def best(state: State, _: int = 0) -> tuple[Move, ...]:
            search.search(state)
            found = zip(machine.moves(state), values, strict=False)
            return tuple(move for move, value in found if value == search.path[2][0])

        moves = best(problem.root)
        first, counts = search.path[2][0], search.counts
        return Answer(
            value=problem.share(Fraction(first, kernels.program.denominator)),
            best=moves,
            line=best_line(machine, problem.root, moves, best),
            counts=counts,
        )

    return machine.run_kernels(path.text + kernel_text("minimax"), ("minimax_begin", "minimax"), solve)
