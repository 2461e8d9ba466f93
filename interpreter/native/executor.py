"""What runs a lowered program, one call for one question; and the executor that needs nothing but Python."""

from __future__ import annotations

from typing import Protocol

from attrs import define, field

from interpreter.native.dialect import Namespace, execute
from interpreter.native.program import Program

Packed = tuple[int, ...]
"""The entries of a ``state`` array."""


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

    def payoff(self, state: Packed, player: int) -> int:
        """What a player gets at the end, over the program's denominator."""

    def key(self, state: Packed) -> Packed:
        """The key of the position."""


@define
class PythonExecutor:
    """Runs the text of a program as Python."""

    program: Program
    functions: Namespace = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.functions = execute(self.program.text)
        self._context = [0]
        self._moves = [0] * self.program.most_moves
        self._weights = [0] * self.program.most_moves

    _context: list[int] = field(init=False)
    _moves: list[int] = field(init=False)
    _weights: list[int] = field(init=False)

    def begin(self) -> Packed:
        state = [0] * self.program.layout.size
        self._context[0] = 0
        self.functions["begin"](self._context, state)
        self._check()
        return tuple(state)

    def actor(self, state: Packed) -> int:
        return int(self.functions["actor"](state))

    def moves(self, state: Packed) -> list[int]:
        self._context[0] = 0
        count = self.functions["moves"](self._context, list(state), self._moves)
        self._check()
        return self._moves[:count]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        self._context[0] = 0
        count = self.functions["outcomes"](self._context, list(state), self._moves, self._weights)
        self._check()
        return list(zip(self._moves[:count], self._weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        there = list(state)
        self._context[0] = 0
        self.functions["apply"](self._context, there, move)
        self._check()
        return tuple(there)

    def payoff(self, state: Packed, player: int) -> int:
        return int(self.functions["payoff"](state, player))

    def key(self, state: Packed) -> Packed:
        key = [0] * self.program.layout.key_words
        self.functions["pack"](state, key)
        return tuple(key)

    def _check(self) -> None:
        if self._context[0]:
            raise RuleError(self._context[0])
