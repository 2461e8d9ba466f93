"""The extensive form of a game: by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from typing import Any

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.running.fallback import lowered_or
from zermelo.solvers.solution import Problem
from zermelo.solvers.tree_building import by_kernel, exactly


def tree_of(problem: Problem[Any]) -> ExtensiveForm:
    """The extensive form of what is to be solved, built now unless it has been."""
    if problem.tree is not None:
        return problem.tree
    return build_tree(problem.machine, problem.facts, problem.root, problem.limits, problem.progress)


def build_tree(machine: Machine[Any], facts: Facts, root: Any, limits: Limits, progress: Progress) -> ExtensiveForm:
    """The extensive form of a game whose plays all end, which begins at ``root``.

    Raises ``ZermeloError``: ``no-value`` where something is hidden and the play has begun, and what
    :func:`zermelo.solvers.tree_building.exactly.build` raises."""
    if machine.play(root):
        raise ZermeloError(
            "no-value",
            "where something is hidden, what is left of a play has no value of its own: it depends on what the players "
            "make of what came before",
            "leave out --after; or `zermelo moves --values` says what the moves are worth to the player to move",
        )
    is_hidden = facts.perfect_information.holds is not True
    with limits.kept():
        return lowered_or(
            machine,
            lambda lowered: by_kernel.build(lowered, is_hidden, limits, progress),
            lambda: exactly.build(machine, is_hidden, facts.discounted, limits, progress),
        )
