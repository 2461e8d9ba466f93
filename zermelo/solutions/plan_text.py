"""A conditional plan as text, a tree of what to do by what is perceived, and as JSON.

Moves between which nothing is perceived stand in one line. What follows each thing that may be perceived is a line of
its own, further to the right. A step to which several ways lead is written out once, with a number to refer to.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from zermelo.interpreter.machine import shown
from zermelo.report.console import clean

if TYPE_CHECKING:
    from zermelo.solvers.forms.policy import Branch, ConditionalPlan

PAGE: Final = 40
"""The greatest number of lines of a plan that are printed, unless all are asked for."""

ON_THE_COMMAND_LINE: Final = "which `zermelo solve --all` prints"
"""Where the rest of a plan is to be found, for pages that are not those of the command."""

MOST: Final = 10_000
"""The greatest number of decisions of a plan that are listed as a strategy; it may have far more than steps."""

_INDENT: Final = "  "


def plan_lines(plan: ConditionalPlan, most: float, elsewhere: str = "which --all prints") -> list[str]:
    """The lines of a plan; of more than ``most`` the first, and how many others there are, to be found
    ``elsewhere``."""
    ways = Counter(branch.step for branches in _all_branches(plan) for branch in branches)
    shared = {step for step, count in ways.items() if count > 1 and plan.steps[step].branches}
    marks: dict[int, int] = {}
    lines = [f"the play may end before {plan.player} decides{_ended(plan.ends)}"] if plan.ends else []
    waiting = [("", branch) for branch in reversed(plan.begins)]
    while waiting:
        indent, branch = waiting.pop()
        news = ", ".join(map(shown, branch.news(plan.player)))
        made, number = [], branch.step
        while number not in marks:
            if number in shared:
                marks[number] = len(marks) + 1
                made.append(f"({marks[number]}) {shown(plan.steps[number].move)}")
            else:
                made.append(shown(plan.steps[number].move))
            step = plan.steps[number]
            made[-1] += _ended(step.ends)
            if len(step.branches) != 1 or step.branches[0].news(plan.player):
                waiting += [(indent + _INDENT, each) for each in reversed(step.branches)]
                break
            number = step.branches[0].step
        else:
            made.append(f"go on at ({marks[number]})")
        lines.append(indent + clean(f"{news}: {', '.join(made)}" if news else ", ".join(made)))
    if len(lines) > most:
        kept = int(most)
        return [*lines[:kept], f"... and {len(lines) - kept:,} more lines, {elsewhere}"]
    return lines


def _all_branches(plan: ConditionalPlan) -> list[tuple[Branch, ...]]:
    return [plan.begins, *(step.branches for step in plan.steps)]


def _ended(ends: tuple[Any, ...]) -> str:
    """What ends bring, in brackets."""
    return f" [ends: {' or '.join(map(str, ends))}]" if ends else ""


def plan_record(plan: ConditionalPlan) -> dict[str, Any]:
    """A plan as JSON: ``steps`` by number, from 0, and ``begins``, the branches that lead to the first ones. A branch
    has what the player perceives, observation by observation, and the number of the step that follows; the amounts in
    ``ends`` are exact numbers as text."""
    return {
        "player": plan.player,
        "begins": _branches(plan.begins),
        "ends": list(map(str, plan.ends)),
        "steps": [
            {
                "move": str(step.move),
                "possible": step.possible,
                "branches": _branches(step.branches),
                "ends": list(map(str, step.ends)),
            }
            for step in plan.steps
        ],
    }


def strategies_of_plan(plan: ConditionalPlan) -> list[dict[str, Any]]:
    """A plan as strategies in JSON (:func:`zermelo.solutions.strategy_table.record`), so that other commands take it
    from a file: the decisions to which it leads, with the moves made there. None of them if they are more than
    ``MOST``, where ``plan`` alone tells it all."""
    listed = list(islice(plan.decisions(), MOST + 1))
    if len(listed) > MOST:
        return []
    decisions = [
        {
            "known": list(map(str, known)),
            "reached": "1",
            "met": True,
            "moves": {str(move): {"probability": "1", "loses": "0"}},
        }
        for known, move in listed
    ]
    return [{"player": plan.player, "decisions": decisions}]


def _branches(branches: tuple[Branch, ...]) -> list[dict[str, Any]]:
    return [{"perceived": list(map(str, branch.perceived)), "step": branch.step} for branch in branches]
