"""The executor that runs a lowered program as machine code."""

from __future__ import annotations

import ctypes
from typing import Any

from interpreter.native.executor import Amount, Packed, RuleError
from interpreter.native.llvm.emit import emit
from interpreter.native.llvm.engine import Library
from interpreter.native.program import Program

EXPORTS = ("begin", "actor", "moves", "outcomes", "apply", "payoff", "ended", "earned", "pack")


class IndexFault(Exception):
    """An index has left its array: a fault of the lowering, never of a game."""


class CompiledExecutor:
    """Runs the functions of a program one call at a time. Kernels are faster (:mod:`solvers.native`)."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._library = Library(emit(program.text, program.layout.width, EXPORTS), EXPORTS)
        arguments = dict(begin=2, actor=1, moves=3, outcomes=4, apply=3, payoff=2, ended=2, earned=2, pack=2)
        self._functions: dict[str, Any] = {
            name: self._library.function(name, count) for name, count in arguments.items()
        }
        self._context = (ctypes.c_int64 * program.context)()
        self._moves = (ctypes.c_int64 * program.most_moves)()
        self._weights = (ctypes.c_int64 * program.most_moves)()
        self._key = (ctypes.c_uint64 * program.layout.key_words)()
        self._size = program.layout.size * program.layout.width // 8

    def begin(self) -> Packed:
        state = ctypes.create_string_buffer(self._size)
        self._call("begin", ctypes.addressof(state))
        return state.raw

    def actor(self, state: Packed) -> int:
        buffer = ctypes.create_string_buffer(state, self._size)
        return int(self._functions["actor"](ctypes.addressof(buffer)))

    def moves(self, state: Packed) -> list[int]:
        buffer = ctypes.create_string_buffer(state, self._size)
        return self._moves[: self._call("moves", ctypes.addressof(buffer), ctypes.addressof(self._moves))]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        buffer = ctypes.create_string_buffer(state, self._size)
        moves, weights = self._moves, self._weights
        count = self._call("outcomes", *map(ctypes.addressof, (buffer, moves, weights)))
        return list(zip(moves[:count], weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        there = ctypes.create_string_buffer(state, self._size)
        self._call("apply", ctypes.addressof(there), move)
        return there.raw

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        buffer = ctypes.create_string_buffer(state, self._size)
        return int(self._functions[question](ctypes.addressof(buffer), player))

    def key(self, state: Packed) -> tuple[int, ...]:
        buffer = ctypes.create_string_buffer(state, self._size)
        self._functions["pack"](ctypes.addressof(buffer), ctypes.addressof(self._key))
        return tuple(self._key)

    def _call(self, name: str, *arguments: int) -> int:
        self._context[0] = 0
        result = int(self._functions[name](ctypes.addressof(self._context), *arguments))
        if self._library.has_fault:
            raise IndexFault(f"an index has left its array in {name}")
        if self._context[0]:
            raise RuleError(self._context[0])
        return result
