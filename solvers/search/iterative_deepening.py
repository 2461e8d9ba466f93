"""Iterative deepening.

What it computes: the value of alpha-beta to depth 1, 2, 3, ... until no horizon is met, which makes it the value of
the game, or until a limit is reached, which leaves the value of the last depth that was completed. Source: Slate and
Atkin, "CHESS 4.5" (1977); Korf, "Depth-first iterative-deepening", Artificial Intelligence 27 (1985).

Searching the shallow depths again costs little, since each is a fraction 1/b of the next; and it pays, since what was
best at one depth is tried first at the next, so that more is cut off.

Cost: O(b^m) at worst for depth m, like one search to depth m; memory for the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from math import inf
from typing import Final, Generic, Protocol, TypeVar

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import State
from zermelo.solvers.common.limits import LimitReached, ahead
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.alphabeta import TIES
from zermelo.solvers.search.window_search import Selection, WindowResult, Windows, best_moves, windowed
from zermelo.solvers.solution import Answer, Certainty, Problem

ENDLESS: Final = (
    "No horizon was met. But it is not proved that all plays end, and the rules do not say what an endless one pays, "
    "which may be more than any that ends: 'endless draw' or 'endless payoff ...' says it, and makes the value exact."
)
"""What the user has to know of a value at a bound of the payoffs, if these bound only plays that end."""


class IterationResult(Protocol):
    """What an iteration finds; ``whole`` tells that no horizon was met."""

    @property
    def whole(self) -> bool: ...


Result = TypeVar("Result", bound=IterationResult)

Iteration = Callable[[int, Result | None], Result]
"""A search to a depth, given what the search to the depth before it has found."""


@frozen(repr=False)
class Deepest(Displayed, Generic[Result]):
    """What was found, to which depth (None: to the end of all plays), and in words what stopped a deeper search."""

    found: Result
    depth: int | None = None
    stopped: str = ""

    @property
    def plies(self) -> Number:
        """How deep the search went that found it."""
        return inf if self.depth is None else self.depth

    def counts(self, counts: Mapping[str, int]) -> dict[str, int]:
        """What has been counted, and the depth if there is one."""
        return {**counts} if self.depth is None else {**counts, "depth": self.depth}

    def notes(self, problem: Problem[State]) -> tuple[str, ...]:
        """What the user has to know of the horizon that was met, if one was."""
        return () if self.found.whole else (looked_ahead(problem, self.depth or 0, self.stopped),)


def drive(problem: Problem[State], search: Windows[State]) -> Answer:
    """Search with an open window to one depth after the other."""
    return deepen(problem, search, lambda depth, _: search.root(problem.root, -inf, inf, depth))


def deepen(problem: Problem[State], search: Windows[State], iteration: Iteration[WindowResult]) -> Answer:
    """What the last iteration found that could be completed; ``counts`` has its ``depth``."""
    return answer(problem, search, *deepest(problem, iteration))


def deepest(problem: Problem[State], iteration: Iteration[Result]) -> tuple[Result, int, str]:
    """What the last iteration found that could be completed, its depth, and in words what stopped the next one."""
    if problem.facts.terminates.holds is False and not (problem.limits.has_horizon or problem.limits.seconds < inf):
        looking = ahead(problem.rollouts or problem.facts.has_estimate)
        raise ZermeloError(
            "needs-end",
            f"a play of this game may never end: {problem.facts.terminates.how}",
            f"{looking}; --solver positions is for games whose plays go round",
        )
    found: Result | None = None
    completed, stopped = 0, ""
    for depth in count(1):
        if depth > problem.limits.depth:
            break
        try:
            with problem.limits.kept():
                found = iteration(depth, found)
        except LimitReached as reached:
            if found is None or not (problem.rollouts or problem.facts.has_estimate):
                raise
            stopped = f", where it was stopped {reached.limit}"
            break
        completed = depth
        if found.whole:
            break
    assert found is not None, "the depth is at least 1"
    return found, completed, stopped


def searched(problem: Problem[State], iteration: Callable[[Number, Result | None], Result]) -> Deepest[Result]:
    """What a search finds: by one iteration to the end of all plays or, where it may be cut off, by deepening."""
    if problem.limits.has_horizon:
        return Deepest(*deepest(problem, iteration))
    return Deepest(iteration(inf, None))


def answer(
    problem: Problem[State], search: Windows[State], found: WindowResult, depth: int | None = None, stopped: str = ""
) -> Answer:
    """What a search has found: to the end of all plays, or to a depth."""
    counts = {**search.counts, **({} if depth is None else {"depth": depth})}
    if found.whole and search.settles(found.value):
        notes, certainty = (TIES,), Certainty.EXACT
    elif found.whole:
        notes, certainty = (ENDLESS,), Certainty.DEPTH_LIMITED
    else:
        notes = (looked_ahead(problem, depth or 0, search.selection + stopped),)
        certainty = Certainty.HEURISTIC if search.selection else Certainty.DEPTH_LIMITED
    return Answer(
        value=problem.share(Fraction(found.value)),
        best=best_moves(found.line)[:1],
        line=search.line(found, inf if found.whole or depth is None else depth),
        counts=counts,
        certainty=certainty,
        notes=notes,
    )


def looked_ahead(problem: Problem[State], depth: int, stopped: str) -> str:
    """How far a search looked, and what stopped it, for the user."""
    guess = "the mean of random plays" if problem.rollouts else "the file's estimate"
    return f"The search looked {depth} plies ahead{stopped}; what lies behind is {guess}."


iterative_deepening = windowed(drive, Selection())
"""Solve by iterative deepening. Needs what alpha-beta needs; under a limit it needs an estimate, too."""
