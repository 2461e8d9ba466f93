"""What positions are worth if everybody sees everything from there on.

The searches of perfect information do that. With open cards, what is left of a hand of cards is a game between two
players without chance, and enhanced alpha-beta finds its value; one search, with one table, serves all deals: a
position is worth the same wherever it comes from. Where chance goes on to draw, as where a card is turned up between
bets, expectiminimax does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, TypeVar

from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.fallback import run_with_fallback
from zermelo.solvers.running.horizon import Lookahead, sight
from zermelo.solvers.search.expectiminimax import KERNEL
from zermelo.solvers.search.window_search import Selection, Windows, windowed
from zermelo.solvers.solution import Answer, Problem

Result = TypeVar("Result")

Worth = Callable[[State], Payoff]
"""What both players get from a state on, if they see everything."""


def with_open_cards(problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    """The result of ``work``, which is given the worth of states. The ``facts`` of the problem are those of the game
    with open cards: two players, constant sum, and plays that end; and whether chance draws from the states on that are
    asked for.

    Raises ``ZermeloError``: ``out-of-time``, and errors of the rules."""
    if problem.facts.chance.holds is False:
        return _by_windows(problem, work)
    return run_with_fallback(problem.machine, problem.limits, lambda backend: _by_expectation(backend, problem, work))


def _by_windows(problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    results: list[Result] = []

    def drive(problem: Problem[Any], search: Windows[Any]) -> Answer:
        def worth(state: State) -> Payoff:
            return problem.share(Fraction(search.root(state, -inf, inf, inf).value))

        results.append(work(worth))
        return Answer(value=problem.share(Fraction(0)), best=(), line=(), counts=search.counts)

    windowed(drive, Selection(), deepens=False)(problem)
    return results[-1]


def _by_expectation(backend: Backend[State], problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    sees = sight(backend, problem)

    def with_kernels(kernels: GameKernels) -> Result:
        paths = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, sees.path)
        lookahead = Lookahead(paths)

        def worth(state: State) -> Payoff:
            lookahead.to(state, inf)
            return problem.share(sees.fraction(paths.search.value))

        return work(worth)

    return backend.run(KERNEL.source(**sees.holes), with_kernels)
