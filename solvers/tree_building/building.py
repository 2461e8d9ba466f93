"""The extensive form of a game: by a kernel over lowered rules, and otherwise over any machine."""

from __future__ import annotations

from typing import Any

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.common.within_round import within_round
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
    """The extensive form of a game whose plays all end, which begins at ``root``: a position that everybody knows, so
    that what is left of the play is a game of its own (a *subgame*, Selten 1965).

    Raises ``ZermeloError``: ``no-value`` for another root, and what
    :func:`zermelo.solvers.tree_building.exactly.build` raises."""
    is_hidden = facts.perfect_information.holds is not True
    has_begun = bool(machine.play(root))
    check_root(machine, facts, root)

    def by_machine() -> ExtensiveForm:
        return exactly.build(machine, root, is_hidden, facts.discounted, limits, progress)

    with limits.kept():
        if has_begun and is_hidden:  # kernels do not know what was observed before
            return by_machine()
        return lowered_or(
            machine, lambda lowered: by_kernel.build(lowered, root, is_hidden, limits, progress), by_machine
        )


def check_root(machine: Machine[Any], facts: Facts, root: Any) -> None:
    """Raise ``ZermeloError`` (``no-value``) if a play has arrived in a position that players need not know."""
    if not machine.play(root) or facts.perfect_information.holds is True:
        return
    if facts.public_between_rounds.holds is not True:
        raise ZermeloError(
            "no-value",
            "where something is hidden, what is left of a play has no value of its own: it depends on what the players "
            "make of what came before",
            "leave out --after; or `zermelo moves --values` says what the moves are worth to the player to move",
        )
    if machine.is_within_round(root):
        raise within_round()
