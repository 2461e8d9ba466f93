"""Answers that take a search: the solution of a game, as `zermelo solve` has it, and its tree, as `zermelo draw`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from math import inf
from typing import Any

from zermelo.console import Shown
from zermelo.drawing.game_trees import drawn_game
from zermelo.drawing.grown_tree import NODES
from zermelo.drawing.searches import search_drawn
from zermelo.game import Game, State
from zermelo.interpreter.machine import Machine, TellingMachine
from zermelo.machines import name_of
from zermelo.notebook.texts import strategy_parts
from zermelo.pictures.svg import svg
from zermelo.pictures.trees import tree_picture
from zermelo.solutions.page import print_kind, print_solution
from zermelo.solutions.record import solution_record
from zermelo.solvers.choosing.preconditions import check_request
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.choosing.settling import Settled, settle
from zermelo.solvers.choosing.solving import solve, what_is_asked
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.strategy import Strategy
from zermelo.solvers.solution import Solution
from zermelo.solving import informed, search

Progress = Callable[[str, str], Shown]
"""Begins to show progress: what is done, and what is counted meanwhile."""


def solved(game: Game, solver: str | None, limits: Limits, progress: Progress) -> dict[str, Any]:
    """The record of `zermelo solve --json`, with its ``page`` as text, and the strategies as tables.

    Raises what :func:`zermelo.solve` raises."""
    if solver is not None:  # a misspelled name is reported before any search
        check_request(find_solver(solver), informed(game), limits)
    report = progress("looking at the positions", "positions")
    asked = what_is_asked(game.facts, limits)

    def look(machine: Machine[Any]) -> Settled:
        return settle(machine, game.facts, solver, machine.initial(), limits, report, asked)

    with limits.kept():
        settled = search(game, look)
    report = progress("solving", "nodes")

    def work(machine: TellingMachine[Any]) -> tuple[TellingMachine[Any], Solution]:
        found = solve(machine, settled.facts, solver, report, None, limits, remark=report.remark, settled=settled)
        return machine, found

    with limits.kept():
        machine, solution = search(game, work)
    page = StringIO()
    with redirect_stdout(page):
        print_kind(game, None, settled.facts, settled.seen)
        print_solution(game, settled.facts, name_of(machine), solution, None, is_precise=False, is_all=False)
    record = solution_record(game, None, name_of(machine), settled.facts, settled.seen, solution, None, is_brief=True)
    return {**record, "page": page.getvalue(), "strategy": [_table(strategy) for strategy in solution.strategies]}


def _table(strategy: Strategy) -> dict[str, Any]:
    heads, rows, said = strategy_parts(strategy)
    return {"player": strategy.player, "columns": heads, "rows": rows, "said": said}


def tree(state: State, depth: int | None, solver: str | None, limits: Limits, report: Shown) -> dict[str, str]:
    """The tree below a state as a picture; the search itself, if the solver records it."""
    with limits.kept():
        if solver is not None and find_solver(solver).traces:
            picture = search_drawn(state, solver, [depth or inf], NODES, limits, report)
        else:
            picture = tree_picture(drawn_game(state, depth or inf, NODES, solver, limits, report))
    return {"svg": svg(picture)}
