"""How a table is made on disk: where, by whom, and whether an unfinished one is gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.rows import Content
from zermelo.solvers.tables.unfinished import Unfinished, unfinished_folder

SHARDS: Final = 64
"""The shards of a graph: each has to fit into memory by itself."""

_GOES_ON: Final = frozenset({"out-of-time", "out-of-memory", "out-of-nodes", "unwritable-file", "cluster-failed"})
"""The codes of errors that need not come up again; so what has been done is kept."""


@frozen
class Workforce:
    """Who makes a table: so many ``workers``, processes of a Ray cluster, of the one at an ``address`` or one on this
    computer alone. None, without an address: this process."""

    workers: int | None = None
    address: str | None = None

    @property
    def is_here(self) -> bool:
        return self.workers is None and self.address is None


HERE: Final = Workforce()
"""This process alone."""


@define(eq=False)
class OnDisk:
    """How the table in a ``folder`` is made on disk, of what ``made_of`` says in words. It ``is_asked`` for, too, if it
    would fit into memory."""

    folder: Path
    made_of: Mapping[str, Any]
    resume: bool = False
    workforce: Workforce = HERE
    _work: Unfinished | None = None

    @property
    def is_asked(self) -> bool:
        return self.resume or not self.workforce.is_here

    @property
    def place(self) -> Path:
        """The folder in which it is made."""
        return unfinished_folder(self.folder)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """A block in which the table is made. What is in the place is gone afterwards, unless the block is interrupted:
        then it stays if a round has been finished, and the error says so. Raises ``ZermeloError``
        (``unfinished-table``) if something has been left there, and it is not asked to go on."""
        if not self.resume and Unfinished.is_in(self.place):
            Unfinished.begin(self.place, self.made_of)  # which says that it is there
        try:
            yield
        except BaseException as error:
            may_go_on = not isinstance(error, ZermeloError) or error.code in _GOES_ON
            if self.is_unfinished and may_go_on:
                if isinstance(error, ZermeloError):
                    error.help = f"{self.how_to_go_on}; {error.help}" if error.help else self.how_to_go_on
                if self._work is not None:
                    self._work.close()
            elif self._work is not None:
                self._work.remove()
            raise
        if self._work is not None:
            self._work.remove()

    @property
    def is_unfinished(self) -> bool:
        """Whether something is left in the place with which another build can go on."""
        return Unfinished.is_in(self.place)

    @property
    def how_to_go_on(self) -> str:
        """What to do with what is left, in words."""
        return f"what is finished is kept in {self.place}: --resume goes on with it"

    def content(self, problem: Problem[Any], up_to_symmetry: bool | None) -> Content:
        """The content. Raises as :func:`~.building.content` does."""
        from zermelo.solvers.tables.external_building import content_on_disk
        from zermelo.solvers.tables.rounds import ShardsHere
        from zermelo.solvers.tables.shards import Desk

        goes_on = self.resume and self.is_unfinished
        self._work = (Unfinished.go_on if goes_on else Unfinished.begin)(self.place, self.made_of)

        def pause() -> None:
            problem.limits.check({"nodes": 0})

        desk = Desk(self.place, SHARDS, 0, problem.limits, pause)
        return content_on_disk(problem, up_to_symmetry, ShardsHere(self._work, SHARDS, problem.limits, desk=desk))
