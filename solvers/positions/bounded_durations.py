"""How long plays last from the positions of a large graph on, and whether they end: bounds in floating point.

The chain is made by :mod:`zermelo.solvers.kernels.policy_chain`, which also tells of each position whether plays are
certain to end. Where they are, the mean length is what a play earns if each step earns 1; elsewhere the probability of
an end is what it is worth if all ends pay 1, and a play that never ends pays nothing. So both are what positions of a
game are worth in which nobody has a choice, and their bounds are proved as those of any other
(:mod:`.circles.interval_iteration`).

Cost: that of the values themselves, or less; 10 million positions take seconds.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import define

from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Bounds, Duration, Unit
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.policy_chain import (
    ENDS,
    MAY_LAST,
    UNKNOWN,
    Chain,
    Policy,
    count_edges,
    doubt_all,
    go_on,
    meet_all,
    number_all,
    write,
    write_part,
)
from zermelo.solvers.positions.circles.interval_iteration import NoBounds, bounds, weights_of
from zermelo.solvers.positions.circles.intervals import Intervals
from zermelo.solvers.positions.graph.graph import Contest, PositionGraph, find_components
from zermelo.solvers.positions.solved import BoundedSolution, SolvedPositions
from zermelo.solvers.running.slices import Slices

GRAPH_BYTES: Final = 12
POSITION_BYTES: Final = 12
EDGE_BYTES: Final = 12
"""The bytes of a position of the graph while a chain is made of it, and of a position and an edge of the chain."""

_FEW: Final = 1 << 12
"""The positions of a graph for which machine code is not worth its loading."""

_CHECK_EVERY: Final = 1024
"""Positions between two checks of the limits."""

_ZERO, _ONE = Fraction(0), Fraction(1)
_LENGTHS: Final = ((_ZERO,), (_ZERO,), (_ONE,))
_CHANCES: Final = ((_ZERO,), (_ONE,))
"""What is paid: by the first end and the second one, and for a step."""


@define(eq=False)
class BoundedDurations:
    """How long plays last from the positions of a chain on, of which position p of the ``graph`` is number
    ``numbers[p]``, counted from 1. Implements :class:`~zermelo.solvers.positions.durations.Durations`."""

    graph: PositionGraph
    numbers: Sequence[int]
    doubts: Sequence[int]
    unit: Unit
    is_random: bool
    lengths: Intervals
    chances: Intervals | None

    def at(self, position: int) -> Duration | None:
        p = self.numbers[position] - 1
        if p < 0 or self.doubts[p] == UNKNOWN:
            return None
        if self.doubts[p] == MAY_LAST:
            return Duration(_known(self.chances, p), None, self.unit, self.is_random)
        return Duration((_ONE, _ONE), _known(self.lengths, p), self.unit, self.is_random)

    def counted(self, is_decision: bool) -> int:
        return int(is_decision or self.unit is Unit.DRAWS)


def bounded_durations(solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> BoundedDurations | None:
    """How long plays last from some positions on, and from all to which these lead; None where players choose at once,
    and if no bounds can be proved.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    graph = solved.graph
    if graph.has_rounds:
        return None
    limits.require(GRAPH_BYTES * len(graph), f"where plays come among {len(graph):,} positions")
    functions = kernel(go_on, meet_all, number_all, write, doubt_all, count_edges, write_part)
    kernels = load(functions, len(graph) > _FEW)
    try:
        return _found(kernels, solved, starts, limits)
    except NoBounds:
        return None


def _found(kernels: PlainKernels, solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> BoundedDurations:
    """The same. Raises :class:`NoBounds`, too."""
    policy, rises = _policy(kernels, solved, starts, limits), solved.graph.rises
    chain = _chain(kernels, policy, limits)
    components = find_components(_as_graph(chain, ENDS, rises), limits)
    order, numbers, places = map(kernels.as_halves, (components.members, components.numbers, components.starts))
    kernels.call(doubt_all, chain, order, numbers, places, len(components))
    lengths = _bounds(_part(kernels, chain, ENDS, rises, limits), limits)
    lasting = _part(kernels, chain, MAY_LAST, rises, limits)
    chances = _bounds(lasting, limits) if len(lasting.targets) else None
    unit = Unit.MOVES if policy.decided else Unit.DRAWS
    found = BoundedDurations(solved.graph, policy.numbers, chain.doubts, unit, policy.open > 0, lengths, chances)
    limits.hold(found, GRAPH_BYTES * len(solved.graph))
    return found


def _policy(kernels: PlainKernels, solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> Policy:
    """What the solution says, and the positions to which it leads."""
    graph, size = solved.graph, len(solved.graph)
    policy = kernels.new(
        Policy,
        kinds=kernels.as_halves(graph.kinds),
        firsts=kernels.as_halves(graph.firsts),
        targets=kernels.as_halves(graph.targets),
        weights=weights_of(graph, kernels),
        choices=kernels.as_halves(_choices(solved, limits)),
        numbers=size,
        order=size,
    )
    kernels.call(meet_all, policy, kernels.as_halves(starts))
    slices = Slices(kernels.is_compiled)
    while kernels.call(go_on, policy, slices.next()) != DONE:
        limits.check({"nodes": size})
    kernels.call(number_all, policy)
    return policy


def _choices(solved: SolvedPositions, limits: Limits) -> Sequence[int]:
    """The edge that is taken in each position, -1 where the solution does not say."""
    if isinstance(solved, BoundedSolution):
        return solved.found.choices
    choices = array("i", [-1]) * len(solved.graph)
    for position, kind in enumerate(solved.graph.kinds):
        if position % _CHECK_EVERY == 0:
            limits.check({"nodes": position})
        if kind >= 0 and (followed := solved.followed(position)):
            choices[position] = followed[0]
    return choices


def _chain(kernels: PlainKernels, policy: Policy, limits: Limits) -> Chain:
    limits.require(_chain_bytes(policy.met, policy.edges), f"a chain of {policy.met:,} positions")
    chain = _empty(kernels, policy.met, policy.edges)
    kernels.call(write, policy, chain)
    limits.hold(chain, _chain_bytes(policy.met, policy.edges))
    return chain


def _part(kernels: PlainKernels, chain: Chain, kept: int, rises: bool, limits: Limits) -> PositionGraph:
    """The graph of those positions that have a doubt, of which the others are ends."""
    size, edges = len(chain.kinds), kernels.call(count_edges, chain, kept)
    if kept == ENDS and edges == chain.edges:
        return _as_graph(chain, kept, rises)
    limits.require(_chain_bytes(size, edges), f"a chain of {size:,} positions")
    part = _empty(kernels, size, edges)
    kernels.call(write_part, chain, part, kept)
    made = _as_graph(part, kept, rises)
    limits.hold(made, _chain_bytes(size, edges))
    return made


def _empty(kernels: PlainKernels, size: int, edges: int) -> Chain:
    positions, steps = dict.fromkeys(("kinds", "doubts"), size), dict.fromkeys(("targets", "weights", "rewards"), edges)
    return kernels.new(Chain, firsts=size + 1, **positions, **steps)


def _chain_bytes(size: int, edges: int) -> int:
    return POSITION_BYTES * size + EDGE_BYTES * edges


def _as_graph(chain: Chain, kept: int, rises: bool) -> PositionGraph:
    """A chain as the graph of a game whose values are lengths, or probabilities of an end."""
    rewards, amounts = (chain.rewards, _LENGTHS) if kept == ENDS else (None, _CHANCES)
    arrays = (chain.kinds, chain.firsts, chain.targets, chain.weights)
    return PositionGraph(("",), *arrays, rewards, amounts, endless=(_ZERO,), rises=rises)


def _bounds(graph: PositionGraph, limits: Limits) -> Intervals:
    return bounds(Contest(graph, (1,)), find_components(graph, limits), limits)


def _known(found: Intervals | None, position: int) -> Bounds:
    interval = None if found is None else found.interval(position)
    assert interval is not None, "amounts are finite, and so are bounds"
    return interval
