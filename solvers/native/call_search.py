"""Searches by search functions, which kernels run in slices.

Such a kernel has ``start``, which says that nothing has been searched, and a search function, which has the state as a
parameter ``state``, calls the list of its moves ``legal`` and the number of the one that it tries ``k``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Final

from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.native.running.machine import State
from zermelo.solvers.native.path_search import PathSearch, S

_EVERYTHING: Final[Mapping[str, int]] = {}


class CallSearch(PathSearch[S]):
    """A search whose kernel's ``go_on`` is a search function. ``first`` are the other parameters of the first call."""

    along = "calls"

    def __init__(self, *arguments: Any, first: Mapping[str, int] = _EVERYTHING, **lengths: Any) -> None:
        super().__init__(*arguments, **lengths)
        self.first = first

    def start(self, root: State) -> None:
        super().start(root)
        for name, number in self.first.items():
            setattr(self._along[0], name, number)

    def _go_on(self, steps: int) -> int:
        function: Callable[Concatenate[S, ...], Visit] = self.kernel.go_on  # type: ignore[assignment]
        return self.kernels.go_on_with(function, self.search, steps)

    def _made(self) -> list[int]:
        return [call.legal[call.k] for call in self.kernels.waiting(self.search)]
