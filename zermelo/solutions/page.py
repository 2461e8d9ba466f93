"""A solution as text: what every player gets, what they do, and how that is known."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from zermelo.game import Game, State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.kinds import describe, size_text
from zermelo.machines import left_to_reference
from zermelo.numbers import LEGIBLE_DIGITS, play_so_far, settings
from zermelo.report.console import print_facts, print_heading, print_remark, print_table, print_title
from zermelo.solutions.plan_text import PAGE, plan_lines
from zermelo.solutions.record import amounts_table, solution_lines
from zermelo.solvers.solution import Solution

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.forms.strategy import Strategy


def print_kind(game: Game, root: State | None, facts: Facts, seen: Survey | Size | None) -> None:
    """What is solved, from ``root`` on if that is not the beginning, and what is known of it: ``seen`` of its size."""
    print_title(game.title, settings(game))
    print()
    after = [] if root is None else [("after", play_so_far(root))]
    print_facts([*describe(facts), *([] if seen is None else [("size", size_text(seen))]), *after])
    print()


def print_solution(
    game: Game,
    facts: Facts,
    machine: str,
    solution: Solution,
    verification: Verification | None,
    is_precise: bool,
    is_all: bool,
) -> None:
    """``is_precise``: with all digits that are certain; ``is_all``: with every decision of the
    strategies, and the whole plan."""
    digits = None if is_precise else LEGIBLE_DIGITS
    print_table(*amounts_table(game, facts, solution, digits))
    print()
    for strategy in solution.strategies:
        _print_strategy(strategy, is_all)
    if solution.plan is not None:
        print_heading(f"The plan of {solution.plan.player}:")
        print("\n".join(plan_lines(solution.plan, inf if is_all else PAGE)))
        print()
    lines = solution_lines(game, solution, digits)
    reason = left_to_reference(game.choice, game.prepared)
    if reason is not None:
        lines.append(("machine", reason))
    if solution.beyond:
        lines.append(("machine", f"kernels ran in Python, with exact numbers: {solution.beyond}"))
    if verification is not None:
        lines.append(("verified" if verification.confirmed else "not verified", verification.how))
    lines.append(("counts", ", ".join(f"{what} {count:,}" for what, count in solution.counts.items())))
    where = f"in Python, over the {machine} machine" if solution.beyond else f"on the {machine} machine"
    lines.append(("time", f"{solution.seconds:.3f} s {where}"))
    print_facts(lines)


def _print_strategy(strategy: Strategy, is_all: bool) -> None:
    from zermelo.solutions.strategy_table import strategy_table

    table = strategy_table(strategy, is_all)
    if table.rows:
        print_table(table.heads, table.rows)
    else:
        print_remark(f"{strategy.player} never has a choice.")
    if table.more:
        print_remark(f"... and {table.more:,} more rows, which --all lists")
    if table.unmet:
        print_remark(f"... and {table.unmet:,} decisions to which these strategies do not lead, which --all lists")
    print()
