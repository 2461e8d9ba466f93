"""Expectiminimax on its kernel.

The kernel reckons in fractions of whole numbers below 2 ** 61 and notices what leaves them, so what it finds is exact.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.machine import Move
from interpreter.native.kernels import Kernels
from interpreter.native.machine import LoweredMachine, State
from solvers.kernels import kernel_text
from solvers.native.depth_first import DepthFirst
from solvers.native.line import best_line
from solvers.solution import Answer, Problem


def expectiminimax(machine: LoweredMachine, problem: Problem[State]) -> Answer:
    """As :func:`solvers.expectiminimax.expectiminimax`, with the same counts."""

    def solve(kernels: Kernels) -> Answer:
        program = kernels.program
        firsts = kernels.rows(program.most_moves, 2)
        columns = (0, 0, 0, program.most_moves, 2)
        search = DepthFirst("expectiminimax", machine, kernels, columns, problem.limits, problem.progress, [firsts])

        def best(state: State) -> tuple[Move, ...]:
            wanted = kernels.row(search.path[4], 0, 2)
            return tuple(move for k, move in enumerate(machine.moves(state)) if kernels.row(firsts, k, 2) == wanted)

        search.search(problem.root)
        over, under = kernels.row(search.path[4], 0, 2)
        counts, moves = search.counts, best(problem.root)
        return Answer(
            value=problem.share(Fraction(over, under * program.denominator)),
            best=moves,
            line=best_line(machine, search, problem.root, best),
            counts=counts,
        )

    text = kernel_text("fractions", "expectiminimax")
    return machine.run_kernels(text, ("expectiminimax_begin", "expectiminimax"), solve)
