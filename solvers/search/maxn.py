"""Max^n: :mod:`zermelo.solvers.kernels.maxn` has the algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import maxn as kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import with_fallback
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search.deepening import searched
from zermelo.solvers.solution import Answer, Certainty, Problem

KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.maxn, ("nodes", "terminals", "estimates"))

TUPLES_LIMIT = 1000
"""The size up to which a set of reachable tuples is kept."""

ROOM = 1 << 13
"""Tuples in all sets along a path, in native kernels."""

FIRST_OF_TIES: Final = (
    "Ties change what the others get: the value reported is that of the first best move, in the order of the game, "
    "at every tie."
)


@frozen
class Shared:
    """The reported tuple, all those that ties allow (None where they are too many), the moves that are best at the
    root, and whether no horizon was met."""

    value: Payoff
    reachable: frozenset[Payoff] | None
    best: tuple[Move, ...]
    whole: bool

    @property
    def others(self) -> tuple[Payoff, ...] | None:
        """The reachable tuples that are not reported, the greatest first."""
        return None if self.reachable is None else tuple(sorted(self.reachable - {self.value}, reverse=True))


@with_fallback
def maxn(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by max^n. Needs perfect information and plays that end. Under a limit it deepens, and where it is cut
    off it needs an estimate."""
    sees = sight(backend, problem)

    def payoff(found: kernel.Tuple) -> Payoff:
        return tuple(map(sees.fraction, found.shares))

    def reported(search: kernel.Search, size: int, arguments: Mapping[str, int]) -> Payoff:
        return payoff(search.reachable[arguments["begin"]])

    def work(kernels: GameKernels) -> Answer:
        room = backend.length(ROOM)
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path, reachable=room)
        search, lookahead = paths.search, Lookahead(paths)
        search.most = TUPLES_LIMIT

        def best(state: State) -> tuple[Move, ...]:
            player, wanted = backend.machine.actor(state), payoff(search.reachable[0])
            moves = enumerate(backend.machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if payoff(search.values[k])[player] == wanted[player])

        def iteration(depth: Number, _: Shared | None) -> Shared:
            whole = lookahead.to(problem.root, depth)
            found = frozenset(payoff(search.reachable[k]) for k in range(search.value))
            reachable = None if search.value == kernel.GIVEN_UP else found
            return Shared(payoff(search.reachable[0]), reachable, best(problem.root), whole)

        seen = searched(problem, iteration)
        found, counts = seen.found, seen.counts(lookahead.counts)
        return Answer(
            value=found.value,
            best=found.best,
            line=lookahead.line(problem.root, found.best, seen.plies, best),
            counts=counts,
            certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
            alternatives=found.others,
            notes=(*seen.notes(problem), *(() if found.others == () else (FIRST_OF_TIES,))),
        )

    return backend.run(KERNEL.source(**sees.holes), work, TraceView(reported))
