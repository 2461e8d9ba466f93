"""Paranoid search and best-reply search on their kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import one_against_all as kernel
from zermelo.solvers.running.beyond import BeyondKernel
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.running.lowered_backend import LoweredBackend
from zermelo.solvers.running.path_search import PathKernel
from zermelo.solvers.search import best_reply as by_one
from zermelo.solvers.search import paranoid as by_all
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.search.one_against_all import Assumed, answer, searcher_of
from zermelo.solvers.solution import Answer, Problem

KERNEL: Final = PathKernel(
    kernel.Search, kernel.start, kernel.search_against, ("nodes", "terminals", "cutoffs", "estimates")
)


def _against(one_reply: bool, note: str) -> Callable[[LoweredMachine, Problem[LoweredState]], Answer]:
    """A solver on the kernel. Where there is ``one_reply`` the others make the move that is tried first, but for one of
    them between two moves of the searching player; ``note`` says what is assumed."""

    def search_against(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
        sees, is_ordered = sight(LoweredBackend(machine), problem), one_reply and problem.facts.has_order
        if is_ordered and not machine.program.has("order_key"):
            raise BeyondKernel
        rank = "order_key(rules, state)" if is_ordered else "0"

        def solve(kernels: Kernels) -> Answer:
            paths = CallSearch(KERNEL, LoweredBackend(machine), kernels, problem.limits, problem.progress, sees.path)
            search, lookahead = paths.search, Lookahead(paths)
            search.searcher = searcher_of(problem)

            def best(state: LoweredState) -> tuple[Move, ...]:
                """The best move; the search is then told whether one of the others has replied behind it."""
                if search.best_move == kernel.NO_MOVE:
                    return ()
                search.has_replied = search.best_replies
                return (machine.program.moves.decode(search.best_move),)

            def iteration(depth: Number, _: Assumed | None) -> Assumed:
                search.has_replied = 0
                whole = lookahead.to(problem.root, depth)
                payoff = tuple(map(sees.value, search.value.of))
                return Assumed(payoff, best(problem.root), whole)

            seen = searched(problem, iteration)
            counts = lookahead.counts
            line = lookahead.line(problem.root, seen.found.line, seen.plies, best)
            return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts, note)

        return machine.run(
            KERNEL.source(**sees.holes, ONE_REPLY=int(one_reply), IS_ORDERED=int(is_ordered), rank=rank), solve
        )

    return search_against


paranoid = _against(one_reply=False, note=by_all.NOTE)
best_reply = _against(one_reply=True, note=by_one.NOTE)
