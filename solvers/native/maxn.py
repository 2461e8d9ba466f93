"""Max^n on its kernel.

The kernel keeps the tuples that ties allow as the algorithm in Python does, up to as many, and reckons in fractions of
whole numbers below 2 ** 61. It notices where a set on its way or a number outgrows it, so what it finds is exact.
"""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter.machine import Move, Payoff
from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.horizon import Lookahead, sight
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.search.maxn import TUPLES_LIMIT, Shared, answer
from zermelo.solvers.search.search import Number
from zermelo.solvers.solution import Answer, Problem

_ROOM = 1 << 14
"""Tuples in all sets along a path."""

_MANY, _COUNT, _IS_GIVEN_UP, _REPORTED = 0, 4, 5, 8
"""Places of columns: how many moves there are, how many tuples, whether they are too many, and the one reported."""


def maxn(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.maxn.maxn`, with the same counts."""
    sees = sight(machine, problem)

    def solve(kernels: Kernels) -> Answer:
        program = kernels.program
        width = 2 * len(program.model.players)
        firsts, sets = kernels.rows(program.most_moves, width), kernels.rows(_ROOM, width)
        columns = (0, 0, 0, 0, 0, 0, 2, program.most_moves, width, sees.path.width)
        search = DepthFirst(
            "maxn", machine, kernels, columns, problem.limits, problem.progress,
            [firsts, sets, sees.path.buckets(kernels)], [_ROOM, TUPLES_LIMIT, 0], ("nodes", "terminals", "estimates"),
        )  # fmt: skip
        lookahead = Lookahead(search)

        def payoff(rows: Array, place: int) -> Payoff:
            row = kernels.row(rows, place, width)
            return tuple(sees.value(over, under) for over, under in zip(row[::2], row[1::2], strict=True))

        def best(state: LoweredState) -> tuple[Move, ...]:
            player, wanted = machine.actor(state), payoff(search.path[_REPORTED], 0)
            moves = enumerate(machine.moves(state)[: search.path[_MANY][0]])
            return tuple(move for k, move in moves if payoff(firsts, k)[player] == wanted[player])

        def iteration(depth: Number, _: Shared | None) -> Shared:
            whole = lookahead.to(problem.root, depth)
            is_given_up, many = search.path[_IS_GIVEN_UP][0], search.path[_COUNT][0]
            reachable = None if is_given_up else frozenset(payoff(sets, k) for k in range(many))
            return Shared(payoff(search.path[_REPORTED], 0), reachable, best(problem.root), (), whole)

        seen = searched(problem, iteration)
        counts = lookahead.counts
        line = lookahead.line(problem.root, seen.found.best, seen.plies, best)
        return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts)

    return machine.run_kernels(f"{sees.text}\n\n{kernel_text('maxn')}", ("maxn_begin", "maxn"), solve)
