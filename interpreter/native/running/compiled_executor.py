"""The executor that runs a lowered program as machine code."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from zermelo.interpreter.native.coding.history import FIRST
from zermelo.interpreter.native.coding.unobserved import NothingHidden, NotLowered
from zermelo.interpreter.native.dialect import words
from zermelo.interpreter.native.dialect.kernel_source import KernelText
from zermelo.interpreter.native.dialect.records import Layouts
from zermelo.interpreter.native.llvm.engine import Library
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.running.border import signature_of
from zermelo.interpreter.native.running.executor import Amount, GrowingExecutor, Packed, RuleError
from zermelo.interpreter.native.running.kernels import run_stoppable
from zermelo.interpreter.native.running.views import check_number


class IndexFault(Exception):
    """An index out of range: a fault of the lowering, never of a game."""


_ASKED: Final = ("begin", "actor", "moves", "outcomes", "apply", "payoff", "ended", "earned", "pack")
"""The functions of every program."""


class CompiledExecutor:
    """Runs the functions of a program one call at a time. Kernels are faster (:mod:`zermelo.solvers.running`)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        exports = (
            _ASKED if isinstance(program.perception, NothingHidden | NotLowered) else (*_ASKED, "set_up", "observed")
        )
        self._library = Library(KernelText(program.text, exports), program.layout.width)
        layouts = Layouts(program.layout.width, program.constants)
        self._sizes = {name: _sizes(name, layouts) for name in exports}
        self._functions: dict[str, Any] = {
            name: self._library.function(name, len(sizes)) for name, sizes in self._sizes.items()
        }
        self._context = (ctypes.c_uint64 * program.history.context)()
        self._moves = (ctypes.c_int64 * program.most_moves)()
        self._weights = (ctypes.c_int64 * program.most_moves)()
        self._key = (ctypes.c_uint64 * program.layout.key_words)()
        self._size = program.layout.size * program.layout.width // 8
        self._may_take_long = program.may_take_long

    def over(self, program: Program) -> CompiledExecutor:
        return CompiledExecutor(program)

    def begin(self) -> Packed:
        state = ctypes.create_string_buffer(self._size)
        self._call("begin", state)
        return self._packed(state)

    def actor(self, state: Packed) -> int:
        return self._ask("actor", self._buffer(state))

    def moves(self, state: Packed) -> list[int]:
        return self._moves[: self._call("moves", self._buffer(state), self._moves)]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        moves, weights = self._moves, self._weights
        count = self._call("outcomes", self._buffer(state), moves, weights)
        return list(zip(moves[:count], weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        there = self._buffer(state)
        self._call("apply", there, move)
        return self._packed(there)

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        return self._ask(question, self._buffer(state), player)

    def key(self, state: Packed) -> tuple[int, ...]:
        self._ask("pack", self._buffer(state), self._key)
        return tuple(self._key)

    def history(self, state: Packed) -> list[tuple[int, ...]]:
        return self.program.history.entries(state[self._size :])

    def observed(self, last: Packed | None, state: Packed, move: int, player: int) -> list[int]:
        perception = self.program.perception
        assert not isinstance(perception, NothingHidden | NotLowered), "the caller has checked this"
        if last is None:
            before = ctypes.create_string_buffer(self._size)
            self._call("set_up", before)
        else:
            before = self._buffer(last)
        words = (ctypes.c_int64 * perception.words)()
        return words[: self._call("observed", before, self._buffer(state), move, player, words)]

    def _buffer(self, state: Packed) -> Any:
        """A copy of the state for machine code; its history is written to the context."""
        for first, entries in self.program.history.context_of(state[self._size :]):
            for k, entry in enumerate(entries, first):
                self._context[k] = entry
        return ctypes.create_string_buffer(state[: self._size], self._size)

    def _packed(self, state: Any) -> Packed:
        layout, history = self.program.layout, self.program.history
        if layout.history is None:
            return bytes(state.raw)
        size = layout.width // 8
        count = int.from_bytes(state.raw[layout.history * size : (layout.history + 1) * size], "little")
        return bytes(state.raw) + bytes(self._context)[8 * FIRST : 8 * (FIRST + count * history.words)]

    def _call(self, name: str, *arguments: Any) -> int:
        """Call a function that can raise :class:`RuleError`."""
        self._context[0] = 0
        result = self._ask(name, self._context, *arguments)
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def _ask(self, name: str, *arguments: Any) -> int:
        """Call a function; ``arguments`` keeps the arrays alive meanwhile. Raises ``TypeError``, before anything runs,
        if they do not match its parameters."""
        sizes = self._sizes[name]
        if len(arguments) != len(sizes):
            raise TypeError(f"{name} takes {len(sizes)} arguments, not {len(arguments)}")
        for argument, size in zip(arguments, sizes, strict=True):
            if size is None:
                check_number(argument, f"an argument of {name}")
            elif isinstance(argument, int) or ctypes.sizeof(argument) < size:
                raise TypeError(f"{name} takes an array of {size} bytes, not {argument!r}")
        plain = [argument if isinstance(argument, int) else ctypes.addressof(argument) for argument in arguments]
        function = self._functions[name]
        may_take_long = self._may_take_long
        result = run_stoppable(self._library, function, plain) if may_take_long else int(function(*plain))
        if self._library.has_fault:
            raise IndexFault(f"an index has left its array in {name}")
        return result


def _sizes(name: str, layouts: Layouts) -> list[int | None]:
    """The least size in bytes of each argument of a function of the rules; None for numbers."""
    kinds = (kind for _, kind in signature_of(getattr(words, name), layouts))
    return [None if kind.name == "int" else 8 * layouts.size(kind) for kind in kinds]


def native_executor(program: Program) -> GrowingExecutor:
    """Runs single calls in Python at first, and as machine code when there are many."""
    return GrowingExecutor(program, CompiledExecutor)
