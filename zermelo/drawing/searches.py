"""Pictures of searches: of one, or of those to several depths."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Any

from attrs import evolve

from zermelo.drawing.captions import titled
from zermelo.drawing.search_trees import drawn_search
from zermelo.game import State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.pictures.marks import Picture, below_each_other
from zermelo.pictures.trees import tree_picture
from zermelo.solvers.choosing.choice import Requirements, preferred
from zermelo.solvers.choosing.fitting import may_fit
from zermelo.solvers.choosing.preconditions import check_preconditions
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.choosing.solving import solve
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solving import on_machine, search

Progress = Callable[[int], None]


def search_drawn(
    state: State, solver: str, depths: Iterable[float], most: int, limits: Limits, report: Progress
) -> Picture:
    """What a solver looks at to each of these depths, of ``most`` nodes at most; ``inf`` is the end of all plays.

    Raises ``ZermeloError``: ``trace-too-large``, and what :func:`zermelo.solve` raises."""
    game, pictures = state.game, list[Picture]()
    for depth in depths:
        _check_advised(solver, state.game.facts, Requirements(deepens=depth < inf, traces=True))
        trace: Trace[Any] = Trace(game.reference, most)

        def work(_: Machine[Any], depth: float = depth, trace: Trace[Any] = trace) -> None:
            start = on_machine(state, game.reference)
            until = evolve(limits, depth=depth)
            solve(game.reference, game.facts, solver, report, start, until, trace=trace)

        search(game, work)
        reach = "" if depth == inf else f", {depth} {'move' if depth == 1 else 'moves'} ahead"
        title = f"{titled(state)}: {find_solver(solver).title}{reach}"
        pictures.append(tree_picture(drawn_search(trace, game.players, title)))
    return pictures[0] if len(pictures) == 1 else below_each_other(pictures[-1].title, pictures)


def _check_advised(name: str, facts: Facts, asked: Requirements) -> None:
    """Refuse a solver that does not fit where no other one that records its search does, either: the advice of a
    solution would be about options that a picture has not."""
    solver = find_solver(name)
    if not may_fit(solver, facts, asked.deepens) and preferred(facts, asked) is None:
        check_preconditions(solver, facts, asked, "leave out --solver: no search that can be drawn fits this game")
