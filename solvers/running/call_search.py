"""Searches by search functions, which kernels run in slices.

Such a kernel has ``start``, which says that nothing has been searched, and a search function, which has the state as a
parameter ``state``, calls the list of its moves ``legal`` and the number of the one that it tries ``k``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Concatenate, Final

from zermelo.interpreter.native.dialect.words import Visit
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.loops import Watch
from zermelo.solvers.running.path_search import PathKernel, PathSearch, S

_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


class CallSearch(PathSearch[S]):
    """A search whose kernel's ``go_on`` is a search function. ``first`` are the other parameters of the first call."""

    along = "calls"
    spare = 1

    def __init__(
        self,
        kernel: PathKernel[S],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch | None = None,
        first: Mapping[str, Any] = _NOTHING,
        **lengths: Any,
    ) -> None:
        super().__init__(kernel, backend, kernels, limits, progress, watch, **lengths)
        self.first = first

    def start(self, root: Any) -> None:
        super().start(root)
        for name, number in self.first.items():
            setattr(self._along[0], name, number)

    def _go_on(self, steps: int) -> int:
        function: Callable[Concatenate[S, ...], Visit[Any]] = self.kernel.go_on
        return self.kernels.go_on_with(function, self.search, steps)

    def _made(self) -> list[int]:
        return [call.legal[call.k] for call in self.kernels.waiting(self.search)]
