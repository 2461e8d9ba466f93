"""Minimax and alpha-beta on kernels, for machines that can run them.

The algorithms are those of :mod:`solvers.minimax` and :mod:`solvers.alphabeta`; here is what surrounds their kernels:
slices between which Ctrl-C is seen and progress shown, stacks that grow, the principal variation, exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf
from time import perf_counter
from typing import Any

from attrs import define, field, frozen

from interpreter.machine import END, Machine, Move
from interpreter.native.executor import RuleError
from interpreter.native.kernels import Array, Kernels
from interpreter.native.machine import LoweredMachine, State
from solvers.alphabeta import TIES
from solvers.kernels import kernel_text
from solvers.solution import Answer, Problem, Progress

_SLICE_SECONDS = 0.05
_FIRST_SLICE = 20_000
_DEPTH = 64
_TABLE_BYTES = 128 << 20


def solver_for(name: str, problem: Problem[Any]) -> Callable[[Problem[Any]], Answer] | None:
    """The kernel that does what solver ``name`` does, where the machine can run one and it is safe."""
    machine = problem.machine
    if not isinstance(machine, LoweredMachine) or problem.facts.terminates.holds is not True:
        return None
    return {"minimax": minimax, "alphabeta": alphabeta, "alphabeta_table": alphabeta_table}.get(name)


@define
class _Run:
    """A search by kernel ``name``, which has so many ``columns`` (arrays of one number for each state of the path), and
    ``others`` beside them, of ``sizes``."""

    name: str
    columns: int
    machine: LoweredMachine
    kernels: Kernels
    others: list[Array]
    progress: Progress
    depth: int = _DEPTH
    registers: Array = None
    stack: Array = None
    moves: Array = None
    path: list[Array] = field(factory=list)
    budget: int = _FIRST_SLICE
    sizes: list[int] = field(factory=list)
    deadline: float = inf
    begins_with_others: bool = False
    status: int = 0

    def search(self, root: State) -> None:
        """Search the tree below a state. The value is then in the first entry of its column."""
        while not self._finished(root):
            self.depth *= 4

    def _finished(self, root: State) -> bool:
        """Whether the stack was deep enough for the search."""
        kernels = self.kernels
        self.stack, self.registers = kernels.states(self.depth), kernels.numbers(8)
        self.moves = kernels.rows(self.depth, kernels.program.most_moves)
        self.path = [kernels.numbers(self.depth) for _ in range(self.columns)]
        kernels.put(self.stack, 0, root.packed)
        try:
            more = [*self.others, self.registers, self.depth, *self.sizes]
            needed = more if self.begins_with_others else [self.registers, self.depth]
            kernels.call(f"{self.name}_begin", self.stack, self.moves, *self.path, *needed)
            while True:
                begin = perf_counter()
                status = kernels.call(self.name, self.stack, self.moves, *self.path, *more, self.budget)
                self.status = status
                if status < 0 or perf_counter() > self.deadline:
                    return True
                if status + 2 >= self.depth:
                    return False
                self.progress(self.registers[1])
                seconds = perf_counter() - begin
                self.budget = max(100, int(self.budget * min(4.0, _SLICE_SECONDS / max(seconds, 1e-6))))
        except RuleError as error:
            self.machine.explain(root, self._made(), error)
            raise

    def _made(self) -> list[int]:
        """The moves along the path, up to the one that went wrong."""
        counts, width = self.path[1], self.kernels.program.most_moves
        deepest = max((d for d in range(self.depth) if counts[d]), default=0)
        made = []
        for d in range(deepest + 1):
            row = self.moves[d] if isinstance(self.moves, list) else self.moves[d * width : (d + 1) * width]
            made.append(row[counts[d] - 1])
        return made


def minimax(problem: Problem[State]) -> Answer:
    """Minimax by its kernel."""
    machine = _lowered(problem.machine)
    kernels = machine.kernels(kernel_text("minimax"), {"minimax_begin": 8, "minimax": 10})
    values = kernels.numbers(kernels.program.most_moves)
    run = _Run("minimax", 3, machine, kernels, [values], problem.progress)
    run.search(problem.root)
    first, counts = run.path[2][0], _counts(run)
    best = _best(machine, problem.root, values, first)
    line: list[Move] = list(best[:1])
    state = problem.root
    while line and machine.actor(state := machine.after(state, line[-1])) != END:
        run.search(state)
        line.append(_best(machine, state, values, run.path[2][0])[0])
    return Answer(
        value=problem.share(Fraction(first, kernels.program.denominator)), best=best, line=tuple(line), counts=counts
    )


def _best(machine: LoweredMachine, state: State, values: Array, value: int) -> tuple[Move, ...]:
    """All moves whose value is the best."""
    return tuple(move for move, found in zip(machine.moves(state), values, strict=False) if found == value)


def alphabeta(problem: Problem[State]) -> Answer:
    """Alpha-beta by its kernel."""
    return _alphabeta(problem, has_table=False)


def alphabeta_table(problem: Problem[State]) -> Answer:
    """The same with a transposition table, where the value of a position is its own: not where the rules look at the
    history of the play or pay on the way."""
    return _alphabeta(problem, has_table=True)


def _alphabeta(problem: Problem[State], has_table: bool) -> Answer:
    machine = _lowered(problem.machine)
    kernels = machine.kernels(kernel_text("alphabeta"), {"alphabeta_begin": 13, "alphabeta": 16})
    program = kernels.program
    entry = program.layout.key_words + 3
    size = 1
    if has_table and not program.model.history and program.layout.earnings is None:
        size = 1 << (_TABLE_BYTES // (8 * entry)).bit_length() - 1 if machine.is_compiled else 1 << 14
    run = _Run("alphabeta", 8, machine, kernels, [kernels.rows(size, entry)], problem.progress, sizes=[size])
    run.search(problem.root)
    first = run.path[6][0]
    counts = _counts(run) | {"cutoffs": run.registers[3]}
    if has_table:
        counts["hits"] = run.registers[4]
    has_ties = run.registers[5] > 0
    line: list[Move] = []
    state = problem.root
    while machine.actor(state) != END:
        line.append(machine.moves(state)[run.path[7][0]])
        state = machine.after(state, line[-1])
        if machine.actor(state) != END:
            run.search(state)
    return Answer(
        value=problem.share(Fraction(first, program.denominator)),
        best=tuple(line[:1]),
        line=tuple(line),
        counts=counts,
        notes=(TIES,) if has_ties else (),
    )


@frozen
class Size:
    """How large a game is: its positions, how many of them are ends, and the moves of its longest play (None where that
    is not known). ``stopped`` says what ended the count early; it is empty where everything was counted."""

    positions: int
    terminals: int
    longest: int | None
    stopped: str

    @property
    def finished(self) -> bool:
        return not self.stopped


def measure(machine: LoweredMachine, limit_positions: int, limit_seconds: float, progress: Progress) -> Size:
    """Count the positions of a game whose plays all end, and whose rules do not look at the history of the play."""
    if machine.program.model.history:
        return Size(0, 0, None, "since the history of the play is part of every position")
    kernels = machine.kernels(kernel_text("positions"), {"positions_begin": 12, "positions": 13})
    program = kernels.program
    size = 1 << (limit_positions * 4 // 3).bit_length()
    row = program.layout.key_words + len(program.model.players) + 1
    deadline = perf_counter() + limit_seconds
    others = [kernels.numbers(program.most_moves), kernels.rows(size, row)]
    run = _Run("positions", 4, machine, kernels, others, progress, 1024, sizes=[size], deadline=deadline)
    run.begins_with_others = True
    run.search(machine.initial())
    positions, terminals = run.registers[1], run.registers[2]
    if run.status == -1:
        return Size(positions, terminals, run.path[3][0], "")
    stopped = f"after {limit_seconds:g} seconds" if run.status >= 0 else f"at {positions:,}"
    return Size(positions, terminals, None, stopped)


def _counts(run: _Run) -> dict[str, int]:
    return {"nodes": run.registers[1], "terminals": run.registers[2]}


def _lowered(machine: Machine[State]) -> LoweredMachine:
    assert isinstance(machine, LoweredMachine), "kernels are for lowered machines"
    return machine
