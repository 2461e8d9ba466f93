"""Monte Carlo tree search on its kernel, run in slices."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Final

from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import Array, Kernels
from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine, LoweredState
from zermelo.solvers.kernels import kernel_text
from zermelo.solvers.kernels.ranges import ESTIMATE, SUMS
from zermelo.solvers.native.beyond import BeyondKernel, check_range
from zermelo.solvers.native.slices import Slices
from zermelo.solvers.search.draws import draws
from zermelo.solvers.search.monte_carlo_tree_search import (
    NOTHING,
    SimulatedMoves,
    answer_of,
    bounds_of,
    by_estimate,
    wanted_of,
)
from zermelo.solvers.search.random_plays import LONGEST
from zermelo.solvers.solution import Answer, Problem

EXPORTS: Final = ("monte_carlo_begin", "monte_carlo")

_FLOAT_BYTES: Final = 8

_FIRST, _NEXT, _MOVE, _CHOOSER, _COUNT, _TRIED, _VISITS, _GAINS = 0, 1, 2, 4, 5, 6, 7, 8
"""What stands where in the row of a node."""

_NODES, _TERMINALS, _SIMULATIONS, _DEPTH, _LENGTH = range(1, 6)
"""Registers."""


def monte_carlo_tree_search(machine: LoweredMachine, problem: Problem[LoweredState]) -> Answer:
    """As :func:`zermelo.solvers.search.monte_carlo_tree_search.monte_carlo_tree_search`, with the same nodes for the
    same seed."""
    problem.limits.check(NOTHING)
    wanted = wanted_of(problem)
    program, bounds, unit = machine.program, bounds_of(problem), unit_of(machine, problem)
    widest = max(high - low for low, high in bounds) * unit
    check_range("monte_carlo_tree_search", *(bound * unit for pair in bounds for bound in pair))
    if wanted * widest > SUMS:
        raise BeyondKernel
    if by_estimate(problem):
        if program.estimate_denominator is None:
            raise BeyondKernel
        check_range("monte_carlo_tree_search", ESTIMATE * (unit // program.estimate_denominator))

    def work(kernels: Kernels) -> Answer:
        search = TreeSearch(machine, kernels, problem, wanted)
        slices = Slices(kernels.is_compiled)
        while True:  # once at least, though compiling may have taken all the time
            search.simulate(slices.next())
            problem.progress(search.registers[_NODES])
            if search.registers[_SIMULATIONS] >= wanted or problem.limits.is_over:
                break
        return answer_of(problem, search.found(), search.registers[_NODES] >= search.room)

    return machine.run_kernels(text_of(machine, problem), EXPORTS, work)


def text_of(machine: LoweredMachine, problem: Problem[LoweredState]) -> str:
    """The text of the kernel: leaves are worth what the file's estimate says or else what random plays bring."""
    program, unit = machine.program, unit_of(machine, problem)
    over = program.estimate_denominator if by_estimate(problem) else None
    guess = f"estimate(C, S, p) * {unit // over}" if over else "0"
    head = f"GUESSES = {int(over is not None)}\nSCALE = {unit // program.denominator}\n"
    worth = f"def worth(C: ints[CONTEXT], S: state, p: int) -> int:\n    return {guess}\n"
    return "\n\n".join((head, worth, kernel_text("monte_carlo_tree_search")))


def unit_of(machine: LoweredMachine, problem: Problem[LoweredState]) -> int:
    """What all amounts are over: payoffs, estimates, bounds, and the middle between two bounds."""
    program = machine.program
    bounds = (bound.denominator for pair in bounds_of(problem) for bound in pair)
    return 2 * lcm(program.denominator, program.estimate_denominator or 1, *bounds)


class TreeSearch:
    """The kernel with its tree, for as many simulations as are ``wanted``; amounts are over ``unit``. The memory has
    ``room`` for so many nodes."""

    def __init__(self, machine: LoweredMachine, kernels: Kernels, problem: Problem[LoweredState], wanted: int) -> None:
        if problem.root.packed is None:
            raise BeyondLimits
        self.machine, self.kernels, self.problem, self.wanted = machine, kernels, problem, wanted
        self.unit = unit_of(machine, problem)
        self.room = max(1, problem.limits.free // (kernels.row_bytes(self._width) + _FLOAT_BYTES))
        size = min(self.room, wanted + 1)
        self.sizes = size, LONGEST
        self.tree, self.squares = kernels.rows(size, self._width), kernels.floats(size)
        self.registers, self.made, path = (kernels.numbers(count) for count in (8, LONGEST, LONGEST))
        moves, weights = (kernels.numbers(machine.program.most_moves) for _ in range(2))
        start, exploration = kernels.states(1), kernels.floats(1)
        kernels.put_at(start, 0, problem.root.packed)
        exploration[0] = problem.sampling.exploration
        self._arrays = (
            start, kernels.state(), moves, weights, self.tree, self.squares, self.made, path, *self._bounds(),
            exploration, self.registers,
        )  # fmt: skip
        kernels.call_by_name("monte_carlo_begin", start, self.tree, self.registers, size, draws(problem.seed).state)

    def _bounds(self) -> tuple[Array, Array, Array]:
        """The least and the most that each player can get, and what lies between, which the kernel divides by."""
        least, most, span = (self.kernels.numbers(len(self.machine.player_names)) for _ in range(3))
        for p, (low, high) in enumerate(bounds_of(self.problem)):
            least[p], most[p] = int(low * self.unit), int(high * self.unit)
            span[p] = max(1, most[p] - least[p])
        return least, most, span

    @property
    def _width(self) -> int:
        return _GAINS + len(self.machine.player_names)

    def simulate(self, moves: int) -> None:
        """Go on till there are as many simulations as are wanted, or so many moves have been made."""
        try:
            self.kernels.call_by_name("monte_carlo", *self._arrays, *self.sizes, self.wanted, moves)
        except RuleError as error:
            made = [self.made[k] for k in range(self.registers[_LENGTH])]
            self.machine.explain(self.problem.root, made, error)
            raise

    def found(self) -> SimulatedMoves:
        """What has been found out so far."""
        registers, at = self.registers, 0
        node = self._node(at)
        line: list[int] = []
        while node[_COUNT] and node[_FIRST] and (not line or node[_TRIED] == node[_COUNT]):
            at = self._most_visited(node)
            node = self._node(at)
            line.append(at)
        first = line[0] if line else 0
        told = self._node(first)
        return SimulatedMoves(
            counts={
                "nodes": registers[_NODES],
                "terminals": registers[_TERMINALS],
                "simulations": registers[_SIMULATIONS],
                "depth": registers[_DEPTH],
            },
            line=tuple(self.machine.program.moves.decode(self._node(at)[_MOVE]) for at in line),
            player=told[_CHOOSER],
            visits=told[_VISITS],
            gains=tuple(Fraction(gain, self.unit) for gain in told[_GAINS:]),
            squares=self.squares[first],
        )

    def _most_visited(self, node: list[int]) -> int:
        """The child that was simulated most; the one that was tried first, where several were: it comes last."""
        found = at = node[_FIRST]
        while at := self._node(at)[_NEXT]:
            if self._node(at)[_VISITS] >= self._node(found)[_VISITS]:
                found = at
        return found

    def _node(self, at: int) -> list[int]:
        return self.kernels.row(self.tree, at, self._width)
