"""Running kernels: texts of the dialect that call a game's rules, with their arrays.

A kernel runs in slices: it returns after a number of steps with its progress in its arrays, and is called again. In
between Python handles Ctrl-C, shows progress and checks the time.

Several threads may run the same kernels at once, each with a context of its own (:meth:`Kernels.another`): machine code
does not hold Python's global lock. The shared code and tables never change, except for arrays that kernels share on
purpose (:mod:`zermelo.interpreter.native.dialect.language`, "Threads"). The fault word is only ever set, and the first
thread that returns reports it.

Compilation takes from a twentieth of a second to some seconds, and many games are finished sooner in Python, for which
:class:`Trial` sets a time limit. Then hurriedly compiled code takes over, and later the code optimised meanwhile
(:mod:`zermelo.interpreter.native.llvm.optimising`); see ``LoweredMachine.run``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, cast

from attrs import define, evolve, field

from zermelo.grammar.deadline import look
from zermelo.interpreter.native.dialect.kernel_source import KernelSource, WithRules
from zermelo.interpreter.native.dialect.language import STOPPED
from zermelo.interpreter.native.dialect.words import State
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.executor import Packed, RuleError, Stopped, unpack_state
from zermelo.interpreter.native.running.plain_kernels import CompiledText, PlainKernels, PythonText

if TYPE_CHECKING:
    from zermelo.interpreter.native.llvm.engine import Library

P = ParamSpec("P")

_COMPILING: Final = 5e-6
"""Seconds of a hurried compilation for each character of a text, about."""

_ROW_BYTES: Final = 200
_NUMBER_BYTES: Final = 40
"""The bytes of a row in Python, and of each of its numbers with its place in the list; about."""

_AT_LEAST: Final = 0.015
_AT_MOST: Final = 0.2
"""The most seconds of a trial."""


class Outgrown(Exception):
    """The trial of kernels in Python is over."""


@define(eq=False, repr=False)
class Trial:
    """The trial of kernels in Python before compilation, a quarter of the expected time of compilation. So a small game
    needs no compiler, and a large one loses little."""

    characters: int
    begin: float = field(factory=perf_counter)

    def is_over(self) -> bool:
        """Whether machine code should take over now."""
        return perf_counter() - self.begin > max(_AT_LEAST, min(_AT_MOST, _COMPILING * self.characters / 4))


def never() -> bool:
    """The ``is_over`` of kernels in Python without a trial."""
    return False


class Kernels(PlainKernels, Protocol):
    """The functions of a kernel together with a game's rules, compiled or not."""

    program: Program

    def row_bytes(self, length: int) -> int:
        """The bytes of a used row."""

    def put(self, there: State, state: Packed) -> None:
        """Copy a state to a record or a list, and the history of its play to the context."""

    def call(self, function: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> int:
        """Call a function. Raises :class:`RuleError`, and ``TypeError``, before anything runs, if the arguments do not
        match its parameters."""

    def another(self) -> Kernels:
        """The same functions with a context of their own."""

    def stop(self) -> None:
        """Stop a call in another thread, which then raises
        :class:`~zermelo.interpreter.native.running.executor.Stopped`, if a rule may take long; to be repeated until it
        has returned."""

    def go_on(self) -> None:
        """Allow calls again, after stopped ones have returned."""


class PythonKernels(PythonText):
    """Kernels in Python. Calls raise :class:`Outgrown` once ``is_over``."""

    def __init__(self, program: Program, source: KernelSource, is_over: Callable[[], bool] = never) -> None:
        self.program = program
        self._source = source
        self._context = [0] * program.history.context
        self._is_over = is_over
        super().__init__(WithRules(program.text, source), program.constants, self._look, self._context)

    def _look(self) -> None:
        """End a rule with long loops before the next call."""
        look()
        if self._is_over():
            raise Outgrown

    def row_bytes(self, length: int) -> int:
        if self._is_over is not never:
            return 8 * length  # a trial uses few rows, and should behave like machine code
        return _ROW_BYTES + _NUMBER_BYTES * length

    def put(self, there: State, state: Packed) -> None:
        size = _state_bytes(self.program)
        there[:] = unpack_state(state[:size], self.program.layout)
        for first, words in self.program.history.context_of(state[size:]):
            self._context[first : first + len(words)] = words

    def _call(self, name: str, arguments: Sequence[Any]) -> int:
        if self._is_over():
            raise Outgrown
        self._context[0] = 0
        result = super()._call(name, arguments)
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def another(self) -> PythonKernels:
        return PythonKernels(self.program, self._source, self._is_over)

    def stop(self) -> None:
        """Nothing: kernels in Python run in the calling thread."""

    def go_on(self) -> None:
        """Nothing, likewise."""

    def watch(self, name: str) -> list[int]:
        """A list to which the last argument of each later call of a function is appended."""
        function = self._functions[name]
        made: list[int] = []

        def watched(*arguments: Any) -> int:
            made.append(arguments[-1])
            return int(function(*arguments))

        self._functions[name] = watched
        return made


class CompiledKernels(CompiledText):
    """Kernels as machine code."""

    def __init__(self, program: Program, source: KernelSource, is_hurried: bool = False) -> None:
        self.program = program
        self._context = _new_context(program)
        whole, width = WithRules(program.text, source), program.layout.width
        super().__init__(whole, program.constants, width, is_hurried, self._context)
        self._may_take_long = program.may_take_long

    def row_bytes(self, length: int) -> int:
        return 8 * length

    def put(self, there: State, state: Packed) -> None:
        size = _state_bytes(self.program)
        ctypes.memmove(cast(ctypes.Array[ctypes.c_uint64], there), state[:size], size)
        for first, words in self.program.history.context_of(state[size:]):
            self._context[first : first + len(words)] = words

    def _call(self, name: str, plain: list[int]) -> int:
        self._context[0] = 0
        result = super()._call(name, plain)
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def _run(self, function: Any, arguments: list[int]) -> int:
        if not self._may_take_long:
            return super()._run(function, arguments)
        result = run_stoppable(self._library, function, arguments)
        if self._context[0] == STOPPED:
            raise Stopped
        return result

    def stop(self) -> None:
        if self._may_take_long:
            self._library.stop()

    def go_on(self) -> None:
        self._library.go_on()

    def another(self) -> CompiledKernels:
        twin = object.__new__(CompiledKernels)
        twin._may_take_long = self._may_take_long
        twin.program, twin._library, twin._better, twin._functions = self.program, self._library, self._better, {}
        twin._source, twin._context = self._source, _new_context(self.program)
        twin.border = evolve(self.border, context=twin._context)
        return twin


def run_stoppable(library: Library, function: Any, arguments: list[int]) -> int:
    """The result of a compiled function that may take long. In the main thread it can be interrupted; the code has
    returned before the exception propagates, since it uses arrays of the caller."""
    from zermelo.interpreter.native.llvm.waiting import interruptible

    try:
        return interruptible(lambda: int(function(*arguments)), library.stop)
    except BaseException:  # an interrupt, or the time is up: the code may run again
        library.go_on()
        raise


def _new_context(program: Program) -> Any:
    """A context for machine code, all 0."""
    return (ctypes.c_int64 * program.history.context)()


def _state_bytes(program: Program) -> int:
    return program.layout.size * program.layout.width // 8
