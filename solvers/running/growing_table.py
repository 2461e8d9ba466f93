"""A depth-first search whose table grows with it.

A table that takes all the memory from the first node on is slow for small games: every probe goes to memory that
has not been touched yet. So it begins small, and whenever the search has made a node for every :data:`ROOM` entries a
table ``GROWTH`` times as large takes its place. Until it has all the memory, hardly any entry is replaced.

Invariant: the table grows after numbers of nodes that do not depend on the clock, so that every run visits the same
nodes.

Cost: entries are rehashed a few times in all, each time before the table is a sixteenth full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel, kernel
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.loops import Watch
from zermelo.solvers.running.path_search import PathKernel, PathSearch

ROOM: Final = 16
"""Entries for each node, while there is memory."""

GROWTH: Final = 8

_FIRST: Final = 1 << 12


class TableRecord(Protocol):
    """What a kernel with a table works on."""

    @property
    def table(self) -> Sequence[object]: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...


S = TypeVar("S", bound=TableRecord)


@frozen(kw_only=True, repr=False)
class TableKernel(PathKernel[S]):
    """A kernel with a table of records ``entry``, which is none if it has fewer than two. When it has grown, ``spread``
    is told how many entries there were before, and puts each where it belongs now."""

    entry: type
    spread: Callable[[S, int], None]

    def source(self, **holes: Hole) -> Kernel:
        return kernel(self.start, self.go_on, self.spread, **holes)


class TableSearch(PathSearch[S]):
    """A search by such a kernel; one that must not store positions has a table without entries."""

    kernel: TableKernel[S]

    def __init__(
        self,
        kernel: TableKernel[S],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch,
        remembers: bool,
        **lengths: Any,
    ) -> None:
        self._width = kernels.words_of(kernel.record, "table")
        first = _first_size(limits, self._width, kernels) if remembers else 0
        table: list[Any] = kernels.elements(kernel.entry, first if first > 1 else 0, everywhere=True)
        super().__init__(kernel, backend, kernels, limits, progress, watch, table=table, **lengths)

    def go_on(self, root: Any, steps: int) -> int:
        """Search for so many steps, or until the table has to grow."""
        room = self._room()
        while room <= 0:
            self._grow()
            room = self._room()
        return super().go_on(root, int(min(steps, room)))

    def _room(self) -> float:
        """How many nodes may be made before the table has to grow."""
        size = len(self.search.table)
        if size == 0 or size >= table_size(self.limits, self._width, self.kernels):
            return float("inf")
        return size // ROOM - self.search.nodes

    def _grow(self) -> None:
        size = len(self.search.table)
        larger = min(GROWTH * size, table_size(self.limits, self._width, self.kernels))
        table: Any = self.kernels.elements(self.kernel.entry, larger, everywhere=True)
        self.kernels.grow(self.search, table=table)
        self.kernels.call(self.kernel.spread, self.search, size)


def _first_size(limits: Limits, width: int, kernels: GameKernels) -> int:
    """The entries that a table begins with, each of ``width`` words. In Python entries come about when they are used
    first, so there the table has its full size at once."""
    most = table_size(limits, width, kernels)
    return min(_FIRST, most) if kernels.is_compiled else most


def table_size(limits: Limits, width: int, kernels: GameKernels) -> int:
    """The entries of a table that may take all the memory, each of ``width`` numbers: a power of 2."""
    return 1 << max(1, limits.free // kernels.row_bytes(width)).bit_length() - 1
