"""Monte Carlo tree search on its kernel, run in slices."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from zermelo.interpreter.native.dialect import kernel_source
from zermelo.interpreter.native.running.executor import RuleError
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import BeyondLimits, LoweredMachine, LoweredState
from zermelo.solvers.kernels import monte_carlo_tree_search as kernel
from zermelo.solvers.kernels.ranges import ESTIMATE, SUMS
from zermelo.solvers.running.beyond import BeyondKernel, check_range
from zermelo.solvers.running.slices import Slices
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
        tree = TreeSearch(machine, kernels, problem, wanted)
        slices = Slices(kernels.is_compiled)
        while True:  # once at least, though compiling may have taken all the time
            tree.simulate(slices.next())
            problem.progress(tree.search.nodes)
            if tree.search.simulations >= wanted or problem.limits.is_over:
                break
        return answer_of(problem, tree.found(), tree.search.nodes >= tree.room)

    return machine.run(source(machine, problem), work)


def source(machine: LoweredMachine, problem: Problem[LoweredState]) -> kernel_source.Kernel:
    """What the machine runs: leaves are worth what the file's estimate says or else what random plays bring."""
    program, unit = machine.program, unit_of(machine, problem)
    over = program.estimate_denominator if by_estimate(problem) else None
    guess = f"estimate(rules, state, player) * {unit // over}" if over else "0"
    scale = unit // program.denominator
    return kernel_source.kernel(kernel.start, kernel.go_on, GUESSES=int(over is not None), SCALE=scale, worth=guess)


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
        self.machine, self.kernels, self.problem = machine, kernels, problem
        self.unit = unit_of(machine, problem)
        node = kernels.row_bytes(kernels.words_of(kernel.Search, "tree"))
        self.room = max(1, problem.limits.free // node)
        size = min(self.room, wanted + 1)
        self.search = search = kernels.new(kernel.Search, tree=size, made=LONGEST, path=LONGEST)
        search.wanted, search.exploration = wanted, problem.sampling.exploration
        for p, (low, high) in enumerate(bounds_of(problem)):
            search.least[p], search.most[p] = int(low * self.unit), int(high * self.unit)
            search.span[p] = max(1, search.most[p] - search.least[p])
        kernels.put(search.root, problem.root.packed)
        kernels.call(kernel.start, search, draws(problem.seed).state)

    def simulate(self, moves: int) -> None:
        """Go on till there are as many simulations as are wanted, or so many moves have been made."""
        try:
            self.kernels.call(kernel.go_on, self.search, moves)
        except RuleError as error:
            self.machine.explain(self.problem.root, list(self.search.made[: self.search.length]), error)
            raise

    def found(self) -> SimulatedMoves:
        """What has been found out so far."""
        search, tree = self.search, self.search.tree
        node = tree[kernel.ROOT]
        line: list[kernel.Node] = []
        while node.count and node.child and (not line or node.tried == node.count):
            node = self._most_visited(node)
            line.append(node)
        told = line[0] if line else node
        return SimulatedMoves(
            counts={
                "nodes": search.nodes,
                "terminals": search.terminals,
                "simulations": search.simulations,
                "depth": search.depth,
            },
            line=tuple(self.machine.program.moves.decode(node.move) for node in line),
            player=told.chooser,
            visits=told.visits,
            gains=tuple(Fraction(gain, self.unit) for gain in told.gains),
            squares=told.squares,
        )

    def _most_visited(self, node: kernel.Node) -> kernel.Node:
        """The child that was simulated most; the one that was tried first, where several were: it comes last."""
        tree = self.search.tree
        found = child = tree[node.child]
        while child.sibling:
            child = tree[child.sibling]
            if child.visits >= found.visits:
                found = child
        return found
