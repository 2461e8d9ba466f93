"""Monte Carlo tree search: :mod:`zermelo.solvers.kernels.monte_carlo_tree_search` has the algorithm."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf, sqrt
from typing import Final, Generic

from attrs import frozen

from zermelo.foundation.deadline import DeadlinePassed
from zermelo.foundation.memory import SAMPLE_SIZE, format_bytes
from zermelo.interpreter.machine import CHANCE, Move, State, display_text
from zermelo.interpreter.native.dialect.kernel_source import Hole, Kernel
from zermelo.interpreter.native.dialect.kernel_source import kernel as kernel_of
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Milestone
from zermelo.solvers.kernels import monte_carlo_tree_search as kernel
from zermelo.solvers.running.backend import Backend, GameKernels, seeded_draws
from zermelo.solvers.running.lowered_backend import with_fallback
from zermelo.solvers.running.path_search import Slices, endgame_lists, looking_up
from zermelo.solvers.search.random_plays import LONGEST
from zermelo.solvers.solution import Answer, Certainty, Endgames, Problem

SIMULATIONS: Final = 10_000
"""The number of simulations if the user gives neither a number nor a limit of time or nodes."""

MOST: Final = 1 << 28
"""The most simulations of any search."""

_NOTHING: Final = {"nodes": 0, "terminals": 0, "simulations": 0}
"""The counts before a search begins."""

_GROWTH: Final = 4


TOLD: Final = 1_000
"""The most nodes of a tree that a milestone tells."""


@frozen
class SimulatedNode:
    """A node of the tree, behind its ``parent``: the move to it, who acts there, how many simulations went through it,
    and what these brought every player on average."""

    parent: int | None
    move: Move | None
    actor: int
    visits: int
    means: tuple[Fraction, ...]


@frozen
class TreeMilestone(Milestone):
    """How far a tree search has come, with its tree, in the order in which it grew, unless that is large."""

    tree: tuple[SimulatedNode, ...] = ()


@with_fallback
def monte_carlo_tree_search(backend: Backend[State], problem: Problem[State]) -> Answer:
    """Search by UCT. Needs perfect information, and payoffs with bounds. For the same seed it visits the same nodes on
    every backend, as long as there is memory left.

    Raises ``ZermeloError`` (``out-of-time``) where there is no time at all."""
    problem.limits.check(_NOTHING)
    wanted = _simulation_limit(problem)
    known = [] if problem.endgames is None else [amount for payoff in problem.endgames.payoffs for amount in payoff]
    bounds = [*payoff_bounds(problem), *((Fraction(amount), Fraction(amount)) for amount in known)]
    unit, holes = backend.gains(bounds, wanted, uses_estimate(problem))

    def work(kernels: GameKernels) -> Answer:
        tree = TreeSearch(backend, kernels, problem, wanted, unit)
        slices = Slices(kernels.is_compiled)
        while True:  # once at least, though compiling may have taken all the time
            try:
                tree.simulate(slices.next())
            except DeadlinePassed:
                if tree.search.simulations == 0:
                    raise
                break
            problem.progress(tree.search.nodes)
            if tree.search.simulations >= wanted or problem.limits.is_over:
                break
        problem.remark(tree.milestone())
        return tree.answer()

    naming = backend.naming(problem.endgames)
    return backend.run(source(uses_estimate(problem), holes, problem.endgames, naming), work)


def source(is_guessed: bool, holes: dict[str, Hole], known: Endgames | None, naming: Hole) -> Kernel:
    """The kernel that the machine runs: a position is worth a guess if ``is_guessed``, else what random plays bring;
    known ones are looked up under names that are written so."""
    return looking_up(partial(kernel_of, kernel.start, kernel.go_on), known, naming, GUESSES=int(is_guessed), **holes)


class TreeSearch(Generic[State]):
    """The kernel with its tree, for as many simulations as are ``wanted``; amounts are over ``unit``."""

    def __init__(
        self, backend: Backend[State], kernels: GameKernels, problem: Problem[State], wanted: int, unit: int
    ) -> None:
        self.backend, self.kernels, self.problem, self.unit = backend, kernels, problem, unit
        known = endgame_lists(problem.endgames, kernels, lambda amount: int(amount * unit))
        self.search = search = kernels.new(
            kernel.Search, tree=SAMPLE_SIZE + 1, made=LONGEST, path=LONGEST, endgames=known
        )
        search.wanted, search.exploration = wanted, problem.sampling.exploration
        for p, (low, high) in enumerate(payoff_bounds(problem)):
            search.least[p], search.most[p] = int(low * unit), int(high * unit)
            search.span[p] = max(1, search.most[p] - search.least[p])
        kernels.put(search.root, backend.held(problem.root))
        kernels.call(kernel.start, search, seeded_draws(problem.seed).state)

    def simulate(self, moves: int) -> None:
        """Go on till there are as many simulations as are wanted, or so many moves have been made, or the tree has to
        grow."""
        search = self.search
        try:
            self.kernels.call(kernel.go_on, search, moves)
        except RuleError as error:
            self.backend.explain(self.problem.root, list(search.made[: search.length]), error)
        if search.nodes == len(search.tree):
            self._grow()

    def _grow(self) -> None:
        """Make room for more nodes, as far as memory goes; no more are wanted than simulations, and the root."""
        kernels, before = self.kernels, len(self.search.tree)
        row = kernels.row_bytes(kernels.words_of(kernel.Search, "tree"))
        room = int(self.problem.limits.free // max(row, kernels.bytes_each(kernel.Search, "tree")))
        larger = min(_GROWTH * before, room, self.search.wanted + 1)
        if larger > before:
            kernels.grow(self.search, tree=larger)
        else:
            self.search.is_full = before <= self.search.wanted

    def answer(self) -> Answer:
        """The result so far: the line of moves simulated most, as far as all moves were tried. The value is what the
        simulations that began with the first of these brought, or all of them if there is none."""
        problem, search = self.problem, self.search
        line = self._most_visited_line()
        told = line[0] if line else search.tree[kernel.ROOT]
        players = range(len(told.gains))
        return Answer(
            value=tuple(self._mean(told, player) for player in players),
            best=tuple(self.backend.move(node.move) for node in line[:1]),
            line=tuple(self.backend.move(node.move) for node in line),
            counts={
                "nodes": search.nodes,
                "terminals": search.terminals,
                "simulations": search.simulations,
                **({"lookups": search.lookups} if problem.endgames is not None else {}),
                "depth": search.depth,
            },
            certainty=Certainty.HEURISTIC,
            notes=(self._trust_text(told.visits, bool(line)), *self._memory_notes()),
            standard_errors=tuple(
                standard_error(Fraction(told.gains[player]) / self.unit, told.squares[player], told.visits, bounds)
                for player, bounds in enumerate(payoff_bounds(problem))
            ),
        )

    def _most_visited_line(self) -> list[kernel.Node]:
        node = self.search.tree[kernel.ROOT]
        line: list[kernel.Node] = []
        while node.count and node.child and (not line or node.tried == node.count):
            node = self._most_visited(node)
            line.append(node)
        return line

    def _trust_text(self, visits: int, is_move: bool) -> str:
        """How far the value can be trusted."""
        which = (
            f"{visits:,} of {self.search.simulations:,} simulations began with the best move, and the guess is"
            if is_move
            else f"{visits:,} simulations were made, and the guess is"
        )
        worth = "by the file's estimate" if uses_estimate(self.problem) else "by random plays"
        return f"{which} their mean {worth}, with its standard error."

    def _memory_notes(self) -> tuple[str, ...]:
        if not self.search.is_full:
            return ()
        room = format_bytes(self.problem.limits.memory)
        return (f"The tree grew no further at {room} of memory; --memory allows more.",)

    def milestone(self) -> TreeMilestone:
        """For each move at the root, the mean of what it has brought the player who makes it; the move simulated most
        comes first, and of equals the one tried first. No player makes the draws of chance, so they are left out."""
        tree, machine = self.search.tree, self.backend.machine
        children: list[kernel.Node] = []
        child = tree[kernel.ROOT].child if machine.actor(self.problem.root) != CHANCE else 0
        while child:
            children.insert(0, tree[child])
            child = tree[child].sibling
        means = {
            display_text(self.backend.move(each.move)): self._mean(each, each.chooser)
            for each in sorted(children, key=lambda each: -each.visits)
            if each.visits  # none yet where time has ended the simulation that tried it
        }
        return TreeMilestone(self.search.simulations, "simulations", means, self._grown())

    def _grown(self) -> tuple[SimulatedNode, ...]:
        """The nodes that have been simulated; none of a large tree."""
        search, machine = self.search, self.backend.machine
        if search.nodes > TOLD:
            return ()
        parents: dict[int, int] = {}
        for number in range(search.nodes):
            child = search.tree[number].child
            while child:
                parents[child] = number
                child = search.tree[child].sibling
        states, found = [self.problem.root], list[SimulatedNode]()
        for number in range(search.nodes):
            node, parent = search.tree[number], parents.get(number)
            move = None if parent is None else self.backend.move(node.move)
            if parent is not None and move is not None:
                states.append(machine.after(states[parent], move))
            if node.visits:  # not the last one where time has ended its simulation
                means = tuple(self._mean(node, player) for player in range(len(node.gains)))
                found.append(SimulatedNode(parent, move, machine.actor(states[number]), node.visits, means))
        return tuple(found)

    def _mean(self, node: kernel.Node, player: int) -> Fraction:
        low, _ = payoff_bounds(self.problem)[player]
        return low + Fraction(node.gains[player]) / (node.visits * self.unit)

    def _most_visited(self, node: kernel.Node) -> kernel.Node:
        """The child that was simulated most, and of equals the one that was tried first, which comes last."""
        tree = self.search.tree
        found = child = tree[node.child]
        while child.sibling:
            child = tree[child.sibling]
            if child.visits >= found.visits:
                found = child
        return found


def standard_error(gains: Fraction, squares: float, visits: int, bounds: tuple[Fraction, Fraction]) -> Fraction:
    """The standard error of a mean of so many payoffs between ``bounds``: ``gains`` is the sum of what they are beyond
    the least, and ``squares`` that of the squares, as parts of the most that can be gained."""
    width = bounds[1] - bounds[0]
    mean = float(gains / (visits * (width or 1)))
    variance = max(0.0, squares / visits - mean**2)
    return Fraction(sqrt(variance / visits)) * width


def _simulation_limit(problem: Problem[State]) -> int:
    """How many simulations are made at most. Each adds at most one node to the root, so this limits nodes as well."""
    limits = problem.limits
    if problem.sampling.simulations is not None:
        wanted = problem.sampling.simulations
    else:
        wanted = SIMULATIONS if min(limits.seconds, limits.nodes) == inf else MOST
    return int(max(1, min(wanted, limits.nodes - 1, MOST)))


def payoff_bounds(problem: Problem[State]) -> tuple[tuple[Fraction, Fraction], ...]:
    """The least and the most that each player can get."""
    return tuple((Fraction(low), Fraction(high)) for low, high in filter(None, problem.facts.bounds))


def uses_estimate(problem: Problem[State]) -> bool:
    """Whether leaves are worth what the file's estimate says: where it has one, unless random plays are asked for."""
    return problem.facts.has_estimate and not problem.rollouts
