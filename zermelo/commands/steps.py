"""``solve --steps``: the printing of a search that is told node by node."""

from __future__ import annotations

from typing import Any, Final

from zermelo.game import Game
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.report.console import print_facts, print_remark, print_table
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.solution import Solution
from zermelo.steps import is_windowed, orders_of_moves, pruned_plays, steps

_LISTED: Final = 12
"""The most plays that are listed."""


def print_steps(game: Game, trace: Trace[Any]) -> None:
    """The search, and what it did not look at."""
    has_window = is_windowed(trace)
    print_table(*steps(trace, game.titles, has_window))
    print()
    pruned = pruned_plays(trace)
    if pruned:
        others = f"; and {len(pruned) - _LISTED:,} more" if len(pruned) > _LISTED else ""
        print_facts([("not looked at", "; ".join(pruned[:_LISTED]) + others)])
        print()


def print_orders(game: Game, facts: Facts, root: Any, solution: Solution, limits: Limits) -> None:
    """What alpha-beta would look at if the moves came in another order."""
    if solution.solver != "alphabeta":
        return
    found = orders_of_moves(game, facts, root, limits)
    if found:
        rows = [(visited.how, f"{visited.nodes:,}", f"{visited.leaves:,}") for visited in found]
        print_table(("search", "nodes", "leaves"), rows)
    else:
        print_remark("The tree is too large to put all its moves in another order.")
    print()
