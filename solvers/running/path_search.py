"""Searches along a path, by kernels that run in slices.

A kernel of this kind has a record of the search, with the ``path`` from the root to the present position, and two
functions. ``start`` puts the search at its root, the first state of the path; ``go_on`` makes so many moves and returns
its depth, or what :mod:`zermelo.solvers.kernels.answers` says. When the path fills its list, it returns, and goes on
with a longer one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Final, Generic, Protocol, TypeVar

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.grammar.footprint import LATEST
from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel, kernel
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.kernels.answers import BEYOND, COMES_BACK, UNVALUED
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.beyond import BeyondKernel
from zermelo.solvers.running.loops import Watch
from zermelo.solvers.running.slices import Slices

_DEPTH: Final = 64
"""The length of a path at first: a copy of large frames costs time."""

_UNMEASURED: Final = LATEST + 1
"""The same where it is not known how much an element takes: when the path becomes longer, enough of it has been used to
be measured."""

_GROWTH: Final = 4


class PathRecord(Protocol):
    """The fields common to all kernels' records."""

    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...


S = TypeVar("S", bound=PathRecord)


@frozen(eq=False, repr=False)
class PathKernel(Displayed, Generic[S]):
    """A kernel of this kind, and the names of the fields that it counts in."""

    record: type[S]
    start: Callable[[S], None]
    go_on: Callable[Concatenate[S, ...], Any]
    counted: tuple[str, ...] = ("nodes", "terminals")

    def source(self, **holes: Hole) -> Kernel:
        """What the machine runs."""
        return kernel(self.start, self.go_on, **holes)


class PathSearch(Generic[S]):
    """A search by a kernel, whose record is ``search``. ``watch`` is for kernels that watch their path; ``lengths`` are
    those of the other lists of the record."""

    along = "path"
    """The list of the path."""

    beside: tuple[str, ...] = ()
    """Others that are as long."""

    spare = 2
    """The elements that a kernel needs beyond its depth to go on. So the depth decides when the list grows, not the end
    of a slice."""

    def __init__(
        self,
        kernel: PathKernel[S],
        backend: Backend[Any],
        kernels: GameKernels,
        limits: Limits,
        progress: Progress,
        watch: Watch | None = None,
        **lengths: Any,
    ) -> None:
        self.kernel = kernel
        self.backend = backend
        self.kernels = kernels
        self.limits = limits
        self.progress = progress
        self.watch = watch
        depth = _DEPTH if kernels.bytes_each(kernel.record, self.along) else _UNMEASURED
        self.check_memory(depth, dict.fromkeys(kernel.counted, 0))
        whole = {"watch": watch.lengths(depth)} if watch is not None else {}
        path = dict.fromkeys((self.along, *self.beside), depth)
        self.search = kernels.new(kernel.record, **path, **whole, **lengths)

    def run(self, root: Any) -> None:
        """Search the tree below a state.

        Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``needs-end``, ``needs-estimate``, or an error of
        the rules with the play to it; and :class:`BeyondKernel`."""
        self.start(root)
        self.limits.check(self.counts)
        slices = Slices(self.kernels.is_compiled)
        while (answer := self.go_on(root, int(min(slices.next(), self._nodes_left)))) >= 0:
            self.limits.check(self.counts)
        if answer == COMES_BACK:
            raise GoesRound(self.loop(root))

    @property
    def _nodes_left(self) -> float:
        return max(1.0, self.limits.nodes - self.search.nodes)

    def start(self, root: Any) -> None:
        """Put the search at its root."""
        self.kernels.put(self._along[0].state, self.backend.held(root))
        self._explained(root, lambda: self.kernels.call(self.kernel.start, self.search))

    def go_on(self, root: Any, steps: int) -> int:
        """Search for so many steps. The result is negative at the end of the search."""
        answer = self._explained(root, lambda: self._go_on(steps))
        if answer == BEYOND:
            raise BeyondKernel
        if answer + self.spare >= len(self._along):
            self._lengthen()
        self.progress(self.search.nodes)
        return answer

    def _go_on(self, steps: int) -> int:
        go_on: Callable[[S, int], object] = self.kernel.go_on
        return self.kernels.call(go_on, self.search, steps)

    @property
    def _along(self) -> Any:
        return getattr(self.search, self.along)

    @property
    def counts(self) -> dict[str, int]:
        """The counts, by name."""
        return {what: getattr(self.search, what) for what in self.kernel.counted}

    def loop(self, root: Any) -> Loop:
        """The play along the path, which returns to a position."""
        machine, states = self.backend.machine, [root]
        for number in self._made():
            states.append(machine.after(states[-1], self.backend.move(number)))
        play, last = machine.play(states[-1]), machine.position(states[-1])
        begin = len(play) - len(states) + 1 + [machine.position(state) for state in states].index(last)
        return Loop(play[:begin], play[begin:])

    def _explained(self, root: Any, call: Callable[[], int]) -> int:
        """The result of a call. Raises the error of the rules that it meets, with the play from the root; and
        ``ZermeloError`` (``needs-estimate``) where the search is cut off and nothing says what a position is worth."""
        try:
            return call()
        except RuleError as error:
            if error.site == BEYOND:
                raise BeyondKernel from error
            if error.site == UNVALUED:
                raise ZermeloError(
                    "needs-estimate",
                    "the search is cut off where the play goes on, and the file has no 'estimate' that says what a "
                    "position is worth",
                    "an 'estimate' in the file says it; `zermelo solve --estimate rollouts` takes the mean of random "
                    "plays",
                ) from None
            self.backend.explain(root, self._made(), error)

    def check_memory(self, depth: int, counts: Mapping[str, int]) -> None:
        """Raise ``out-of-memory`` where there is no room for a path of a length."""
        each = sum(self.kernels.bytes_each(self.kernel.record, name) for name in (self.along, *self.beside))
        if self.watch is not None and self.watch.is_on:
            each += self.kernels.bytes_each(self.kernel.record, "watch.marks")
        if depth * each > self.limits.free:
            raise self.limits.out_of_memory(dict(counts))

    def _lengthen(self) -> None:
        """Make room for a longer path."""
        depth = _GROWTH * len(self._along)
        self.check_memory(depth, self.counts)
        marks = {"watch": {"marks": depth}} if self.watch is not None and self.watch.is_on else {}
        self.kernels.grow(self.search, **dict.fromkeys((self.along, *self.beside), depth), **marks)

    def _made(self) -> list[int]:
        """The moves along the path, up to the one that went wrong."""
        plies = [self._along[depth] for depth in range(self.search.depth + 1)]
        return [ply.legal[ply.tried - 1] for ply in plies if ply.tried]
