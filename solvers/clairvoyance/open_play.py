"""What positions are worth if everybody sees everything from there on.

The searches of perfect information do that: with open cards, what is left of a hand of cards is a game between two
players without chance, and enhanced alpha-beta finds its value. One search, with one table, serves all deals: a
position is worth the same wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import Any, TypeVar

from zermelo.interpreter.machine import Payoff, State
from zermelo.solvers.search.window_search import Selection, Windows, windowed
from zermelo.solvers.solution import Answer, Problem

Result = TypeVar("Result")

Worth = Callable[[State], Payoff]
"""What both players get from a state on, if they see everything."""


def with_open_cards(problem: Problem[State], work: Callable[[Worth[State]], Result]) -> Result:
    """The result of ``work``, which is given the worth of states. The ``facts`` of the problem are those of the game
    with open cards: two players, constant sum, no chance from the states on that are asked for, and plays that end.

    Raises ``ZermeloError``: ``out-of-time``, and errors of the rules."""
    results: list[Result] = []

    def drive(problem: Problem[Any], search: Windows[Any]) -> Answer:
        def worth(state: State) -> Payoff:
            return problem.share(Fraction(search.root(state, -inf, inf, inf).value))

        results.append(work(worth))
        return Answer(value=problem.share(Fraction(0)), best=(), line=(), counts=search.counts)

    windowed(drive, Selection(), deepens=False)(problem)
    return results[-1]
