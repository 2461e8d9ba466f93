"""Searches for several players: max^n, paranoid search, and best-reply search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import evolve

from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.kernels import maxn as kernel
from zermelo.solvers.kernels import one_against_all as against_kernel
from zermelo.solvers.running.backend import Backend, GameKernels, TraceView
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import CallSearch, PathKernel, sight
from zermelo.solvers.search.deepening import Found, search_below
from zermelo.solvers.solution import Answer, Certainty, Problem

# Max^n: :mod:`zermelo.solvers.kernels.maxn` has the algorithm.


KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.maxn, ("nodes", "terminals", "lookups", "estimates"))

TUPLES_LIMIT = 1000
"""The size up to which a set of reachable tuples is kept."""

ROOM = 1 << 13
"""Tuples in all sets along a path, in native kernels."""

FIRST_OF_TIES: Final = (
    "Ties change what the others get: the value reported is that of the first best move, in the order of the game, "
    "at every tie."
)


@with_fallback
def maxn(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Solve by max^n. Needs perfect information and plays that end. Under a limit it deepens, and where it is cut
    off it needs an estimate."""
    sees = sight(backend, problem)

    def payoff(found: kernel.Tuple) -> Payoff:
        return tuple(map(sees.fraction, found.shares))

    def reported_payoff(search: kernel.Search, size: int, arguments: Mapping[str, int]) -> Payoff:
        return payoff(search.reachable[arguments["begin"]])

    def work(kernels: GameKernels) -> Answer:
        room = backend.length(ROOM)
        known = sees.known(kernels)
        paths = CallSearch(
            KERNEL, backend, kernels, problem.limits, problem.progress, sees.path, reachable=room, endgames=known
        )
        search = paths.search
        search.most = TUPLES_LIMIT

        def best(state: State) -> tuple[Move, ...]:
            player, wanted = backend.machine.actor(state), payoff(search.reachable[0])
            moves = enumerate(backend.machine.moves(state)[: search.tried])
            return tuple(move for k, move in moves if payoff(search.values[k])[player] == wanted[player])

        def look(whole: bool) -> Found:
            value, others = payoff(search.reachable[0]), None
            if search.value != kernel.GIVEN_UP and search.lookups == 0:  # of known positions one payoff is known
                reachable = {payoff(search.reachable[k]) for k in range(search.value)}
                others = tuple(sorted(reachable - {value}, reverse=True))
            return Found(value, best(problem.root), whole, others)

        found = search_below(problem, paths, look, best)
        return found if found.alternatives == () else evolve(found, notes=(*found.notes, FIRST_OF_TIES))

    return backend.run(sees.source(KERNEL), work, TraceView(reported_payoff))


# Paranoid search and best-reply search: :mod:`zermelo.solvers.kernels.one_against_all` has the algorithm.


ONE_AGAINST_ALL: Final = PathKernel(
    against_kernel.Search,
    against_kernel.start,
    against_kernel.search_against,
    ("nodes", "terminals", "cutoffs", "estimates"),
)

_ALL_PLAY_AGAINST: Final = (
    "Assumed: all others play against {player}, whatever that costs them. What they get is what that play pays them."
)
_ONE_REPLIES: Final = (
    "Assumed: between two moves of {player} one other player replies against them as best they can, and the rest make "
    "the move that is tried first."
)


@with_fallback
def paranoid(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Search for the player who moves first. Needs perfect information, no chance, and plays that end; under a limit it
    deepens, and where it is cut off it needs an estimate."""
    return _search_against(backend, problem, one_reply=False, note=_ALL_PLAY_AGAINST)


@with_fallback
def best_reply(backend: Backend[State], problem: Problem[State]) -> Answer:
    """The same, but only one of the others replies between two moves of that player."""
    return _search_against(backend, problem, one_reply=True, note=_ONE_REPLIES)


def _search_against(backend: Backend[State], problem: Problem[State], one_reply: bool, note: str) -> Answer:
    """``note`` says what is assumed of the others."""
    sees, machine = sight(backend, problem), backend.machine
    is_ordered = one_reply and problem.facts.has_order
    rank = backend.rank() if is_ordered else "0"
    searcher = max(0, machine.actor(problem.root))

    def work(kernels: GameKernels) -> Answer:
        window: dict[str, Number] = {}
        paths = CallSearch(ONE_AGAINST_ALL, backend, kernels, problem.limits, problem.progress, sees.path, first=window)
        search = paths.search
        search.searcher = searcher

        def best(state: State) -> tuple[Move, ...]:
            """Return the best move, and tell the search what holds for the next move of the line: whether one of the
            others has replied, also behind forced moves, which are not searched; and a window in which the first move
            that leads to the known value cuts off all others."""
            if search.best_move == against_kernel.NO_MOVE:
                return ()
            move, search.has_replied = backend.move(search.best_move), search.best_replies
            state = machine.after(state, move)
            for _ in range(search.plies):
                if len(forced := machine.moves(state)) != 1:
                    break
                if machine.actor(state) == searcher:
                    search.has_replied = 0
                state = machine.after(state, forced[0])
            gets, is_own = search.value.of[searcher], machine.actor(state) == searcher
            window.update(alpha=gets - 1 if is_own else gets, beta=gets if is_own else gets + 1)
            return (move,)

        def look(whole: bool) -> Found:
            return Found(tuple(map(sees.value, search.value.of)), best(problem.root), whole)

        def aim(state: State) -> None:
            if state is problem.root:
                search.has_replied = 0
                window.update(alpha=-backend.infinite, beta=backend.infinite)

        found = search_below(problem, paths, look, best, aim)
        assumed = note.format(player=machine.player_names[searcher])
        return evolve(found, certainty=Certainty.HEURISTIC, notes=(assumed, *found.notes))

    holes = {**sees.holes, "ONE_REPLY": int(one_reply), "IS_ORDERED": int(is_ordered), "rank": rank}
    return backend.run(ONE_AGAINST_ALL.source(**holes), work)
