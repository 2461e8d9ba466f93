"""All histories of a game, for those who judge strategies in them."""

from __future__ import annotations

from typing import Any, Final

from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine
from zermelo.solvers.choosing.fitting import objection
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.settling import settle
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import on_machine, search

_LIKE: Final = "cfr"
"""A solver that takes all histories of a game, too: what it needs is settled."""


def histories(begin: State, limits: Limits, report: Progress) -> ExtensiveForm:
    """The histories of the game that begins in a state.

    Raises ``ZermeloError``: ``needs-end`` if a play is found that need not end, so that they cannot be written down,
    ``no-value``, ``out-of-memory``, ``out-of-time``."""
    facts = begin.game.facts

    def written(machine: Machine[Any]) -> ExtensiveForm:
        root = on_machine(begin, machine)
        known = facts if machine.is_within_round(root) else settle(machine, facts, _LIKE, root, limits, report).facts
        if known.terminates.holds is False:
            raise ZermeloError(
                "needs-end",
                "where something is hidden, strategies are judged in games whose plays all end, and "
                f"{objection(Need.END, known)}",
                "let a rule end every play, such as a limit on moves",
            )
        return build_tree(machine, facts, root, limits, report)

    return search(begin.game, written)
