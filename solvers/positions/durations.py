"""How long plays last if everybody does what a solution says, and whether they end.

Such plays are a Markov chain of the positions. If it is small, the durations are fractions or balls, else bounds in
floating point.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from itertools import islice
from typing import Final, Protocol

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import PlainKernels, load
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Bounds, Duration, Unit
from zermelo.solvers.kernels import policy_chain as chains
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.policy_chain import ENDS, MAY_LAST, UNKNOWN, Chain, Policy
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, Contest, PositionGraph, TooManyDigits, find_components
from zermelo.solvers.positions.solved_positions import BoundedSolution, SolvedPositions
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import DIGITS, bits_of, refuse_digits, refuse_work
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import NoBounds, bounds, weights_of
from zermelo.solvers.positions.stochastic_cycles.intervals import Intervals, ball, interval_of, precision, rational
from zermelo.solvers.positions.stochastic_cycles.policy_iteration import evaluate
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import AWAY, Arena, Number
from zermelo.solvers.running.path_search import Slices

# How long plays last from the positions of a large graph on, and whether they end: bounds in floating point.
#
# The chain is made by :mod:`zermelo.solvers.kernels.policy_chain`, which also tells of each position whether plays are
# certain to end. Where they are, the mean length is what a play earns if each step earns 1; elsewhere the probability
# of an end is what it is worth if all ends pay 1, and an endless play pays nothing. So both are the values of positions
# in a game without choices, and their bounds are proved as those of any other game
# (:mod:`.stochastic_cycles.interval_iteration`).
#
# Cost: that of the values themselves, or less; 10 million positions take seconds.


GRAPH_BYTES: Final = 12
_BOUND_BYTES: Final = 12
EDGE_BYTES: Final = 12
"""The bytes of a position of the graph while a chain is made of it, and of a position and an edge of the chain."""

_FEW: Final = 1 << 12
"""The positions of a graph for which machine code is not worth its loading."""

_CHECK_EVERY: Final = 1024
"""Positions between two checks of the limits."""

_ZERO, _ONE = Fraction(0), Fraction(1)
_LENGTHS: Final = ((_ZERO,), (_ZERO,), (_ONE,))
_CHANCES: Final = ((_ZERO,), (_ONE,))
"""The amounts: of the first end, of the second one, and of a step."""


@define(eq=False)
class BoundedDurations:
    """How long plays last from the positions of a chain on; position p of the ``graph`` has the number ``numbers[p]``
    in the chain, counted from 1. Implements :class:`Durations`."""

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
            return Duration(_bounds_at(self.chances, p), None, self.unit, self.is_random)
        return Duration((_ONE, _ONE), _bounds_at(self.lengths, p), self.unit, self.is_random)

    def counted(self, is_decision: bool) -> int:
        return int(is_decision or self.unit is Unit.DRAWS)


def bound_durations(solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> BoundedDurations | None:
    """How long plays last from some positions on, and from all to which these lead; None where players choose at once,
    and if no bounds can be proved.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    graph = solved.graph
    if graph.has_rounds:
        return None
    limits.require(GRAPH_BYTES * len(graph), f"where plays come among {len(graph):,} positions")
    functions = kernel(
        chains.go_on, chains.meet_all, chains.number_all, chains.write, chains.doubt_all, chains.count_edges,
        chains.write_part,
    )  # fmt: skip
    kernels = load(functions, len(graph) > _FEW)
    try:
        return _find_bounds(kernels, solved, starts, limits)
    except NoBounds:
        return None


def _find_bounds(
    kernels: PlainKernels, solved: SolvedPositions, starts: Sequence[int], limits: Limits
) -> BoundedDurations:
    """As :func:`bound_durations`. Raises :class:`NoBounds`, too."""
    policy, rises = _policy(kernels, solved, starts, limits), solved.graph.rises
    chain = _chain(kernels, policy, limits)
    components = find_components(_as_graph(chain, ENDS, rises), limits)
    order, numbers, places = map(kernels.as_halves, (components.members, components.numbers, components.starts))
    kernels.call(chains.doubt_all, chain, order, numbers, places, len(components))
    lengths = _bounds(_part_as_graph(kernels, chain, ENDS, rises, limits), limits)
    lasting = _part_as_graph(kernels, chain, MAY_LAST, rises, limits)
    chances = _bounds(lasting, limits) if len(lasting.targets) else None
    unit = Unit.MOVES if policy.decided else Unit.DRAWS
    found = BoundedDurations(solved.graph, policy.numbers, chain.doubts, unit, policy.open > 0, lengths, chances)
    limits.hold(found, GRAPH_BYTES * len(solved.graph))
    return found


def _policy(kernels: PlainKernels, solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> Policy:
    """The policy of the solution, and the positions to which it leads."""
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
    kernels.call(chains.meet_all, policy, kernels.as_halves(starts))
    slices = Slices(kernels.is_compiled)
    while kernels.call(chains.go_on, policy, slices.next()) != DONE:
        limits.check({"nodes": size})
    kernels.call(chains.number_all, policy)
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
    chain = _new_chain(kernels, policy.met, policy.edges)
    kernels.call(chains.write, policy, chain)
    limits.hold(chain, _chain_bytes(policy.met, policy.edges))
    return chain


def _part_as_graph(kernels: PlainKernels, chain: Chain, kept: int, rises: bool, limits: Limits) -> PositionGraph:
    """The graph in which only positions with the doubt ``kept`` have edges; all others are ends."""
    size, edges = len(chain.kinds), kernels.call(chains.count_edges, chain, kept)
    if kept == ENDS and edges == chain.edges:
        return _as_graph(chain, kept, rises)
    limits.require(_chain_bytes(size, edges), f"a chain of {size:,} positions")
    part = _new_chain(kernels, size, edges)
    kernels.call(chains.write_part, chain, part, kept)
    made = _as_graph(part, kept, rises)
    limits.hold(made, _chain_bytes(size, edges))
    return made


def _new_chain(kernels: PlainKernels, size: int, edges: int) -> Chain:
    positions, steps = dict.fromkeys(("kinds", "doubts"), size), dict.fromkeys(("targets", "weights", "rewards"), edges)
    return kernels.new(Chain, firsts=size + 1, **positions, **steps)


def _chain_bytes(size: int, edges: int) -> int:
    return _BOUND_BYTES * size + EDGE_BYTES * edges


def _as_graph(chain: Chain, kept: int, rises: bool) -> PositionGraph:
    """A chain as the graph of a game whose values are lengths, or probabilities of an end."""
    rewards, amounts = (chain.rewards, _LENGTHS) if kept == ENDS else (None, _CHANCES)
    arrays = (chain.kinds, chain.firsts, chain.targets, chain.weights)
    return PositionGraph(("",), *arrays, rewards, amounts, endless=(_ZERO,), rises=rises)


def _bounds(graph: PositionGraph, limits: Limits) -> Intervals:
    return bounds(Contest(graph, (1,)), find_components(graph, limits), limits)


def _bounds_at(found: Intervals | None, position: int) -> Bounds:
    interval = None if found is None else found.interval(position)
    assert interval is not None, "amounts are finite, and so are bounds"
    return interval


# The Markov chain of a solution: where plays come if everybody does what it says.
#
# That is the first of the best moves of a position, and in a round everybody's mixture. A round is one step from the
# position in which it begins.


@frozen
class Onward:
    """How a play goes on from a position: ``shares[q]`` is the probability with which it comes to position q of the
    chain, ``ended`` that with which it ends. ``deciders`` is the number of players who decide."""

    deciders: int
    shares: Mapping[int, Fraction]
    ended: Fraction


@frozen(eq=False)
class SolvedChain:
    """Positions of a ``graph``, all but ends, by their ``numbers`` in the chain, from 0; and how a play goes on from
    each of them, None where the solution does not say what to do."""

    graph: PositionGraph
    numbers: Mapping[int, int]
    onward: Sequence[Onward | None]

    def components(self, limits: Limits) -> Iterable[Sequence[int]]:
        """The strongly connected components, in reverse topological order."""
        firsts, targets = [0], list[int]()
        for onward in self.onward:
            targets += () if onward is None else onward.shares
            firsts.append(len(targets))
        graph = PositionGraph((), [0] * len(self.onward), firsts, targets, None, None, ())
        return find_components(graph, limits)


def chain_of(solved: SolvedPositions, starts: Iterable[int], most: int) -> SolvedChain | None:
    """The chain of the positions that can be reached from some of the graph, those within rounds left out; None if
    they are more than ``most``."""
    graph = solved.graph
    inner = (p for p in starts if graph.kinds[p] > PAYS and not graph.is_within_round(p))
    positions = list(dict.fromkeys(islice(inner, most + 1)))
    numbers = {position: number for number, position in enumerate(positions)}
    chain: list[Onward | None] = []
    for position in positions:  # to which others are added on the way
        if len(positions) > most:
            return None
        deciders, ways = _step(solved, position)
        shares: dict[int, Fraction] = {}
        for target, share in ways:
            if graph.kinds[target] > PAYS:
                if target not in numbers:
                    numbers[target] = len(positions)
                    positions.append(target)
                shares[numbers[target]] = shares.get(numbers[target], Fraction(0)) + share
        ended = sum((share for target, share in ways if graph.kinds[target] <= PAYS), Fraction(0))
        chain.append(Onward(deciders, shares, ended) if ways else None)
    return SolvedChain(graph, numbers, chain)


def _step(solved: SolvedPositions, position: int) -> tuple[int, list[tuple[int, Fraction]]]:
    """How many players decide in the step from a position, and where it leads, with which probability: nowhere if the
    solution does not say what to do."""
    graph = solved.graph
    targets = graph.targets
    if graph.kinds[position] < 0:
        ends = (targets[edge] for edge in graph.edges(position))
        return 0, list(zip(ends, graph.probabilities(position), strict=True))
    mixed = solved.mixtures(position)
    if mixed is None:
        return 1, [(targets[edge], Fraction(1)) for edge in solved.followed(position)[:1]]
    round, mixtures = mixed
    shares = zip(round.paths, round.chances(mixtures), strict=True)
    ways = [(targets[path[-1]], share) for path, share in shares if share]
    return len(round.choosers), ways


# How long plays last from the positions of a chain on, and whether they end: in fractions, or in balls.
#
# Such plays are a Markov chain of the positions. Its strongly connected components, the last ones first, tell (Kemeny
# and Snell 1960, *Finite Markov Chains*):
#
# - A component in which no play ends, and that none leaves, is kept for ever. Plays that cannot come to such a
#   component end with probability 1, and no others do. So this is known without a number.
# - Where plays are certain to end, the mean length is the only solution of ``length(p) = step(p) + sum of share(p, q) *
#   length(q)``.
# - Elsewhere the probability that they end is the least solution of ``ends(p) = ended(p) + sum of share(p, q) *
#   ends(q)``; it is 0 in what is kept for ever, and the only one in the other components.
#
# Both are found by the elimination that finds what a policy is worth
# (:mod:`zermelo.solvers.positions.stochastic_cycles.policy_iteration`): in fractions if the values of the solution are
# exact, as long as they have few digits, else in balls. A discount does not matter: it says by how much later payoffs
# count less, and a play goes on all the same.
#
# This takes about as much work as to find what one policy is worth, which solving does at least once, but in Python.


_BITS: Final = 128
"""The precision of balls."""


@frozen(eq=False)
class _Numbers:
    """A kind of numbers: how to make one of a fraction, its bounds, what watches the elimination, the most bits of
    fractions, and its context."""

    make: Callable[[Fraction], Number]
    bounds: Callable[[Number], Bounds]
    watch: Callable[[Number, int], None]
    bits: int | None
    place: Callable[[], AbstractContextManager[None]]


def _exact_bounds(number: Number) -> Bounds:
    fraction = Fraction(int(number.p), int(number.q))
    return fraction, fraction


_EXACT: Final = _Numbers(rational, _exact_bounds, refuse_digits, bits_of(DIGITS), nullcontext)
_BALLS: Final = _Numbers(ball, interval_of, refuse_work, None, lambda: precision(_BITS))


@define(eq=False)
class ChainDurations:
    """How long plays last from the positions of a ``chain`` on. Implements :class:`Durations`.

    ``lengths[p]`` is the mean length from position p of the chain on, None where plays are not certain to end;
    ``chances[p]`` the probability that they end, None if they may come to where the solution does not say what to do.
    """

    chain: SolvedChain
    numbers: _Numbers
    unit: Unit = field(init=False)
    is_random: bool = field(init=False)
    lengths: list[Number | None] = field(init=False)
    chances: list[Number | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        ways = (len(onward.shares) + (onward.ended > 0) for onward in self.chain.onward if onward is not None)
        self.is_random = any(count > 1 for count in ways)
        deciders = {onward.deciders for onward in self.chain.onward if onward is not None} - {0}
        self.unit = Unit.DRAWS if not deciders else Unit.MOVES if 1 in deciders else Unit.ROUNDS
        self.lengths = [None] * len(self.chain.onward)
        self.chances = [None] * len(self.chain.onward)

    def at(self, position: int) -> Duration | None:
        if self.chain.graph.kinds[position] <= PAYS:
            return Duration((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0)), self.unit, self.is_random)
        p = self.chain.numbers.get(position)
        if p is None or self.chances[p] is None:
            return None
        length = self.lengths[p]
        bounds = self.numbers.bounds
        ends, lasts = bounds(self.chances[p]), None if length is None else bounds(length)
        return Duration(ends, lasts, self.unit, self.is_random)

    def find(self, component: Sequence[int]) -> None:
        """Find the numbers of a component; those behind it have been found. Raises :class:`TooManyDigits`."""
        rows = [onward for p in component if (onward := self.chain.onward[p]) is not None]
        behind = {q for row in rows for q in row.shares}.difference(component)
        if len(rows) < len(component) or any(self.chances[q] is None for q in behind):
            return
        if not behind and not any(row.ended for row in rows):
            chances = [self.numbers.make(Fraction(0))] * len(component)
        elif any(self.lengths[q] is None for q in behind):
            chances = self._solve_component(component, rows, self.chances, lambda row: row.ended)
        else:
            chances = [self.numbers.make(Fraction(1))] * len(component)
            lengths = self._solve_component(
                component, rows, self.lengths, lambda row: Fraction(self.counted(row.deciders > 0))
            )
            for p, length in zip(component, lengths, strict=False):
                self.lengths[p] = length
        for p, chance in zip(component, chances, strict=False):
            self.chances[p] = chance

    def counted(self, is_decision: bool) -> int:
        return int(is_decision or self.unit is Unit.DRAWS)

    def _solve_component(
        self,
        component: Sequence[int],
        rows: Sequence[Onward],
        found: Sequence[Number | None],
        brought: Callable[[Onward], Fraction],
    ) -> list[Number]:
        """The numbers of a component: each is what a step brings, plus the mean of those where it leads."""
        make, inside = self.numbers.make, {p: k for k, p in enumerate(component)}
        arena = Arena(component)
        for row in rows:
            brings, away = make(brought(row)), row.ended
            shares = []
            for q, share in row.shares.items():
                if q in inside:
                    shares.append((inside[q], make(share)))
                else:
                    brings += make(share) * found[q]
                    away += share
            if away:
                shares.append((AWAY, make(away)))
            arena.rows.append([(brings, tuple(shares))])
        return evaluate(arena, [0] * len(rows), None, self.numbers.watch, self.numbers.bits)


def chain_durations(chain: SolvedChain, is_exact: bool, limits: Limits) -> ChainDurations | None:
    """How long plays last from the positions of a chain on, in fractions if ``is_exact`` and they are short enough,
    else in balls; None if both take too much.

    Raises ``ZermeloError`` (``out-of-time``, ``broken-installation``)."""
    for numbers in (_EXACT, _BALLS) if is_exact else (_BALLS,):
        try:
            with numbers.place():
                found = ChainDurations(chain, numbers)
                for done, component in enumerate(chain.components(limits)):
                    if done % _CHECK_EVERY == 0:
                        limits.check({"nodes": 0})
                    found.find(component)
                return found
        except TooManyDigits:
            continue
    return None


MOST: Final = 100_000
"""The most positions of a chain that consists of objects of Python."""

POSITION_BYTES: Final = 1500
"""The bytes of such a position with its steps and numbers, about."""


class Durations(Protocol):
    """How long plays last from some positions on, and from all to which these lead."""

    def at(self, position: int) -> Duration | None:
        """How long a play lasts from a position of the graph on. None in positions to which no play comes, within
        rounds, and where plays may come to where the solution does not say what to do."""

    def counted(self, is_decision: bool) -> int:
        """The number of steps that a decision, or else a draw, counts."""


def durations(solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> Durations | None:
    """How long plays last from some positions on, and from all to which these lead. None if this is left out: where the
    limits allow no more than the solution, where FLINT is missing, which a solution may do without, and where no bounds
    can be proved."""
    found: Durations | None = None
    try:
        with limits.enforce():
            if POSITION_BYTES * min(MOST, len(solved.graph)) <= limits.free:
                chain = chain_of(solved, starts, MOST)
                if chain is not None:
                    found = chain_durations(chain, solved.bounds(ROOT) is None, limits)
            return found or bound_durations(solved, starts, limits)
    except ZermeloError as error:
        if error.code not in ("out-of-time", "out-of-memory", "broken-installation"):
            raise
    return None
