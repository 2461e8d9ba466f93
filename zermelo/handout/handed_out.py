"""The page of a game, for users: what :func:`zermelo.hand_out` gives."""

from __future__ import annotations

from math import inf
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from zermelo.game import State
from zermelo.handout.page import Wanted, page
from zermelo.results import UNASKED, GameResult, Provenance
from zermelo.solvers.choosing.registry import find_solver

if TYPE_CHECKING:
    from zermelo.report.console import Watch
    from zermelo.solvers.common.limits import Limits


@frozen(repr=False)
class HandedOut(GameResult):
    """The page of a game to hand out: one file of ``html``, with nothing from elsewhere."""

    begin: State = field(eq=False)
    html: str
    provenance: Provenance = UNASKED

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file. Raises ``ZermeloError`` (``unwritable-file``)."""
        from zermelo.files import write_file

        write_file(Path(fspath(path)), self.html.encode())

    def __repr__(self) -> str:
        return f"<page of '{self.game.name}': {len(self.html):,} characters>"

    def record(self) -> dict[str, Any]:
        """The page, and what it is of."""
        return {**self._head(), "html": self.html}


def make_page(begin: State, solver: str | None, limits: Limits, watch: Watch) -> HandedOut:
    """The page of a game from a state on. Raises ``ZermeloError`` as :func:`zermelo.hand_out` does."""
    if solver is not None:  # a misspelled name is reported before any search
        find_solver(solver)
    is_limited = solver is not None or min(limits.seconds, limits.depth, limits.nodes) < inf
    with watch("making the page", "nodes", None) as report:
        return HandedOut(begin, page(begin, Wanted(solver, limits, is_limited), report))
