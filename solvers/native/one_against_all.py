"""Paranoid search and best-reply search on their kernel."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from zermelo.interpreter.machine import Move
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.native.beyond import BeyondKernel
from zermelo.solvers.native.depth_first import DepthFirst
from zermelo.solvers.native.horizon import Lookahead, sight
from zermelo.solvers.search import best_reply as by_one
from zermelo.solvers.search import paranoid as by_all
from zermelo.solvers.search.iterative_deepening import searched
from zermelo.solvers.search.one_against_all import Assumed, answer, searcher_of
from zermelo.solvers.search.search import Number
from zermelo.solvers.solution import Answer, Problem

_BEST, _PAYOFFS = 5, 6
"""Places of columns: the number of the best move, and the payoffs it comes to."""


def _against(one_reply: bool, note: str) -> Callable[[LoweredMachine, Problem[LoweredState]], Answer]:
    """A solver on the kernel. Where there is ``one_reply`` the others make the move that is tried first, but for one of
    them between two moves of the searching player; ``note`` says what is assumed."""

    def search_against(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
        sees, is_ordered = sight(machine, problem), one_reply and problem.facts.has_order
        if is_ordered and not machine.program.has("order_key"):
            raise BeyondKernel
        key = "order_key(C, S)" if is_ordered else "0"
        hooks = (
            f"ONE_REPLY = {int(one_reply)}\nIS_ORDERED = {int(is_ordered)}\n\n\n"
            f"def rank(C: ints[CONTEXT], S: state) -> int:\n    return {key}\n"
        )

        def solve(kernels: Kernels) -> Answer:
            players, me = len(machine.player_names), searcher_of(problem)
            search = DepthFirst(
                "one_against_all", machine, kernels, (0, 0, 0, 0, 0, 0, players, sees.path.width),
                problem.limits, problem.progress, [sees.path.buckets(kernels)],
                [me, 0, 0], ("nodes", "terminals", "cutoffs", "estimates"),
            )  # fmt: skip
            lookahead = Lookahead(search)

            def best(state: LoweredState, replied: int) -> tuple[Move, ...]:
                """The best move; the search is then told whether one of the others has replied behind it."""
                number = search.path[_BEST][0]
                if number < 0:
                    return ()
                search.sizes = [me, int(machine.actor(state) != me and bool(replied or number)), 0]
                return (machine.program.moves.decode(kernels.row(search.moves, 0, kernels.program.most_moves)[number]),)

            def iteration(depth: Number, _: Assumed | None) -> Assumed:
                search.sizes = [me, 0, 0]
                whole = lookahead.to(problem.root, depth)
                payoff = tuple(map(sees.value, kernels.row(search.path[_PAYOFFS], 0, players)))
                return Assumed(payoff, best(problem.root, 0), whole)

            seen = searched(problem, iteration)
            counts = lookahead.counts
            line = lookahead.line(problem.root, seen.found.line, seen.plies, lambda state: best(state, search.sizes[1]))
            return answer(problem, evolve(seen, found=evolve(seen.found, line=line)), counts, note)

        return machine.run_kernels(
            f"{sees.text}\n\n{hooks}\n\n{kernel_text('one_against_all')}",
            ("one_against_all_begin", "one_against_all"),
            solve,
        )

    return search_against


paranoid = _against(one_reply=False, note=by_all.NOTE)
best_reply = _against(one_reply=True, note=by_one.NOTE)
