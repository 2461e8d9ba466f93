"""Search functions of kernels on any machine, with exact numbers and the line of best play.

A kernel says what is done, in words: who acts, what moves there are, what comes after one. Here these words ask a
machine, and a value is a :class:`Worth`: an exact number that knows by which moves it comes about. So the text that is
compiled for machine code (:mod:`zermelo.solvers.kernels.minimax`, ...) is also what the reference machine runs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from types import SimpleNamespace
from typing import Any, Final

from attrs import define

from zermelo.grammar.deadline import look
from zermelo.interpreter.machine import Move, State
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.language import Namespace, beginning
from zermelo.interpreter.native.dialect.words import Visit
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.search import Line, Search
from zermelo.solvers.search.search import Visit as Calls
from zermelo.solvers.solution import Problem


@define(eq=False)
class Worth:
    """A value, and the line that leads to it; compared by the value alone."""

    number: Number
    line: Line = None

    def __lt__(self, other: Worth) -> bool:
        return self.number < other.number

    def __le__(self, other: Worth) -> bool:
        return self.number <= other.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Worth) and self.number == other.number

    def __neg__(self) -> Worth:
        return Worth(-self.number)


INFINITE: Final = Worth(inf)


class FunctionSearch(Search[State]):
    """A search by a search function, whose record is ``record``."""

    def __init__(self, problem: Problem[State], function: Callable[..., Visit]) -> None:
        super().__init__(problem)
        self.record = SimpleNamespace(
            rules=[0], watch=None, table=(), values={}, depth=-1, nodes=0, terminals=0, cutoffs=0
        )
        self._function = function
        self._root = problem.root
        self._made: Move | None = None

    def worth(self, *window: Worth) -> Worth:
        """What the function makes of the root."""
        names = beginning(look)
        kernel(self._function, WATCHES=0).define(names)
        names.update(self._words())
        function = names[self._function.__name__]

        def call(record: Any, state: State, *window: Worth) -> Calls[Worth]:
            made, self._made = self._made, None
            record.depth += 1
            self.visit(state, *(bound.number for bound in window))
            worth = yield from function(record, state, *window)
            record.depth -= 1
            return worth if made is None else Worth(worth.number, ((made,), worth.line))

        names[self._function.__name__] = call
        return self.run(call(self.record, self._root, *window))

    def best(self, worth: Worth) -> tuple[Move, ...]:
        """The first moves that are worth as much."""
        values, root = self.record.values, self._root
        return tuple(move for k, move in enumerate(self.machine.moves(root)) if k in values and values[k] == worth)

    def number(self, result: Worth) -> Number:
        return result.number

    def _words(self) -> Namespace:
        """What the words of the dialect mean on the machine. It lists moves by itself, and what :meth:`visit` does is
        not done again."""
        machine = self.machine

        def moves(rules: object, state: State, legal: list[Move]) -> int:
            legal[:] = machine.moves(state)
            return len(legal)

        def after(rules: object, state: State, move: Move) -> State:
            self._made = move
            return machine.after(state, move)

        return {
            "INFINITE": INFINITE,
            "MOVES": 0,
            "actor": machine.actor,
            "moves": moves,
            "after": after,
            "payoff": lambda state, player: Worth(exact(machine.payoff(state)[player])),
            "comes_back": lambda watch, state, depth: False,
            "go_back": lambda watch, depth: None,
        }
