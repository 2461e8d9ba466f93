"""Expectiminimax on its kernel.

The kernel reckons in fractions of whole numbers below 2 ** 61 and notices what leaves them, so what it finds is exact.
"""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.horizon import Lookahead, sight
from zermelo.solvers.search.expectiminimax import Expected, answer
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.search.search import Number
from zermelo.solvers.solution import Answer, Problem

_MANY, _VALUE = 0, 4
"""Places of columns: how many moves there are, and the value."""


def expectiminimax(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.expectiminimax.expectiminimax`, with the same counts."""
    sees = sight(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        program = kernels.program
        firsts = kernels.rows(program.most_moves, 2)
        columns = (0, 0, 0, program.most_moves, 2, sees.path.width)
        search = DepthFirst(
            "expectiminimax", machine, kernels, columns, problem.limits, problem.progress,
            [firsts, sees.path.buckets(kernels)], [0], ("nodes", "terminals", "estimates"),
        )  # fmt: skip
        lookahead = Lookahead(search)

        def best(state: LoweredState) -> tuple[Move, ...]:
            wanted = kernels.row(search.path[_VALUE], 0, 2)
            moves = machine.moves(state)[: search.path[_MANY][0]]
            return tuple(move for k, move in enumerate(moves) if kernels.row(firsts, k, 2) == wanted)

        def iteration(depth: Number, _: Expected | None) -> Expected:
            whole = lookahead.to(problem.root, depth)
            value = sees.value(*kernels.row(search.path[_VALUE], 0, 2))
            return Expected(value, best(problem.root), (), whole)

        seen = searched(problem, iteration)
        counts = lookahead.counts
        line = lookahead.line(problem.root, seen.found.best, seen.plies, best)
        return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts)

    text = f"{sees.text}\n\n{kernel_text('expectiminimax')}"
    return machine.run_kernels(text, ("expectiminimax_begin", "expectiminimax"), solve)
