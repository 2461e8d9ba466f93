"""The tree of all plays from a position on, for answers that need the whole of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.report.console import Watch
from zermelo.solvers.choosing.choice import advise_other_solver, settle
from zermelo.solvers.choosing.registry import Need, objection
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Facts
    from zermelo.interpreter.machine import Machine
    from zermelo.solvers.common.limits import Limits


def whole_tree(begin: State, what: str, limits: Limits, watch: Watch) -> ExtensiveForm:
    """All plays from a position on; ``what`` says in messages what is made of them.

    Raises ``ZermeloError``: ``needs-end`` for a game with a play that comes back to a position, ``out-of-time``,
    ``out-of-memory``."""
    game = begin.game
    with watch("looking at the positions", "positions", None) as report:

        def look(machine: Machine[Any]) -> Facts:
            return settle(machine, game.facts, "normal_form", on_machine(begin, machine), limits, report).facts

        facts = search(game, look)
    if not Need.END.is_met(facts):
        message = f"{what} are for {Need.END.kind}, and {objection(Need.END, facts)}"
        raise ZermeloError(Need.END.code, message, f"`zermelo solve`: {advise_other_solver(facts)}")
    with watch("writing down the histories", "histories", None) as report:

        def write(machine: Machine[Any]) -> ExtensiveForm:
            return build_tree(machine, game.facts, on_machine(begin, machine), limits, report)

        return search(game, write)
