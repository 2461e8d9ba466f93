"""Running kernels: texts of the dialect that call a game's rules, with the arrays that they work on.

A kernel runs in slices: it comes back after a number of steps with its progress in its arrays, and is called again. In
between Python sees Ctrl-C, shows progress and looks at the clock.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Any, Protocol

from interpreter.native.dialect import execute
from interpreter.native.executor import Packed, RuleError, unpack
from interpreter.native.program import Program

Array = Any
"""An array of the dialect, as the executor at hand has it."""


class Kernels(Protocol):
    """The functions of a kernel text, compiled or not."""

    program: Program

    def numbers(self, count: int) -> Array:
        """``ints``, all 0."""

    def rows(self, count: int, length: int) -> Array:
        """``rows``, all 0."""

    def states(self, count: int) -> Array:
        """``states``."""

    def put(self, states: Array, place: int, state: Packed) -> None:
        """Copy a state into an array of states."""

    def call(self, name: str, *arguments: Array) -> int:
        """Call a function, with the context before the other arguments; raises :class:`RuleError`."""


class PythonKernels:
    """Kernels as plain Python."""

    def __init__(self, program: Program, text: str) -> None:
        self.program = program
        self._functions = execute(f"{program.text}\n{text}")
        self._context = [0] * program.history.context

    def numbers(self, count: int) -> Array:
        return [0] * count

    def rows(self, count: int, length: int) -> Array:
        return [[0] * length for _ in range(count)]

    def states(self, count: int) -> Array:
        return self.rows(count, self.program.layout.size)

    def put(self, states: Array, place: int, state: Packed) -> None:
        states[place][:] = unpack(state[: _state_bytes(self.program)], self.program.layout)

    def call(self, name: str, *arguments: Array) -> int:
        self._context[0] = 0
        result = int(self._functions[name](self._context, *arguments))
        if self._context[0]:
            raise RuleError(self._context[0])
        return result


class CompiledKernels:
    """Kernels as machine code. ``exports`` are the functions that can be called, with their numbers of arguments."""

    def __init__(self, program: Program, text: str, exports: dict[str, int]) -> None:
        from interpreter.native.llvm.emit import emit
        from interpreter.native.llvm.engine import Library

        self.program = program
        names = tuple(exports)
        self._library = Library(emit(f"{program.text}\n{text}", program.layout.width, names), names)
        self._functions = {name: self._library.function(name, count) for name, count in exports.items()}
        self._context = self.numbers(program.history.context)

    def numbers(self, count: int) -> Array:
        """Zeros; large arrays take memory only where they are written."""
        return (ctypes.c_int64 * count).from_buffer(mmap.mmap(-1, max(8, 8 * count)))

    def rows(self, count: int, length: int) -> Array:
        return self.numbers(count * length)

    def states(self, count: int) -> Array:
        return self.numbers(count * _state_bytes(self.program) // 8)

    def put(self, states: Array, place: int, state: Packed) -> None:
        size = _state_bytes(self.program)
        ctypes.memmove(ctypes.addressof(states) + place * size, state[:size], size)

    def call(self, name: str, *arguments: Array) -> int:
        self._context[0] = 0
        plain = [argument if isinstance(argument, int) else ctypes.addressof(argument) for argument in arguments]
        result = int(self._functions[name](ctypes.addressof(self._context), *plain))
        if self._library.has_fault:
            raise IndexError(f"an index has left its array in {name}")
        if self._context[0]:
            raise RuleError(self._context[0])
        return result


def _state_bytes(program: Program) -> int:
    return program.layout.size * program.layout.width // 8
