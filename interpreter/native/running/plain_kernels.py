"""Running texts of the dialect that call no rules: nothing but functions, and the arrays that they work on.

What such a text does is the same for all games, so it is compiled once on a machine and kept from then on. Those that
call a game's rules are :mod:`zermelo.interpreter.native.running.kernels`, which have all that is here and more.
"""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.grammar.deadline import look
from zermelo.interpreter.native.dialect.language import execute

if TYPE_CHECKING:
    from zermelo.interpreter.native.llvm.optimising import Optimising

Array = Any
"""An array of the dialect, as the executor at hand has it. It can be indexed, and so can slices of it."""


class PlainKernels(Protocol):
    """The functions of a text, compiled or not."""

    @property
    def is_compiled(self) -> bool:
        """Whether they are machine code, so that threads help."""

    def numbers(self, count: int) -> Array:
        """``ints``, all 0."""

    def floats(self, count: int) -> Array:
        """``floats``, all 0."""

    def flat(self, numbers: Array, count: int) -> array[int]:
        """A copy of the first so many of ``ints``."""

    def call(self, name: str, *arguments: Array) -> int:
        """Call a function that takes ``int`` and arrays."""


class PythonText:
    """The functions of texts that call each other, as plain Python."""

    is_compiled = False

    def __init__(self, *texts: str, look: Callable[[], None] = look) -> None:
        self._functions = execute(*texts, look=look)

    def numbers(self, count: int) -> Array:
        return [0] * count

    def floats(self, count: int) -> Array:
        return [0.0] * count

    def flat(self, numbers: Array, count: int) -> array[int]:
        return array("q", numbers[:count])

    def call(self, name: str, *arguments: Array) -> int:
        return int(self._functions[name](*arguments))


class CompiledText:
    """The functions of a text as machine code, ``bits`` being ``width`` wide. ``exports`` are those that can be
    called. Where they are wanted in a hurry, better code takes over from the first between two calls."""

    is_compiled = True

    def __init__(self, text: str, exports: tuple[str, ...], width: int = 64, is_hurried: bool = False) -> None:
        from zermelo.interpreter.native.llvm.engine import Library

        self._library = Library(text, width, exports, is_hurried)
        self._functions: dict[str, Any] = {}
        self._better: Optimising | None = None
        if not self._library.is_optimised:
            from zermelo.interpreter.native.llvm.optimising import Optimising

            self._better = Optimising(self._library, lambda: Library(text, width, exports))

    def numbers(self, count: int) -> Array:
        """Zeros; large arrays take memory only where they are written."""
        return (ctypes.c_int64 * count).from_buffer(mmap.mmap(-1, max(8, 8 * count)))

    def floats(self, count: int) -> Array:
        """As ``numbers``: a 0 has no bits set."""
        return (ctypes.c_double * count).from_buffer(mmap.mmap(-1, max(8, 8 * count)))

    def flat(self, numbers: Array, count: int) -> array[int]:
        copied = array("q")
        copied.frombytes(memoryview(numbers).cast("B")[: 8 * count])
        return copied

    def call(self, name: str, *arguments: Array) -> int:
        if self._better is not None and (better := self._better.library()) is not None:
            self._library, self._functions, self._better = better, {}, None
        if name not in self._functions:
            self._functions[name] = self._library.function(name, len(arguments))
        plain = [argument if isinstance(argument, int) else ctypes.addressof(argument) for argument in arguments]
        result = self._run(self._functions[name], plain)
        if self._library.has_fault:
            raise IndexError(f"an index has left its array in {name}")
        return result

    def _run(self, function: Any, arguments: list[int]) -> int:
        """The result of a function that comes back soon."""
        return int(function(*arguments))


def large_pages(count: int) -> Array:
    """So many ``ints``, all 0, in pages as large as the system has them: where an array is read all over, finding the
    page of an entry takes longer than reading it. A page takes all its memory as soon as a part of it is written."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return (ctypes.c_int64 * count).from_buffer(mmap.mmap(-1, 8 * count))
    memory = mmap.mmap(-1, 8 * count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a system may have been built without
        memory.madvise(mmap.MADV_HUGEPAGE)
    return (ctypes.c_int64 * count).from_buffer(memory)


def plain_kernels(text: str, exports: tuple[str, ...], compiled: bool = True) -> PlainKernels:
    """The functions of a text that calls no rules; as machine code where that is wanted and LLVM is installed."""
    if compiled:
        from zermelo.interpreter.native.llvm.engine import is_available

        if is_available():
            return CompiledText(text, exports)
    return PythonText(text)
