"""How a table is made on disk: where, by whom, and whether an unfinished one is gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import define, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.dataset import remove_parts, unwritable
from zermelo.solvers.tables.rows import Content
from zermelo.solvers.tables.unfinished import Unfinished, is_left_by_all, unfinished_folder

if TYPE_CHECKING:
    from zermelo.solvers.common.limits import Limits
    from zermelo.solvers.tables.rounds import Shards

_GOES_ON: Final = frozenset(
    {"out-of-time", "out-of-memory", "out-of-nodes", "unwritable-file", "cluster-failed", "library-missing"}
)
"""The codes of errors that need not come up again; so what has been done is kept. Others, of the rules or because the
game has no table, do so however often a build goes on."""


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
    missed_wins: bool = True
    _work: Unfinished | None = None

    @property
    def is_asked(self) -> bool:
        return self.resume or not self.workforce.is_here or not self.missed_wins

    @property
    def place(self) -> Path:
        """The folder in which it is made."""
        return unfinished_folder(self.folder)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """A block in which the table is made. What is in the place is gone afterwards, unless the block is interrupted:
        then it stays if a round has been finished, and the error says so. Raises ``ZermeloError``
        (``unfinished-table``) if something has been left there, and it is not asked to go on."""
        try:
            self._look()
        except OSError as error:
            raise unwritable(self.folder, error.strerror or str(error)) from error
        try:
            yield
        except BaseException as error:
            code = error.code if isinstance(error, ZermeloError) else None
            may_go_on = code is None or code in _GOES_ON
            if self.is_unfinished and (may_go_on or code == "damaged-table"):
                if isinstance(error, ZermeloError) and may_go_on:
                    error.help = f"{self.how_to_go_on}; {error.help}" if error.help else self.how_to_go_on
                if self._work is not None:
                    self._work.close()
            elif self._work is not None:
                self._work.remove()
            raise
        if self._work is not None:
            self._work.remove()

    def clear_up(self) -> None:
        """Delete what is left though the table is there, by a process that was killed then. Raises ``ZermeloError`` as
        :meth:`content` does."""
        try:
            if self.place.exists():
                self._begun().remove()
        except OSError as error:
            raise unwritable(self.place, error.strerror or str(error)) from error

    def _begun(self) -> Unfinished:
        goes_on = self.resume and self.is_unfinished
        return (Unfinished.go_on if goes_on else Unfinished.begin)(self.place, self.made_of)

    def _look(self) -> None:
        """See what has been left. Raises ``ZermeloError`` (``unfinished-table``) and ``OSError``."""
        if not self.resume and self.is_unfinished:
            Unfinished.begin(self.place, self.made_of)  # which says that it is there
        if self.is_unfinished and is_left_by_all(self.place):
            remove_parts(self.folder)

    @property
    def is_unfinished(self) -> bool:
        """Whether something is left in the place with which another build can go on."""
        return Unfinished.is_in(self.place)

    @property
    def how_to_go_on(self) -> str:
        """What to do with what is left, in words."""
        return f"what is finished is kept in {self.place}: --resume goes on with it"

    def content(self, problem: Problem[Any], up_to_symmetry: bool | None, others: Sequence[Problem[Any]]) -> Content:
        """The content. Raises as :func:`~.building.content` does."""
        from zermelo.solvers.tables.external_building import content_on_disk

        self._work = self._begun()
        with self._shards(self._work, problem.limits) as shards:
            return shards.run(lambda: content_on_disk(problem, up_to_symmetry, shards, others, self.missed_wins))

    @contextmanager
    def _shards(self, work: Unfinished, limits: Limits) -> Iterator[Shards]:
        """The shards, for the time of the block."""
        if self.workforce.is_here:
            from zermelo.solvers.tables.rounds import ShardsHere
            from zermelo.solvers.tables.shards import Desk

            desk = Desk(self.place, 0, limits, lambda: limits.check({"nodes": 0}))
            yield ShardsHere(work, limits, desk=desk)
            return
        from zermelo.solvers.tables.cluster import on_cluster

        with on_cluster(work, limits, self.workforce.workers, self.workforce.address) as shards:
            yield shards
