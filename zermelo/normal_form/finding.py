"""The equilibria of a small game (:mod:`zermelo.solvers.normal_form`)."""

from __future__ import annotations

from zermelo.game import State
from zermelo.normal_form.equilibria_page import ListedEquilibria
from zermelo.normal_form.sequential import SEQUENTIAL, sequential_marks
from zermelo.normal_form.table_analysis import analyse
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.whole_tree import Watch, unwatched, whole_tree


def listed_equilibria(
    begin: State, limits: Limits, is_pure: bool, most: int | None, watch: Watch = unwatched
) -> ListedEquilibria:
    """The equilibria of the game from a state on, within limits; as many as ``most`` are examined whether they are
    sequential, all if it is None.

    Raises ``ZermeloError`` as :func:`zermelo.equilibria` does, and ``out-of-time``."""
    with limits.kept():
        tree = whole_tree(begin, "tables of pure strategies", limits, watch)
        table = normal_form(tree, limits)
    known = analyse(tree, table, limits, is_pure)
    listed = known.equilibria[:most]
    with watch("looking for sequential ones", "equilibria", len(listed)) as report:
        marks = sequential_marks(tree, table, listed, limits, report)
    if not marks.is_whole:
        known.unfinished.append(SEQUENTIAL)
    return ListedEquilibria(begin, known, marks, is_pure)
