"""What runs a lowered program, one call for one question; and the executor that needs nothing but Python."""

from __future__ import annotations

from typing import Literal, Protocol

from interpreter.native.layout import Layout

from interpreter.native.dialect import Namespace, execute
from interpreter.native.program import Program

Packed = bytes
"""A ``state`` array, each entry in as many bytes as it has, the lowest first."""

Amount = Literal["payoff", "ended", "earned"]
"""What a player gets: in all, by the end, by what he has earned so far."""


class RuleError(Exception):
    """A rule went wrong at place number ``site`` of the program."""

    def __init__(self, site: int) -> None:
        super().__init__(f"site {site}")
        self.site = site


class Executor(Protocol):
    """Runs the functions of a program. All of them raise :class:`RuleError`."""

    def begin(self) -> Packed:
        """The state in which a play begins."""

    def actor(self, state: Packed) -> int:
        """Who acts."""

    def moves(self, state: Packed) -> list[int]:
        """The legal moves, as numbers."""

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        """The outcomes of chance, as numbers, with their weights."""

    def apply(self, state: Packed, move: int) -> Packed:
        """The state after a move."""

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        """What a player gets, over the program's denominator."""

    def key(self, state: Packed) -> tuple[int, ...]:
        """The key of the position."""


class PythonExecutor:
    """Runs the text of a program as Python."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._functions: Namespace = execute(program.text)
        self._context = [0] * program.context
        self._moves = [0] * program.most_moves
        self._weights = [0] * program.most_moves

    def begin(self) -> Packed:
        state = [0] * self.program.layout.size
        self._call("begin", state)
        return pack(state, self.program.layout)

    def actor(self, state: Packed) -> int:
        return int(self._functions["actor"](unpack(state, self.program.layout)))

    def moves(self, state: Packed) -> list[int]:
        return self._moves[: self._call("moves", unpack(state, self.program.layout), self._moves)]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        count = self._call("outcomes", unpack(state, self.program.layout), self._moves, self._weights)
        return list(zip(self._moves[:count], self._weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        there = unpack(state, self.program.layout)
        self._call("apply", there, move)
        return pack(there, self.program.layout)

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        return int(self._functions[question](unpack(state, self.program.layout), player))

    def key(self, state: Packed) -> tuple[int, ...]:
        key = [0] * self.program.layout.key_words
        self._functions["pack"](unpack(state, self.program.layout), key)
        return tuple(key)

    def _call(self, name: str, *arguments: object) -> int:
        self._context[0] = 0
        result = int(self._functions[name](self._context, *arguments))
        if self._context[0]:
            raise RuleError(self._context[0])
        return result


def pack(state: list[int], layout: Layout) -> Packed:
    """The bytes of a state; payoffs, which can be negative, as two's complements."""
    size, whole = layout.width // 8, (1 << layout.width) - 1
    return b"".join((entry & whole).to_bytes(size, "little") for entry in state)


def unpack(packed: Packed, layout: Layout) -> list[int]:
    """The entries of a state."""
    size = layout.width // 8
    state = [int.from_bytes(packed[k : k + size], "little") for k in range(0, len(packed), size)]
    for slot in layout.signed_slots:
        if state[slot] >> layout.width - 1:
            state[slot] -= 1 << layout.width
    return state
