"""Depth-first search without Python's recursion limit.

An algorithm is written as its textbook page has it, as a function of a state that calls itself, but as a generator:
the recursive call is ``yield value(child)``. :meth:`Search.run` keeps the suspended calls on a stack of its own, so a
play may be as long as memory allows (this is known as a trampoline; it costs about a microsecond a call).

Every call begins with :meth:`Search.visit`, which counts and, unless it is proved that every play ends, watches the
path: a position that comes back on its own path proves that a play may go round for ever, and then no search of the
whole tree comes to an end.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from math import inf
from typing import Any, Generic, TypeVar

from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.machine import END, Move, PlayError, State
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.solution import Problem

Result = TypeVar("Result")

Visit = Generator[Any, Result, Result]
"""A suspended call: it yields the calls it depends on, is sent their results, and returns its own."""

Line = tuple[tuple[Move, ...], "Line"] | None
"""Best play from a state: the moves that are best there, and the line behind the first of them."""

PROGRESS_EVERY = 256
"""Nodes between two calls of the progress function."""


class Search(Generic[State]):
    """One search of one tree: what is common to all algorithms."""

    def __init__(self, problem: Problem[State]) -> None:
        self.machine = problem.machine
        self.progress = problem.progress
        self.limits = problem.limits
        self.nodes = 0
        self.terminals = 0
        self._watches = problem.facts.terminates.holds is not True
        self._trace = problem.trace
        self._path: dict[Hashable, int] = {}  # positions of the calls under way, in order, with their depths
        self._root_length = len(problem.machine.play(problem.root))

    @property
    def counts(self) -> dict[str, int]:
        """``nodes`` and ``terminals``."""
        return {"nodes": self.nodes, "terminals": self.terminals}

    def visit(self, state: State, alpha: Number = -inf, beta: Number = inf) -> int:
        """Count a state and enter it, with a window where the algorithm has one; who acts in it."""
        self.count()
        if self._trace is not None:
            self._trace.enter(state, alpha, beta)
        actor = self.machine.actor(state)
        if actor == END:
            self.terminals += 1
        else:
            self.enter(state)
        return actor

    def met(self, state: State, depth: Number) -> int:
        """Count a state that is to be searched so deep, and enter it where that is to the end; who acts in it."""
        self.count()
        actor = self.machine.actor(state)
        if actor == END:
            self.terminals += 1
        elif depth == inf:
            self.enter(state)
        return actor

    def count(self) -> None:
        """Count a node. Raises :class:`~zermelo.solvers.common.limits.LimitReached`."""
        self.nodes += 1
        if self.nodes % PROGRESS_EVERY == 0:
            self.progress(self.nodes)
            self.limits.check(self.counts)
        elif self.nodes > self.limits.nodes:
            self.limits.check(self.counts)

    def enter(self, state: State) -> None:
        """Begin to search a state. Raises :class:`GoesRound` for a position met before on its own path."""
        if not self._watches:
            return
        position = self.machine.position(state)
        met = self._path.get(position)
        if met is not None:
            play, start = self.machine.play(state), self._root_length + met
            raise GoesRound(Loop(play[:start], play[start:]))
        self._path[position] = len(self._path)

    def number(self, result: Any) -> Number:
        """The value of a state, of what a call has returned."""
        value: Number = result[0]
        return value

    def run(self, call: Visit[Result]) -> Result:
        """The result of ``call``, after all that it depends on. An error of the rules goes up through the calls, as
        if they called each other. Raises ``ZermeloError`` (``out-of-memory``)."""
        calls, room = [call], self.limits.room()
        result: Any = None
        error: PlayError | None = None
        while calls:
            try:
                call = calls[-1].send(result) if error is None else calls[-1].throw(error)
                error = None
            except PlayError as raised:
                error = raised
                calls.pop()
                if len(self._path) > len(calls):
                    self._path.popitem()
            except StopIteration as returned:
                result, error = returned.value, None
                calls.pop()
                if self._trace is not None and self._trace.depth > len(calls):
                    self._trace.leave(self.number(result))
                if len(self._path) > len(calls):
                    self._path.popitem()
            else:
                calls.append(call)
                result = None
                if len(calls) > room.most and not room.grows(calls):
                    raise self.limits.out_of_memory(self.counts)
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]  # what is sent between calls is typed by Visit


def principal_variation(line: Line) -> tuple[Move, ...]:
    """The first best move of every state along a line."""
    moves = []
    while line is not None:
        best, line = line
        moves.append(best[0])
    return tuple(moves)


def best_moves(line: Line) -> tuple[Move, ...]:
    """The moves that are best where a line begins."""
    return line[0] if line is not None else ()
