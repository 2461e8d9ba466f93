"""Max^n on its kernel.

The kernel keeps the tuples that ties allow as the algorithm in Python does, up to as many, and reckons in fractions of
whole numbers below 2 ** 61. It notices where a set on its way or a number outgrows it, so what it finds is exact.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import Move, Payoff
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import maxn as kernel
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.search.maxn import TUPLES_LIMIT, Shared, answer
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.maxn, ("nodes", "terminals", "estimates"))

ROOM: Final = 1 << 13
"""Tuples in all sets along a path."""


def maxn(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.maxn.maxn`, with the same counts."""
    sees = sight(LoweredBackend(machine), problem)

    def solve(kernels: Kernels) -> Answer:
        paths = CallSearch(
            KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, sees.path, reachable=ROOM
        )
        search, lookahead = paths.search, Lookahead(paths)
        search.most = TUPLES_LIMIT

        def payoff(found: kernel.Tuple) -> Payoff:
            return tuple(map(sees.fraction, found.shares))

        def best(state: LoweredState) -> tuple[Move, ...]:
            player, wanted = machine.actor(state), payoff(search.reachable[0])
            moves = enumerate(machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if payoff(search.values[k])[player] == wanted[player])

        def iteration(depth: Number, _: Shared | None) -> Shared:
            whole = lookahead.to(problem.root, depth)
            found = frozenset(payoff(search.reachable[k]) for k in range(search.value))
            reachable = None if search.value == kernel.GIVEN_UP else found
            return Shared(payoff(search.reachable[0]), reachable, best(problem.root), (), whole)

        seen = searched(problem, iteration)
        counts = lookahead.counts
        line = lookahead.line(problem.root, seen.found.best, seen.plies, best)
        return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts)

    return machine.run(KERNEL.source(**sees.holes), solve)
