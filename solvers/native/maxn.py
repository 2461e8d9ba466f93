"""Max^n on its kernel.

The kernel keeps the tuples that ties allow as the algorithm in Python does, up to as many, and reckons in fractions of
whole numbers below 2 ** 61. It notices where a set on its way or a number outgrows it, so what it finds is exact.
"""

from __future__ import annotations

from fractions import Fraction

from interpreter.machine import Move, Payoff
from interpreter.native.kernels import Array, Kernels
from interpreter.native.machine import LoweredMachine, State
from solvers.kernels import kernel_text
from solvers.maxn import FIRST_OF_TIES, TUPLES_LIMIT
from solvers.native.beyond import BeyondKernel
from solvers.native.depth_first import DepthFirst
from solvers.native.line import best_line
from solvers.native.loops import watch
from solvers.solution import Answer, Problem

_ROOM = 1 << 14
"""Tuples in all sets along a path."""

_COUNT, _IS_GIVEN_UP, _REPORTED = 4, 5, 8
"""Places of columns."""


def maxn(machine: LoweredMachine, problem: Problem[State]) -> Answer:
    """As :func:`solvers.maxn.maxn`, with the same counts. The kernel has no horizon."""
    if problem.limits.has_horizon:
        raise BeyondKernel
    path = watch(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        program = kernels.program
        width = 2 * len(program.model.players)
        firsts, sets = kernels.rows(program.most_moves, width), kernels.rows(_ROOM, width)
        columns = (0, 0, 0, 0, 0, 0, 2, program.most_moves, width, path.width)
        arrays, sizes = [firsts, sets, path.buckets(kernels)], [_ROOM, TUPLES_LIMIT]
        search = DepthFirst("maxn", machine, kernels, columns, problem.limits, problem.progress, arrays, sizes)

        def payoff(rows: Array, place: int) -> Payoff:
            row = kernels.row(rows, place, width)
            return tuple(
                Fraction(over, under * program.denominator)
                for over, under in zip(row[::2], row[1::2], strict=True)
            )  # fmt: skip

        def best(state: State) -> tuple[Move, ...]:
            player, wanted = machine.actor(state), payoff(search.path[_REPORTED], 0)
            moves = enumerate(machine.moves(state))
            return tuple(move for k, move in moves if payoff(firsts, k)[player] == wanted[player])

        search.search(problem.root)
        value, counts, moves = payoff(search.path[_REPORTED], 0), search.counts, best(problem.root)
        others = None
        if not search.path[_IS_GIVEN_UP][0]:
            reachable = {payoff(sets, k) for k in range(search.path[_COUNT][0])}
            others = tuple(sorted(reachable - {value}, reverse=True))
        return Answer(
            value=value,
            best=moves,
            line=best_line(machine, search, problem.root, best),
            counts=counts,
            alternatives=others,
            notes=(FIRST_OF_TIES,) if others is None or others else (),
        )

    return machine.run_kernels(path.text + kernel_text("fractions", "maxn"), ("maxn_begin", "maxn"), solve)
