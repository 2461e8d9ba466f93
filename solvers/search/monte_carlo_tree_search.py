"""Monte Carlo tree search, by UCT.

What it computes: a guess of what every player gets, and a good move, for any number of players, any payoffs with known
bounds, and chance; each player is taken to look for his own best payoff. Sources: Coulom, "Efficient selectivity and
backup operators in Monte-Carlo tree search" (2006); Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006),
whose algorithm this is; the steps are named as in Browne et al., "A survey of Monte Carlo tree search methods" (2012).

A tree grows from the root by a node with every simulation:

1. *Select*: from the root on, as long as all moves of a node have been tried, go to the child with the largest

       mean + C sqrt(ln(simulations of the node) / simulations of the child),

   where the mean is what the player who chooses has got, 0 for the least and 1 for the most that the game can pay him.
   Chance draws.
2. *Expand*: where a move has not been tried, or chance draws for the first time what it draws, add that child.
3. *Simulate*: play from there at random to the end; or ask the file's estimate what the position is worth.
4. *Back up*: add what everybody got to the sums of all nodes on the way.

The move that was simulated most is called the best. Its share of the simulations tends to 1, and its mean to the value
of the game, with probability 1 (Kocsis and Szepesvari, theorem 6); after any number of them nothing is proved. The
standard error of the mean tells how much plays differ, not how far the tree is from having seen everything.

Cost: for every simulation one play, and a look at each child on the way down the tree; memory for one node a
simulation. When the memory is used up the tree grows no further, and simulations go on from where they leave it.

Invariants: a node has been simulated as often as all its children together, and once more for each simulation that
went no further than it; its sums lie between 0 and as many times what the game can pay.

This text and its kernel (:mod:`zermelo.solvers.kernels.monte_carlo_tree_search`) visit the same nodes for the same
seed, as long as both have memory left. They draw the same numbers. Sums are exact here and there; the urgency of a
child is a floating-point number, which is made of them by the same operations in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, log, sqrt
from typing import Final, Generic

from attrs import define, field, frozen

from zermelo.grammar.deadline import Passed
from zermelo.grammar.footprint import size
from zermelo.interpreter.checks.game_facts import Bounds
from zermelo.interpreter.decimals import rounded
from zermelo.interpreter.machine import CHANCE, END, Move, State
from zermelo.solvers.search.draws import draws, weights_of
from zermelo.solvers.search.random_plays import LONGEST
from zermelo.solvers.solution import Answer, Certainty, Problem

SIMULATIONS: Final = 10_000
"""How many are made where nobody says how many, nor how long."""

MOST: Final = 1 << 28
"""No search makes more."""

NOTHING: Final = {"nodes": 0, "terminals": 0, "simulations": 0}
"""The counts before a search begins."""

_BETWEEN: Final = 32
"""Simulations between two looks at the clock."""


@define(eq=False)
class SimulationNode(Generic[State]):
    """A node of the tree: ``move`` led here, number ``place`` of those of its parent, and ``chooser`` chose it (at the
    root: who is to move). ``gains`` are the sums of what simulations brought each player beyond the least that he can
    get; ``squares`` is the sum of the squares of the chooser's, as parts of the most that he can gain."""

    state: State
    move: Move | None
    place: int
    chooser: int
    gains: list[Fraction]
    visits: int = 0
    squares: float = 0.0
    children: dict[int, SimulationNode[State]] = field(factory=dict)
    moves: tuple[Move, ...] | None = None

    @property
    def is_expanded(self) -> bool:
        """Whether all moves of a player have been tried."""
        return self.moves is not None and len(self.children) == len(self.moves)

    @property
    def most_visited(self) -> SimulationNode[State]:
        """The child that was simulated most; the one that was tried first, where several were."""
        return max(self.children.values(), key=lambda child: child.visits)


def monte_carlo_tree_search(problem: Problem[State]) -> Answer:
    """Search by UCT. Needs perfect information, and payoffs with bounds.

    Raises ``ZermeloError`` (``out-of-time``) where there is no time at all."""
    problem.limits.check(NOTHING)
    search = _Search(problem)
    wanted = wanted_of(problem)
    while search.simulations < wanted:
        try:
            search.simulate_once()
        except Passed:
            if search.simulations == 0:
                raise
            break
        if search.simulations % _BETWEEN == 0:
            problem.progress(search.nodes)
            if problem.limits.is_over:
                break
    return answer_of(problem, search.found(), search.room.is_full)


class _Search(Generic[State]):
    """The tree, and what has been counted."""

    def __init__(self, problem: Problem[State]) -> None:
        self.problem, self.machine = problem, problem.machine
        self.room = problem.limits.room()
        self.bounds = bounds_of(problem)
        self.spans = [high - low or Fraction(1) for low, high in self.bounds]
        self.draws = draws(problem.seed)
        self.simulations = self.nodes = self.terminals = self.depth = 0
        self.root = self._node(problem.root, None, 0, self.machine.actor(problem.root))

    def simulate_once(self) -> None:
        path = self._select()
        self.depth = max(self.depth, len(path) - 1)
        self._back_up(path, self._simulate(path[-1].state, len(path) - 1))
        self.simulations += 1

    def _select(self) -> list[SimulationNode[State]]:
        """The path to the node at which the simulation leaves the tree, which is a new one where there is room."""
        node = self.root
        path = [node]
        while len(path) < LONGEST:
            actor = self.machine.actor(node.state)
            if actor == END:
                break
            if actor == CHANCE:
                outcomes = self.machine.outcomes(node.state)
                place = self.draws.lot(weights_of([probability for _, probability in outcomes]))
                move, is_new = outcomes[place][0], place not in node.children
            else:
                if node.moves is None:
                    node.moves = self.machine.moves(node.state)
                is_new = not node.is_expanded
                if is_new and not self.room.is_full:
                    untried = [place for place in range(len(node.moves)) if place not in node.children]
                    place = untried[self.draws.below(len(untried))]
                    move = node.moves[place]
                elif not is_new:
                    place = self._most_urgent(node).place
            if is_new:
                if not self.room.is_full:
                    after = self.machine.after(node.state, move)
                    node.children[place] = self._node(after, move, place, actor)
                    path.append(node.children[place])
                break
            node = node.children[place]
            path.append(node)
        return path

    def _node(self, state: State, move: Move | None, place: int, chooser: int) -> SimulationNode[State]:
        self.nodes += 1
        self.terminals += self.machine.actor(state) == END
        node = SimulationNode(state, move, place, max(0, chooser), [Fraction(0)] * len(self.bounds))
        self.room.keep(node)
        return node

    def _most_urgent(self, node: SimulationNode[State]) -> SimulationNode[State]:
        """The child with the largest upper confidence bound; the first that was tried of those."""
        exploration, logarithm = self.problem.sampling.exploration, log(node.visits)

        def urgency(child: SimulationNode[State]) -> float:
            mean = float(child.gains[child.chooser] / (child.visits * self.spans[child.chooser]))
            return mean + exploration * sqrt(logarithm / child.visits)

        return max(node.children.values(), key=urgency)

    def _simulate(self, state: State, length: int) -> list[Fraction]:
        """What a random play or the estimate brings each player beyond his least. A play that is too long counts as if
        it had brought everybody the middle of what he can get."""
        machine = self.machine
        if by_estimate(self.problem) and machine.actor(state) != END:
            amounts = [machine.estimate(state, player) for player in range(len(self.bounds))]
            return [min(max(amount, low), high) - low for amount, (low, high) in zip(amounts, self.bounds, strict=True)]
        while (actor := machine.actor(state)) != END:
            if length >= LONGEST:
                return [(high - low) / 2 for low, high in self.bounds]
            if actor == CHANCE:
                outcomes = machine.outcomes(state)
                move = outcomes[self.draws.lot(weights_of([probability for _, probability in outcomes]))][0]
            else:
                moves = machine.moves(state)
                move = moves[self.draws.below(len(moves))]
            state = machine.after(state, move)
            length += 1
        return [amount - low for amount, (low, _) in zip(machine.payoff(state), self.bounds, strict=True)]

    def _back_up(self, path: Sequence[SimulationNode[State]], gains: Sequence[Fraction]) -> None:
        for node in path:
            node.visits += 1
            node.gains = [total + gain for total, gain in zip(node.gains, gains, strict=True)]
            share = float(gains[node.chooser] / self.spans[node.chooser])
            node.squares += share * share

    def found(self) -> SimulatedMoves:
        """What has been found out."""
        line: list[SimulationNode[State]] = []
        node = self.root
        while node.children and node.moves is not None and (node is self.root or node.is_expanded):
            node = node.most_visited
            line.append(node)
        told = line[0] if line else self.root
        return SimulatedMoves(
            counts={
                "nodes": self.nodes,
                "terminals": self.terminals,
                "simulations": self.simulations,
                "depth": self.depth,
            },
            line=tuple(node.move for node in line if node.move is not None),
            player=told.chooser,
            visits=told.visits,
            gains=tuple(told.gains),
            squares=told.squares,
        )


# ------------------------------------------------------------- what the kernel has in common with it


@frozen
class SimulatedMoves:
    """What a search has come to: its counts, and the moves simulated most, as far as all moves were tried. Of the first
    of them, which ``player`` chooses (of the root, where nobody does): how often it was simulated, what that brought
    each player beyond the least that he can get, and the sum of the squares of the player's gains, as parts of the most
    that he can gain."""

    counts: dict[str, int]
    line: tuple[Move, ...]
    player: int
    visits: int
    gains: tuple[Fraction, ...]
    squares: float


def wanted_of(problem: Problem[State]) -> int:
    """How many simulations are made at most. Each adds a node to the root at most, so there are no more nodes."""
    limits = problem.limits
    if problem.sampling.simulations is not None:
        wanted = problem.sampling.simulations
    else:
        wanted = SIMULATIONS if min(limits.seconds, limits.nodes) == inf else MOST
    return int(max(1, min(wanted, limits.nodes - 1, MOST)))


def bounds_of(problem: Problem[State]) -> tuple[tuple[Fraction, Fraction], ...]:
    """The least and the most that each player can get."""
    return tuple((Fraction(low), Fraction(high)) for low, high in filter(None, problem.facts.bounds))


def by_estimate(problem: Problem[State]) -> bool:
    """Whether leaves are worth what the file's estimate says: where it has one, unless random plays are asked for."""
    return problem.facts.has_estimate and not problem.rollouts


def answer_of(problem: Problem[State], found: SimulatedMoves, is_full: bool) -> Answer:
    """The answer, with a note on how far it can be trusted; ``is_full`` tells whether memory has no room for more."""
    bounds = bounds_of(problem)
    value = tuple(low + gain / found.visits for gain, (low, _) in zip(found.gains, bounds, strict=True))
    notes = [_trust(problem, found, bounds[found.player], value[found.player])]
    if is_full:
        notes.append(f"The tree grew no further at {size(problem.limits.memory)} of memory; --memory allows more.")
    return Answer(
        value=value,
        best=found.line[:1],
        line=found.line,
        counts=found.counts,
        certainty=Certainty.HEURISTIC,
        notes=tuple(notes),
    )


def _trust(problem: Problem[State], found: SimulatedMoves, bounds: Bounds, value: Fraction) -> str:
    low, high = bounds
    mean = float(found.gains[found.player] / (found.visits * ((high - low) or 1)))
    variance = max(0.0, found.squares / found.visits - mean**2)
    error = Fraction(sqrt(variance / found.visits)) * (high - low)
    which = (
        f"{found.visits:,} of {found.counts['simulations']:,} simulations began with the best move; their"
        if (found.line)
        else f"{found.visits:,} simulations were made; their"
    )
    worth = "by the file's estimate" if by_estimate(problem) else "by random plays"
    name = problem.machine.player_names[found.player]
    found_out = f"is {rounded(value, 3)} with a standard error of {rounded(error, 2)}"
    return f"{which} mean for {name}, {worth}, {found_out}: a guess."
