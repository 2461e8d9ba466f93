"""Searches to the end of all plays, by search functions that store the values of the first moves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attrs import frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.machine import Move, State
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.line import best_line


@frozen(repr=False)
class Whole(Displayed):
    """What the first player gets, the first moves that are worth as much, best play, and what has been counted."""

    value: Fraction
    best: tuple[Move, ...]
    line: tuple[Move, ...]
    counts: Mapping[str, int]


def search_whole_tree(search: CallSearch[Any], root: State, has_window: bool = False) -> Whole:
    """Search all that is below a state. The value of best play is known then; to find its moves, a search that
    ``has_window`` asks whether the player to move gets as much. Raises what ``CallSearch.run`` raises."""
    machine, record = search.backend.machine, search.search

    def best(state: State) -> tuple[Move, ...]:
        search.run(state)
        return tuple(move for k, move in enumerate(machine.moves(state)) if record.values[k] == record.value)

    moves = best(root)
    value, counts = search.backend.value(record.value), search.counts
    known = record.value

    def best_behind(state: State, plies: int) -> tuple[Move, ...]:
        if has_window:
            alpha = known - 1 if machine.actor(state) == 0 else known
            search.first = {"alpha": alpha, "beta": alpha + 1}
        return best(state)

    return Whole(value, moves, best_line(machine, root, moves, best_behind), counts)
