"""How long plays last if everybody does what a solution says, and whether they end.

They are a Markov chain of the positions. If it is small, its numbers are fractions or balls,
else bounds in floating point (:mod:`.bounded_durations`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Final, Protocol

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.policy import Bounds, Duration, Unit
from zermelo.solvers.positions.bounded_durations import bounded_durations
from zermelo.solvers.positions.circles.arena import AWAY, Arena, Number
from zermelo.solvers.positions.circles.exact_numbers import refuse_digits, refuse_work
from zermelo.solvers.positions.circles.intervals import ball, interval_of, precision, rational
from zermelo.solvers.positions.circles.policy_iteration import evaluate
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph, TooManyDigits, find_components
from zermelo.solvers.positions.solved import SolvedPositions

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
class Chain:
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


def chain_of(solved: SolvedPositions, starts: Iterable[int], most: int) -> Chain | None:
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
    return Chain(graph, numbers, chain)


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
    shares = [
        prod((mixture[k] for mixture, k in zip(mixtures, chosen, strict=True)), start=Fraction(1))
        for chosen in round.choices()
    ]
    ways = [(targets[path[-1]], share) for path, share in zip(round.paths, shares, strict=True) if share]
    return len(round.choosers), ways


# How long plays last from the positions of a chain on, and whether they end: in fractions, or in balls.
#
# They are a Markov chain of the positions. Its strongly connected components, the last ones first,
# tell (Kemeny and Snell 1960, *Finite Markov Chains*):
#
# - A component in which no play ends, and that none leaves, is kept for ever. Plays that cannot come to such a
# component
#   end with probability 1, and no others do. So this is known without a number.
# - Where plays are certain to end, the mean length is the only solution of ``length(p) = step(p) + sum of share(p, q) *
#   length(q)``.
# - Elsewhere the probability that they end is the least solution of ``ends(p) = ended(p) + sum of share(p, q) *
#   ends(q)``; it is 0 in what is kept for ever, and the only one in the other components.
#
# Both are found by the elimination that finds what a policy is worth
# (:mod:`zermelo.solvers.positions.circles.policy_iteration`): in fractions if the values of the solution are exact, as
# long as they have few digits, else in balls. A discount does not matter: it says by how much later payoffs count less,
# and a play goes on all the same.
#
# This takes about as much work as to find what one policy is worth, which solving does at least once, but in Python.


_BITS: Final = 128
"""The precision of balls."""

_CHECK_EVERY: Final = 1024
"""Components between two checks of the limits."""


@frozen(eq=False)
class _Numbers:
    """A kind of numbers: how one is made of a fraction, what bounds it has, what watches its making, and where."""

    make: Callable[[Fraction], Number]
    bounds: Callable[[Number], Bounds]
    watch: Callable[[Number, int], None]
    place: Callable[[], AbstractContextManager[None]]


def _twice(number: Number) -> Bounds:
    fraction = Fraction(int(number.p), int(number.q))
    return fraction, fraction


_EXACT: Final = _Numbers(rational, _twice, refuse_digits, nullcontext)
_BALLS: Final = _Numbers(ball, interval_of, refuse_work, lambda: precision(_BITS))


@define(eq=False)
class ChainDurations:
    """How long plays last from the positions of a ``chain`` on. Implements
    :class:`~zermelo.solvers.positions.durations.Durations`.

    ``lengths[p]`` is the mean length from position p of the chain on, None where plays are not certain to end;
    ``chances[p]`` the probability that they end, None if they may come to where the solution does not say what to do.
    """

    chain: Chain
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
            chances = self._solved(component, rows, self.chances, lambda row: row.ended)
        else:
            chances = [self.numbers.make(Fraction(1))] * len(component)
            lengths = self._solved(component, rows, self.lengths, lambda row: Fraction(self.counted(row.deciders > 0)))
            for p, length in zip(component, lengths, strict=False):
                self.lengths[p] = length
        for p, chance in zip(component, chances, strict=False):
            self.chances[p] = chance

    def counted(self, is_decision: bool) -> int:
        return int(is_decision or self.unit is Unit.DRAWS)

    def _solved(
        self,
        component: Sequence[int],
        rows: Sequence[Onward],
        found: Sequence[Number | None],
        brought: Callable[[Onward], Fraction],
    ) -> list[Number]:
        """The numbers of a component, each what a step brings, and the mean of those where it leads."""
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
        return evaluate(arena, [0] * len(rows), None, self.numbers.watch)


def chain_durations(chain: Chain, is_exact: bool, limits: Limits) -> ChainDurations | None:
    """How long plays last from the positions of a chain on, in fractions if ``is_exact`` and they are short enough,
    else in balls; None if both take too much.

    Raises ``ZermeloError`` (``out-of-time``, ``broken-installation``)."""
    for numbers in (_EXACT, _BALLS) if is_exact else (_BALLS,):
        try:
            with numbers.place():
                return _found(ChainDurations(chain, numbers), limits)
        except TooManyDigits:
            continue
    return None


def _found(durations: ChainDurations, limits: Limits) -> ChainDurations:
    for done, component in enumerate(durations.chain.components(limits)):
        if done % _CHECK_EVERY == 0:
            limits.check({"nodes": 0})
        durations.find(component)
    return durations


MOST: Final = 100_000
"""Of how many positions a chain may consist of objects of Python."""

POSITION_BYTES: Final = 1500
"""The bytes of such a position with its steps and numbers, about."""


class Durations(Protocol):
    """How long plays last from some positions on, and from all to which these lead."""

    def at(self, position: int) -> Duration | None:
        """How long a play lasts from a position of the graph on. None in positions to which no play comes, within
        rounds, and where plays may come to where the solution does not say what to do."""

    def counted(self, is_decision: bool) -> int:
        """As how many steps a decision counts, or a draw."""


def durations(solved: SolvedPositions, starts: Sequence[int], limits: Limits) -> Durations | None:
    """How long plays last from some positions on, and from all to which these lead. None if that is left out, as it is
    where the solution is all that the limits allow, where FLINT is missing, which a solution may do without, and where
    no bounds can be proved."""
    found: Durations | None = None
    try:
        with limits.kept():
            if POSITION_BYTES * min(MOST, len(solved.graph)) <= limits.free:
                chain = chain_of(solved, starts, MOST)
                if chain is not None:
                    found = chain_durations(chain, solved.bounds(ROOT) is None, limits)
            return found or bounded_durations(solved, starts, limits)
    except ZermeloError as error:
        if error.code not in ("out-of-time", "out-of-memory", "broken-installation"):
            raise
    return None
