"""Searches by search functions that store the values of the first moves: to the end of all plays, or to a depth."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from attrs import evolve, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Move, State
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.horizon import Lookahead, Sight
from zermelo.solvers.running.line import best_line
from zermelo.solvers.search.deepening import searched
from zermelo.solvers.solution import Answer, Certainty, Problem


@frozen(eq=False, repr=False)
class Found(Displayed):
    """What the first player gets, as the kernel and as the user has it; the first moves that are worth as much; and
    whether no horizon was met."""

    value: Any
    worth: Fraction
    best: tuple[Move, ...]
    whole: bool


def search_first_moves(
    problem: Problem[State], paths: CallSearch[Any], sees: Sight, has_window: bool = False
) -> Answer:
    """What a search of all that is below the root of a problem finds, as far as it is to look. The value of best play
    is known then; to find its moves, a search that ``has_window`` asks whether the player to move gets as much. Raises
    what ``CallSearch.run`` raises."""
    machine, record, lookahead = paths.backend.machine, paths.search, Lookahead(paths)

    def best(state: State) -> tuple[Move, ...]:
        moves = enumerate(machine.moves(state)[: record.tried])
        return tuple(move for k, move in moves if record.values[k] == record.value)

    def iteration(depth: Number, _: Found | None) -> Found:
        whole = lookahead.to(problem.root, depth)
        return Found(record.value, sees.value(record.value), best(problem.root), whole)

    seen = searched(problem, iteration)
    found, counts = seen.found, seen.counts(lookahead.counts)
    paths.limits = evolve(paths.limits, nodes=inf)  # these are for the value

    def best_behind(state: State, plies: int) -> tuple[Move, ...]:
        if has_window:
            alpha = found.value - 1 if machine.actor(state) == 0 else found.value
            paths.first = {"alpha": alpha, "beta": alpha + 1}
        lookahead.to(state, seen.plies - plies)
        return best(state)

    return Answer(
        value=problem.share(found.worth),
        best=found.best,
        line=best_line(machine, problem.root, found.best, best_behind, seen.plies),
        counts=counts,
        certainty=Certainty.EXACT if found.whole else Certainty.DEPTH_LIMITED,
        notes=seen.notes(problem),
    )
