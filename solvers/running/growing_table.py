"""A depth-first search whose table grows with it.

A table that takes all the memory from the first node on is slow for small games: every probe goes to memory that has
not been touched yet, and words of histories are there at once. So it begins small, and whenever the search has made a
node for every :data:`ROOM` entries a table ``GROWTH`` times as large takes its place. So hardly any entry is replaced,
until the table has :data:`LARGE` bytes. A larger one costs more, since memory has to be made and touched, than entries
that are replaced do: it has to be full first.

Where each position has a place of its own, a table takes memory as places are used: it has its full size at once.

Invariant: the table grows after numbers of nodes that do not depend on the clock, nor on whether kernels have been
compiled, which does, so that every run visits the same nodes.

Cost: entries are rehashed a few times in all. That may take seconds, so the limits are checked on the way. Where one
ends the search, some entries are left where they stood before. They do no harm if a later search goes on with the
table: an entry holds its whole key, so where it does not belong nobody finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from attrs import frozen

from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel, kernel
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels.past import Pasts, spread_pasts
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.call_search import CallSearch
from zermelo.solvers.running.loops import Watch
from zermelo.solvers.running.path_search import PathKernel, PathSearch

ROOM: Final = 16
"""Entries for each node, while there is memory."""

GROWTH: Final = 8

LARGE: Final = 1 << 28
"""The bytes beyond which a table grows only when a node has been made for each of its entries."""

_MOMENTS: Final = 4
"""For each entry of a table there is room for so many entries of histories (:mod:`zermelo.solvers.kernels.past`)."""

_FIRST: Final = 1 << 12

_CHUNK: Final = 1 << 20
"""Entries that are rehashed between two checks of the limits."""


class TableRecord(Protocol):
    """What a kernel with a table works on."""

    @property
    def table(self) -> Sequence[object]: ...
    @property
    def pasts(self) -> Pasts: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...


S = TypeVar("S", bound=TableRecord)


@frozen(kw_only=True, eq=False, repr=False)
class TableKernel(PathKernel[S]):
    """A kernel with a table of records ``entry``, which is none if it has fewer than two, and with ``pasts`` of its
    entries. When it has grown, ``spread`` puts the entries from one on up to another (exclusive) where they belong
    now."""

    entry: type
    spread: Callable[[S, int, int], None]

    def source(self, **holes: Hole) -> Kernel:
        return kernel(self.start, self.go_on, self.spread, spread_pasts, **holes)


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
        self._beside = past_words(backend)
        self._width = kernels.words_of(kernel.record, "table") + self._beside
        most = table_size(limits, self._width, kernels) if remembers else 0
        first = min(_FIRST, most) if backend.displaces else most
        first = first if first > 1 else 0
        table: list[Any] = kernels.elements(kernel.entry, first, everywhere=True)
        pasts = {"words": first * self._beside}
        super().__init__(kernel, backend, kernels, limits, progress, watch, table=table, pasts=pasts, **lengths)

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
        return (size // ROOM if size < spacious(self._width, self.kernels) else size) - self.search.nodes

    def _grow(self) -> None:
        size, enough = len(self.search.table), spacious(self._width, self.kernels)
        larger = min(GROWTH * size, table_size(self.limits, self._width, self.kernels))
        larger = min(larger, enough) if size < enough else larger
        table: Any = self.kernels.elements(self.kernel.entry, larger, everywhere=True)
        self.kernels.grow(self.search, table=table, pasts={"words": larger * self._beside})
        if self._beside:
            self.kernels.call(spread_pasts, self.search.pasts, size * self._beside)
        for first in range(0, size, _CHUNK):
            self.limits.check(self.counts)
            self.kernels.call(self.kernel.spread, self.search, first, min(first + _CHUNK, size))


class CallTableSearch(TableSearch[S], CallSearch[S]):
    """The same by a search function."""


def spacious(width: int, kernels: GameKernels) -> int:
    """The entries of a table that is just not large, each of ``width`` words: a power of 2."""
    return 1 << max(1, LARGE // kernels.row_bytes(width)).bit_length() - 1


def past_words(backend: Backend[Any]) -> int:
    """The words of pasts for each entry of a table: a power of 2, or 0."""
    return 1 << (_MOMENTS * backend.moment).bit_length() - 1 if backend.moment else 0


def table_size(limits: Limits, width: int, kernels: GameKernels) -> int:
    """The entries of a table that may take all the memory, each of ``width`` numbers: a power of 2."""
    return 1 << max(1, limits.free // kernels.row_bytes(width)).bit_length() - 1
