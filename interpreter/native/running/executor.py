"""Executors, which run a lowered program one call at a time; and the one in plain Python."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, Literal, Protocol

from zermelo.interpreter.model.passing import may_pass
from zermelo.interpreter.native.coding.history import FIRST
from zermelo.interpreter.native.coding.layout import ACTOR, PHASE, StateLayout
from zermelo.interpreter.native.coding.unobserved import NothingHidden, NotLowered
from zermelo.interpreter.native.dialect.language import Namespace, execute
from zermelo.interpreter.native.program import Program

Packed = bytes
"""A ``state`` array as bytes, slots in little-endian order, followed by the history of the play."""

Amount = Literal["payoff", "ended", "earned"]
"""A player's payoff: in all, by the end, by earnings so far."""


_WORTH_COMPILING: Final = 20_000
"""The number of calls after which compilation pays."""


class Stopped(Exception):
    """A running call has been stopped (:data:`~zermelo.interpreter.native.dialect.language.STOPPED`)."""


class RuleError(Exception):
    """A fault of a rule at site number ``site`` of the program."""

    def __init__(self, site: int) -> None:
        super().__init__(f"site {site}")
        self.site = site


class Executor(Protocol):
    """Runs the functions of a program. All of them raise :class:`RuleError`."""

    def over(self, program: Program) -> Executor:
        """The same kind of executor for another program."""

    def begin(self) -> Packed:
        """The state in which a play begins."""

    def actor(self, state: Packed) -> int:
        """The actor."""

    def moves(self, state: Packed) -> list[int]:
        """The legal moves, as numbers."""

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        """The outcomes of chance, as numbers, with their weights."""

    def apply(self, state: Packed, move: int) -> Packed:
        """The state after a move."""

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        """A player's payoff, over the program's denominator."""

    def key(self, state: Packed) -> tuple[int, ...]:
        """The key of the position."""

    def history(self, state: Packed) -> list[tuple[int, ...]]:
        """The entries of the history, oldest first."""

    def observed(self, last: Packed | None, state: Packed, move: int, player: int) -> list[int]:
        """A player's observations on coming to a state from the previous decision (None: from the beginning) by this
        move, each preceded by its length."""


class PythonExecutor:
    """Runs a program in Python."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._functions: Namespace = execute(program.text)
        self._context = [0] * program.history.context
        self._moves = [0] * program.most_moves
        self._weights = [0] * program.most_moves
        self._size = program.layout.size * program.layout.width // 8

    def over(self, program: Program) -> PythonExecutor:
        return PythonExecutor(program)

    def begin(self) -> Packed:
        state = [0] * self.program.layout.size
        self._call("begin", state)
        return self._pack(state)

    def actor(self, state: Packed) -> int:
        return int(self._functions["actor"](self._unpack(state)))

    def moves(self, state: Packed) -> list[int]:
        return self._moves[: self._call("moves", self._unpack(state), self._moves)]

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        count = self._call("outcomes", self._unpack(state), self._moves, self._weights)
        return list(zip(self._moves[:count], self._weights[:count], strict=True))

    def apply(self, state: Packed, move: int) -> Packed:
        there = self._unpack(state)
        self._call("apply", there, move)
        return self._pack(there)

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        return int(self._functions[question](self._unpack(state), player))

    def key(self, state: Packed) -> tuple[int, ...]:
        key = [0] * self.program.layout.key_words
        self._functions["pack"](self._unpack(state), key)
        return tuple(key)

    def history(self, state: Packed) -> list[tuple[int, ...]]:
        return self.program.history.entries(state[self._size :])

    def observed(self, last: Packed | None, state: Packed, move: int, player: int) -> list[int]:
        perception = self.program.perception
        assert not isinstance(perception, NothingHidden | NotLowered), "the caller has checked this"
        before = [0] * self.program.layout.size
        if last is None:
            self._call("set_up", before)
        else:
            before = self._unpack(last)
        words = [0] * perception.words
        return words[: self._call("observed", before, self._unpack(state), move, player, words)]

    def _call(self, name: str, *arguments: object) -> int:
        self._context[0] = 0
        result = int(self._functions[name](self._context, *arguments))
        if self._context[0]:
            raise RuleError(self._context[0])
        return result

    def _unpack(self, packed: Packed) -> list[int]:
        """The slots of a state; its history is written to the context."""
        for first, words in self.program.history.context_of(packed[self._size :]):
            self._context[first : first + len(words)] = words
        return unpack_state(packed[: self._size], self.program.layout)

    def _pack(self, state: list[int]) -> Packed:
        layout, history = self.program.layout, self.program.history
        if layout.history is None:
            return pack_state(state, layout)
        words = self._context[FIRST : FIRST + state[layout.history] * history.words]
        return pack_state(state, layout) + array("Q", words).tobytes()


def _numbers(packed: bytes, size: int) -> list[int]:
    return [int.from_bytes(packed[k : k + size], "little") for k in range(0, len(packed), size)]


class GrowingExecutor:
    """Begins in Python, which starts at once, and changes to ``compiled`` when compilation pays."""

    def __init__(self, program: Program, compiled: Callable[[Program], Executor]) -> None:
        self.program = program
        self._compiled = compiled
        self._executor: Executor = PythonExecutor(program)
        self._calls = 0

    def over(self, program: Program) -> GrowingExecutor:
        return GrowingExecutor(program, self._compiled)

    def _now(self) -> Executor:
        self._calls += 1
        if self._calls == _WORTH_COMPILING:
            self._executor = self._compiled(self.program)
        return self._executor

    def begin(self) -> Packed:
        return self._now().begin()

    def actor(self, state: Packed) -> int:
        return self._now().actor(state)

    def moves(self, state: Packed) -> list[int]:
        return self._now().moves(state)

    def outcomes(self, state: Packed) -> list[tuple[int, int]]:
        return self._now().outcomes(state)

    def apply(self, state: Packed, move: int) -> Packed:
        return self._now().apply(state, move)

    def amount(self, question: Amount, state: Packed, player: int) -> int:
        return self._now().amount(question, state, player)

    def key(self, state: Packed) -> tuple[int, ...]:
        return self._now().key(state)

    def history(self, state: Packed) -> list[tuple[int, ...]]:
        return self._now().history(state)

    def observed(self, last: Packed | None, state: Packed, move: int, player: int) -> list[int]:
        return self._now().observed(last, state, move, player)


def pack_state(state: list[int], layout: StateLayout) -> Packed:
    """The bytes of a state, with signed slots in two's complement."""
    size, whole = layout.width // 8, (1 << layout.width) - 1
    return b"".join((entry & whole).to_bytes(size, "little") for entry in state)


def unpack_state(packed: Packed, layout: StateLayout) -> list[int]:
    """The slots of a state."""
    state = _numbers(packed, layout.width // 8)
    for slot in layout.signed_slots:
        if state[slot] >> layout.width - 1:
            state[slot] -= 1 << layout.width
    return state


def with_other_mover(state: Packed, layout: StateLayout) -> Packed | None:
    """A state with the other of two players to move, whether they have a move or not; None if nobody can pass."""
    size = layout.width // 8
    if not may_pass(layout.model, layout.phases[state[PHASE * size]]):
        return None
    there = bytearray(state)
    there[layout.arguments * size] ^= 1
    there[ACTOR * size] ^= 1
    return bytes(there)
