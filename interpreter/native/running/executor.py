"""Executors, which run a lowered program one call at a time; the one in plain Python, and its search functions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from inspect import getgeneratorlocals
from types import SimpleNamespace
from typing import Any, Final, Literal, Protocol, cast

from attrs import define, field

from zermelo.interpreter.model.rewriting import may_pass
from zermelo.interpreter.native.coding.state_layout import ACTOR, FIRST, PHASE, StateLayout
from zermelo.interpreter.native.coding.unobserved import NothingHidden, NotLowered
from zermelo.interpreter.native.dialect.language import Namespace, execute
from zermelo.interpreter.native.dialect.words import GiveUp, PlayError, Visit
from zermelo.interpreter.native.program import Program

# Executors, which run a lowered program one call at a time; and the one in plain Python.


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


# How a run of lowered code can fail, beside the errors of the rules.


class Disagreement(AssertionError):
    """The two machines differ: a fault of the lowering, never of a game."""


class BeyondLimits(Exception):
    """A play exceeds the limits of kernels, and ``why``, in words. The machine itself can continue it."""

    def __init__(self, why: str = "numbers are too large for 64 bits") -> None:
        super().__init__(why)
        self.why = why


# Search functions in Python: generators on an explicit stack, run by a trampoline.
#
# It returns exactly where machine code does (:mod:`zermelo.interpreter.native.llvm.functions`).


_DONE: Final = -1


@define(eq=False, repr=False)
class Trampoline:
    """Resumes the stack ``calls`` of a search function. The first call takes its ``parameters`` from
    ``search.calls[0]``. A result that is a record is ``put`` into ``search.value``."""

    function: Callable[..., Visit[Any]]
    parameters: Sequence[str]
    put: Callable[[Any, Any], None] | None
    calls: list[Visit[Any]] = field(factory=list)
    _waited: list[SimpleNamespace] | None = None

    def __call__(self, search: Any, budget: int) -> int:
        if search.depth == 0:
            first = search.calls[0]
            self.calls[:] = [self.function(search, *[getattr(first, name) for name in self.parameters])]
        calls, last, most = self.calls, search.nodes + budget, len(search.calls) - 1
        rules, put = getattr(search, "rules", [0]), self.put
        result: Any = None
        waited: list[SimpleNamespace] = []
        wrong, self._waited = 0, None
        while wrong or search.depth < most:
            try:
                call = calls[-1].throw(PlayError) if wrong else calls[-1].send(result)
            except GiveUp as given_up:
                return int(given_up.args[0])
            except PlayError:
                calls.pop()
                search.depth -= 1
                if not calls:
                    self._waited = waited
                    rules[0], search.depth = wrong, len(waited)
                    break
                continue
            except StopIteration as returned:
                if rules[0] == 0:
                    result = returned.value
                    if put is not None:
                        put(search.value, result)
                        result = search.value
                    if search.depth == 0:
                        search.value = result
                        return _DONE
                    calls.pop()
                    search.depth -= 1
            else:
                calls.append(call)
                result = None
                search.depth += 1
                if search.nodes >= last and rules[0] == 0:
                    break
            wrong = rules[0]
            if wrong:
                waited, rules[0] = _kept(calls[:-1]), 0
        return int(search.depth)

    def waiting(self, depth: int) -> Sequence[SimpleNamespace]:
        """The frames of the calls suspended now, or when a rule failed."""
        return _kept(self.calls[:depth]) if self._waited is None else self._waited


def _kept(calls: Sequence[Visit[Any]]) -> list[SimpleNamespace]:
    return [SimpleNamespace(**getgeneratorlocals(call)) for call in calls]


def copying(
    function: Callable[..., Visit[Any]], parameters: Sequence[str], copiers: Mapping[str, Callable[[Any], Any]]
) -> Callable[..., Visit[Any]]:
    """A search function for its recursive calls, with copies of the arguments of some ``parameters``, never the
    first."""
    if not copiers:
        return function
    given = (f"copy_{each}({each})" if each in copiers else each for each in parameters)
    names: dict[str, Any] = {f"copy_{name}": copier for name, copier in copiers.items()} | {"function": function}
    call = eval(f"lambda search, {', '.join(parameters)}: function(search, {', '.join(given)})", names)
    return cast(Callable[..., Visit[Any]], call)
