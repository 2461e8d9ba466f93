"""The equilibria of a small game (:mod:`zermelo.solvers.normal_form`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeAlias

from zermelo.equilibria_page import ListedEquilibria
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine
from zermelo.sequential import SEQUENTIAL, sequential_marks
from zermelo.solvers.choosing.fitting import objection
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.preconditions import instead
from zermelo.solvers.choosing.settling import settle
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.solvers.tree_building.building import build_tree
from zermelo.solving import on_machine, search
from zermelo.table_analysis import analyse

Watch: TypeAlias = Callable[[str, str, int | None], AbstractContextManager[Progress]]
"""Begins to show progress: what is done, what is counted, and how many there will be, if that is known."""


@contextmanager
def _unwatched(doing: str, what: str, total: int | None) -> Iterator[Progress]:
    yield ignore_progress


def listed_equilibria(
    begin: State, limits: Limits, is_pure: bool, most: int | None, watch: Watch = _unwatched
) -> ListedEquilibria:
    """The equilibria of the game from a state on, within limits; as many as ``most`` are examined whether they are
    sequential, all if it is None.

    Raises ``ZermeloError`` as :func:`zermelo.equilibria` does, and ``out-of-time``."""
    game = begin.game
    with limits.kept():
        with watch("looking at the positions", "positions", None) as report:
            _check_end(search(game, lambda machine: _settled(begin, machine, limits, report)))
        with watch("writing down the histories", "histories", None) as report:

            def write(machine: Machine[Any]) -> ExtensiveForm:
                return build_tree(machine, game.facts, on_machine(begin, machine), limits, report)

            tree = search(game, write)
        table = normal_form(tree, limits)
    known = analyse(table, limits, is_pure)
    listed = known.equilibria[:most]
    with watch("looking for sequential ones", "equilibria", len(listed)) as report:
        marks = sequential_marks(tree, table, listed, limits, report)
    if not marks.is_whole:
        known.unfinished.append(SEQUENTIAL)
    return ListedEquilibria(begin, known, marks, is_pure)


def _settled(begin: State, machine: Machine[Any], limits: Limits, report: Progress) -> Facts:
    return settle(machine, begin.game.facts, "normal_form", on_machine(begin, machine), limits, report).facts


def _check_end(facts: Facts) -> None:
    """Raise ``ZermeloError`` (``needs-end``) for a game with a play that comes back to a position."""
    if not Need.END.is_met(facts):
        message = f"tables of pure strategies are for {Need.END.kind}, and {objection(Need.END, facts)}"
        other = instead(facts)
        raise ZermeloError(Need.END.code, message, f"`zermelo solve`: {other}")
