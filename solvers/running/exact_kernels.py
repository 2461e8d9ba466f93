"""Kernels over any machine, as plain Python with exact numbers.

The functions of a kernel run as they are; what the words mean to them, :mod:`~zermelo.solvers.running.exact_words`
says. Where machine code has numbers of 64 bits, there may be any number, and where it has a move's number, the move.

Invariant: a table knows positions by themselves, never by a hash, and gives up none that it has taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import getgeneratorlocals
from types import SimpleNamespace
from typing import Any, Final, Generic, TypeVar, cast

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import Machine, State
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.words import State as StateWords
from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.plain_kernels import PythonText
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.trace import Trace
from zermelo.solvers.kernels.answers import UNVALUED
from zermelo.solvers.running.backend import AS_IT_IS, TraceView
from zermelo.solvers.running.exact_words import Positions, RuleFaults, Words, lengths
from zermelo.solvers.running.growing import GrowingViews

R = TypeVar("R")

_ENTRY_BYTES: Final = 16
"""What an entry of a table takes at least, with its position, as those are counted that are its own and not used. How
many there is room for is measured."""


class ExactKernels(PythonText, Generic[State]):
    """The functions of a kernel. A ``trace`` is told of the first search that a search function makes."""

    views = GrowingViews

    def __init__(
        self,
        machine: Machine[State],
        source: Kernel,
        limits: Limits,
        trace: Trace[State] | None = None,
        shown: TraceView = AS_IT_IS,
    ) -> None:
        super().__init__(source, lengths(machine), look, [0])
        self._limits = limits
        self._trace = trace
        self._shown = shown
        self._made: dict[type, Any] = {}
        self._positions = Positions(limits.room())
        self._faults = RuleFaults()
        is_watched = bool(source.constants.get("WATCHES"))
        self._functions.update(Words(machine, self._positions, self._faults, is_watched).names())
        if trace is not None:
            for name, trampoline in self._trampolines.items():
                _, *others = trampoline.parameters
                trampoline.function = self._traced(trampoline.function, others)
                self._functions[name] = self._traced(self._functions[name], others)

    def new(self, record: type[R], /, **lengths: Any) -> R:
        self._made[record] = super().new(record, **lengths)
        return cast(R, self._made[record])

    def elements(self, of: type[R], count: int, everywhere: bool = False) -> list[R]:
        elements = super().elements(of, count, everywhere)
        if everywhere:
            self._positions.tables.append(cast(Any, elements))
        return elements

    def put(self, there: StateWords, state: State) -> None:
        cast(list[Any], there)[0] = state

    @property
    def knows_few(self) -> bool:
        """Whether tables have no room for more than a handful of positions."""
        return self._positions.are_few

    def row_bytes(self, length: int) -> int:
        return _ENTRY_BYTES

    def bytes_each(self, record: type, name: str) -> float:
        """Measured, of those that have been used last; 0 where there are none."""
        if name == "calls":
            used: list[object] = [call for trampoline in self._trampolines.values() for call in trampoline.calls]
        else:
            found = getattr(self._made[record], name, None) if record in self._made else None
            used = list(found.values()) if isinstance(found, dict) else []
        room = self._limits.room()
        room.grows(used)
        return room.each

    def _call(self, name: str, arguments: Sequence[Any]) -> int:
        self._faults.error = None
        rules = self.border.context
        rules[0] = 0
        result = super()._call(name, arguments)
        if rules[0] == UNVALUED:
            raise RuleError(UNVALUED)
        if rules[0] and self._faults.error is not None:
            raise self._faults.error
        return result

    def waiting(self, search: Any) -> Sequence[Any]:
        (trampoline,) = self._trampolines.values()
        calls = (getattr(call, "gi_yieldfrom", None) or call for call in trampoline.calls[: search.depth])
        return [SimpleNamespace(**getgeneratorlocals(cast(Any, call))) for call in calls]

    def _traced(self, function: Callable[..., Visit[R]], others: Sequence[str]) -> Callable[..., Visit[R]]:
        """A search function that tells the trace of its calls: of those under the first one, while that is at work."""

        def traced(search: Any, state: list[State], *arguments: Any) -> Visit[R]:
            trace = self._trace
            if trace is None:
                return (yield from function(search, state, *arguments))
            named = dict(zip(others, arguments, strict=True))
            trace.enter(state[0], *self._shown.window(named), self._shown.part(named))
            nodes, estimates = search.nodes, search.estimates
            value = yield from function(search, state, *arguments)
            is_estimate = (search.nodes, search.estimates) == (nodes + 1, estimates + 1)
            trace.leave(self._shown.value(search, value, named), is_estimate)
            if trace.depth == 0:
                self._trace = None
            return value

        return traced
