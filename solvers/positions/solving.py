"""From a graph of positions to what they are worth, by the algorithm that fits.

- A contest without chance, rounds and discount: retrograde analysis (:mod:`.retrograde`).
- Another contest: component by component, by backward induction where no play comes back, else by policy and strategy
  iteration (:mod:`.stochastic_cycles.exact_numbers`).
- One whose rounds lie in circles, or with rounds and fractions of too many digits: certified bounds
  (:mod:`.stochastic_games.enclosures`).
- One without rounds whose fractions have too many digits: certified bounds in doubles
  (:mod:`.stochastic_cycles.interval_iteration`); to more digits, what these leave open, or all if they prove nothing,
  in balls (:mod:`.stochastic_cycles.exact_numbers`).
- A game in which more than one number counts: subgame perfection (:mod:`.stochastic_games.matrix_rounds`); where
  plays can come back, and one player at most has a choice, the exact numbers of that player, and of the others as that
  player chooses.

**Endless plays of which the rules say nothing.** The value of a position never falls as the worth of such plays grows.
So it is found twice, with endless plays worth less than any number and more than any: where the two agree, that worth
does not matter; where they differ at the root, the game is refused (``needs-endless``).

No limit on digits or on positions changes a value: beyond it there is an interval, which holds the value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Final

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Payoff
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.common.numbers import INFINITE, Infinite
from zermelo.solvers.positions import retrograde
from zermelo.solvers.positions.graph.graph import (
    PAYS,
    ROOT,
    Components,
    Contest,
    EarnsForEver,
    NeedsEndless,
    NeedsOneNumber,
    PositionGraph,
    TooManyDigits,
    begins_round,
    contest_of,
    find_components,
    goes_round,
)
from zermelo.solvers.positions.retrograde import EarnsInCircle
from zermelo.solvers.positions.solved_positions import (
    BoundedSolution,
    EnclosedSolution,
    EquilibriumSolution,
    SolvedContest,
    SolvedPositions,
)
from zermelo.solvers.positions.stochastic_cycles.exact_numbers import ExactSolver, certified_numbers
from zermelo.solvers.positions.stochastic_cycles.interval_iteration import NoBounds, bounds, narrow, widen
from zermelo.solvers.positions.stochastic_cycles.intervals import Intervals
from zermelo.solvers.positions.stochastic_cycles.turn_based_game import edges_that_leave, equal_value_edges
from zermelo.solvers.positions.stochastic_games.enclosures import enclosures
from zermelo.solvers.positions.stochastic_games.matrix_rounds import (
    Mixture,
    Round,
    Shares,
    round_at,
    solve_stage_at,
    subgame_perfect_shares,
)

# Backward induction in a contest: positions to which no play comes back, each once, from the ends on.
#
# An end is worth what it pays; where chance draws, a position is worth the mean of what its edges are worth, by their
# probabilities; where one player decides, as much as the edge that they like best; where a round begins, what the stage
# is worth (:mod:`zermelo.solvers.positions.stochastic_games.matrix_rounds`). Positions come after all to which they
# lead, so everything behind them is known.
#
# Source: Zermelo (1913); von Neumann and Morgenstern (1944); with rounds, Shapley (1953).
#
# Numbers are exact: whole numbers of one unit, a common fraction of all payoffs, over a denominator of their own, which
# is 1 until chance or a discount makes it greater. So games without both are solved by comparing whole numbers.
#
# Cost: a few operations on whole numbers for each edge, and a matrix game for each round: four to eight seconds for a
# million positions with four million edges.


@define(eq=False)
class Induction:
    """The numbers so far: that of position p is ``numerators[p] / (denominators[p] * parts)``, in lowest terms apart
    from the ``parts`` of a unit; the denominator is 0 where it has not been looked up. ``earned`` are the amounts in
    parts of a unit, and ``made`` the numbers with the denominator 1."""

    contest: Contest
    parts: int = field(init=False)
    earned: list[int] = field(init=False)
    numerators: list[int] = field(init=False)
    denominators: list[int] = field(init=False)
    made: dict[int, Fraction] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        graph = self.contest.graph
        self.parts = lcm(*(amount[0].denominator for amount in graph.amounts))
        self.earned = [int(amount[0] * self.parts) for amount in graph.amounts]
        self.numerators, self.denominators = [0] * len(graph), [0] * len(graph)

    def step(self, position: int) -> None:
        """Find the number of a position, and a best edge where a player decides knowing the position; all those behind
        it have numbers. A position within a round gets none. Raises ``ZermeloError`` (``moves-differ``)."""
        graph = self.contest.graph
        kind = graph.kinds[position]
        if kind <= PAYS:
            self.note(position, graph.amounts[PAYS - kind][0])
        elif kind < 0:
            self.draw(position)
        elif kind >= len(graph.players):
            return
        elif begins_round(graph, position):
            self.note(position, solve_stage_at(self.contest, position).number)
        else:
            self.choose(position, self.contest.wants[kind] > 0)

    def note(self, position: int, number: Fraction) -> None:
        """Note the number of a position."""
        scaled = number * self.parts
        self.numerators[position], self.denominators[position] = scaled.numerator, scaled.denominator
        self.contest.put(position, number)

    def put(self, position: int, numerator: int, denominator: int) -> None:
        """Note the number of a position, in lowest terms apart from the parts."""
        self.numerators[position], self.denominators[position] = numerator, denominator
        if denominator > 1:
            self.contest.put(position, Fraction(numerator, denominator * self.parts))
            return
        number = self.made.get(numerator)
        if number is None:
            number = self.made[numerator] = Fraction(numerator, self.parts)
        self.contest.put(position, number)

    def worths(self, position: int) -> tuple[list[int], list[int]]:
        """What the edges of a position are worth: numerators and denominators."""
        graph, edges = self.contest.graph, self.contest.graph.edges(position)
        targets = graph.targets[edges.start : edges.stop]
        denominators = [self.denominators[target] for target in targets]
        if 0 in denominators:
            for target in targets:
                if not self.denominators[target]:
                    number = self.contest.number(target)
                    assert number is not None, "positions are solved after all that lie behind them"
                    self.note(target, number)
            denominators = [self.denominators[target] for target in targets]
        numerators = [self.numerators[target] for target in targets]
        if graph.discount != 1:
            factors = [graph.factor(position, edge) for edge in edges]
            numerators = [factor.numerator * n for factor, n in zip(factors, numerators, strict=True)]
            denominators = [factor.denominator * d for factor, d in zip(factors, denominators, strict=True)]
        if graph.rewards is not None:
            earned = [self.earned[number] for number in graph.rewards[edges.start : edges.stop]]
            numerators = [e * d + n for e, n, d in zip(earned, numerators, denominators, strict=True)]
        return numerators, denominators

    def draw(self, position: int) -> None:
        """Find the number of a position in which chance draws: the mean."""
        graph, edges = self.contest.graph, self.contest.graph.edges(position)
        assert graph.weights is not None, "chance draws"
        weights = graph.weights[edges.start : edges.stop]
        numerators, denominators = self.worths(position)
        scale = lcm(*denominators)
        total = sum(w * n * (scale // d) for w, n, d in zip(weights, numerators, denominators, strict=True))
        scale *= sum(weights)
        common = gcd(total, scale)
        self.put(position, total // common, scale // common)

    def choose(self, position: int, wants_more: bool) -> None:
        """Find the number of a position in which a player decides, and the first best edge."""
        numerators, denominators = self.worths(position)
        scale = denominators[0]
        if any(denominator != scale for denominator in denominators):
            scale = lcm(*denominators)
            numerators = [n * (scale // d) for n, d in zip(numerators, denominators, strict=True)]
        best = (max if wants_more else min)(numerators)
        common = gcd(best, scale)
        self.put(position, best // common, scale // common)
        self.contest.choices[position] = self.contest.graph.firsts[position] + numerators.index(best)


# The exact values of a contest that has been solved component by component.


@frozen(eq=False)
class ContestValues(SolvedContest):
    """The numbers with endless plays worth the least that they may be, and with them worth the most. The two are one
    if their worth is known."""

    low: Contest
    high: Contest
    components: Components
    _coming_out: dict[tuple[int, int], dict[int, list[int]]] = field(factory=dict, init=False)

    @property
    def contest(self) -> Contest:
        return self.low

    def number(self, position: int) -> Fraction | None:
        number = self.low.number(position)
        is_known = number is not None and (self.high is self.low or number == self.high.number(position))
        return number if is_known else None

    def mixtures(self, position: int) -> tuple[Round, tuple[Mixture, ...]] | None:
        if not begins_round(self.low.graph, position) or self.number(position) is None:
            return None
        low = solve_stage_at(self.low, position)
        high = low if self.high is self.low else solve_stage_at(self.high, position)
        return low.round, tuple(
            (low if self.low.wants[player] > 0 else high).mixtures[k] for k, player in enumerate(low.round.choosers)
        )

    def best(self, position: int) -> list[int]:
        """The best edges: those that keep the number. Those that stay in a component without a discount must not lead
        round for ever where that is worth less
        (:mod:`~zermelo.solvers.positions.stochastic_cycles.turn_based_game`)."""
        edges, here = self.keeping(position), self.components.numbers[position]
        graph = self.low.graph
        if graph.discount < 1 or all(self.components.numbers[graph.targets[edge]] != here for edge in edges):
            return edges
        side = self.low.wants[graph.kinds[position]]
        if (here, side) not in self._coming_out:
            self._coming_out[here, side] = edges_that_leave(self._worst_case_for(side), self.components[here], side)
        return self._coming_out[here, side].get(position, edges)

    def keeping(self, position: int) -> list[int]:
        """The edges that are worth as much as a position, where a player decides and it has a number."""
        graph = self.low.graph
        if graph.kinds[position] < 0 or self.number(position) is None or begins_round(graph, position):
            return []
        return equal_value_edges(self._worst_case_for(self.low.wants[graph.kinds[position]]), position)

    def _worst_case_for(self, side: int) -> Contest:
        """The numbers with endless plays worth the least that they may be to a side."""
        return self.low if side == 1 else self.high


MOST_EXACT: Final = 1_000_000
"""The most positions of a game of chance that have exact numbers, which are objects of Python."""

DIGITS: Final = 12
"""The digits of intervals if nobody asks for more; of numbers that are large, that many in all."""

_CHECK_EVERY: Final = 1024
"""Components between two checks of the limits."""


def solve(
    graph: PositionGraph, limits: Limits, progress: Progress = ignore_progress, digits: int | None = None
) -> SolvedPositions:
    """What the positions of a graph are worth. If exact numbers are too long, that of the root is found to so many
    ``digits``, or 12. ``progress`` is told how many positions are done.

    Raises :class:`NeedsEndless`, :class:`NeedsOneNumber`, :class:`~.graph.graph.EarnsForEver`,
    :class:`~.graph.graph.NeedsMixing`, :class:`~.graph.graph.NotEnclosed`, and ``ZermeloError`` (``out-of-memory``,
    ``out-of-time``, ``broken-installation``, ``moves-differ``)."""
    components = find_components(graph, limits, progress)
    contest = contest_of(graph)
    if contest is None:
        circles: dict[int, Callable[[Shares], None]] = {}
        for component in components:
            if goes_round(graph, component):
                if len(_choosers(graph, component)) > 1 or any(map(graph.is_within_round, component)):
                    raise NeedsOneNumber(min(component))
                circles[component[0]] = partial(_solve_circle, component, limits)
        return EquilibriumSolution(subgame_perfect_shares(graph, components.members, limits, progress, circles))
    has_rounds = graph.has_rounds
    has_rounds_in_circles = has_rounds and any(
        any(map(graph.is_within_round, component)) for component in components if len(component) > 1
    )
    if graph.weights is None and graph.discount == 1 and not has_rounds:
        with suppress(EarnsInCircle):
            return retrograde.solve(contest, components, limits, progress)
    if not has_rounds_in_circles and (len(graph) <= MOST_EXACT or has_rounds):
        with suppress(TooManyDigits):
            return _solve_exactly(contest, components, limits, progress)
    if has_rounds:
        fresh = Contest(graph, contest.wants)
        return EnclosedSolution(fresh, enclosures(fresh, components, digits or DIGITS, limits, progress))
    return BoundedSolution(contest, _bound_numbers(contest, components, limits, progress, digits))


def _choosers(graph: PositionGraph, component: Sequence[int]) -> set[int]:
    """The players who have a choice in a component."""
    return {graph.actor(p) for p in component if graph.kinds[p] >= 0 and len(graph.edges(p)) > 1}


def _solve_circle(component: Sequence[int], limits: Limits, shares: Shares) -> None:
    """Find what the positions of a component are worth if at most one player has a choice there: first to that player,
    whose choices make a Markov chain of it, and then to the others. All numbers behind it are known.

    Raises :class:`NeedsEndless`, :class:`EarnsForEver`, and ``ZermeloError``: ``no-solver`` if numbers are too long."""
    graph, choosers = shares.graph, _choosers(shares.graph, component)
    chooser = next(iter(choosers), 0)
    edges = {position: list(graph.edges(position)) for position in component}
    found = {chooser: _solve_for_player(shares, edges, chooser, limits)}
    for position, edge in found[chooser][1].items():
        edges[position] = [edge]
    for player in range(len(graph.players)):
        if player != chooser:
            found[player] = _solve_for_player(shares, edges, player, limits)
    for position in component:
        shares.reported[position] = tuple(found[player][0][position] for player in range(len(found)))
    shares.choices.update(found[chooser][1])
    behind = {graph.targets[edge] for own in edges.values() for edge in own} - set(component)
    if not choosers and all(len(shares.reachable[position] or ()) == 1 for position in behind):
        for position in component:
            shares.reachable[position] = frozenset(filter(None, [shares.reported[position]]))


def _solve_for_player(
    shares: Shares, edges: dict[int, list[int]], player: int, limits: Limits
) -> tuple[dict[int, Fraction], dict[int, int]]:
    """What positions are worth to a player, if there are only these edges, and everybody chooses what is best for that
    player; and the edges chosen where somebody decides."""
    graph = shares.graph
    place = {position: number for number, position in enumerate(edges)}
    used = [edge for position in edges for edge in edges[position]]
    amounts: list[Payoff] = [(Fraction(0),)]
    kinds = [graph.kinds[position] for position in edges]
    firsts, targets, rewards = [0], list[int](), list[int]()
    for position, own in edges.items():
        for edge in own:
            target = graph.targets[edge]
            if target in place:
                targets.append(place[target])
                amounts.append((graph.reward(edge)[player],))
                rewards.append(len(amounts) - 1)
            else:  # an end that pays all that the edge is worth
                targets.append(len(kinds))
                amounts.append((shares.worth(position, edge)[player],))
                kinds.append(PAYS - (len(amounts) - 1))
                rewards.append(0)
        firsts.append(len(targets))
    firsts += [len(targets)] * (len(kinds) - len(edges))
    endless = None if graph.endless is None else (graph.endless[player],)
    weights = None if graph.weights is None else [graph.weights[edge] for edge in used]
    part = PositionGraph(graph.players, kinds, firsts, targets, weights, rewards, amounts, graph.discount, endless)
    contest = Contest(part, (1,) * len(graph.players))
    try:
        values = _solve_exactly(contest, find_components(part, limits, compiled=False), limits, ignore_progress)
    except EarnsForEver as refusal:
        raise EarnsForEver(used[refusal.edge]) from None
    except TooManyDigits:
        raise ZermeloError(
            "no-solver",
            "plays can go round among so many positions that exact numbers are too long, and bounds are found only "
            "where what one player gets says what the others get",
            "a smaller game has shorter numbers",
        ) from None
    numbers: dict[int, Fraction] = {}
    for position, number in place.items():
        worth = values.number(number)
        if worth is None:
            raise NeedsEndless(ROOT, ())
        numbers[position] = worth
    chosen = {position: used[contest.choices[place[position]]] for position in edges if graph.kinds[position] >= 0}
    return numbers, chosen


def _bound_numbers(
    contest: Contest, components: Components, limits: Limits, progress: Progress, digits: int | None
) -> Intervals:
    """Bounds: those that doubles prove and, if these are too far apart at the root, better ones for what they leave
    open."""
    try:
        found = bounds(contest, components, limits, progress)
    except NoBounds:
        return certified_numbers(contest, components, digits or DIGITS, limits, progress)
    interval = found.interval(ROOT)
    assert interval is not None, "else there are no bounds"
    wanted = Fraction(1, 10 ** (digits or DIGITS))
    if digits is None:
        wanted *= max(Fraction(1), *(abs(amount[0]) for amount in contest.graph.amounts))
    if interval[1] - interval[0] <= wanted:
        return found
    left = narrow(contest, found, limits)
    if digits is None and len(left.positions) > MOST_EXACT:
        return found
    inner = find_components(left.contest.graph, limits, progress)
    return widen(left, certified_numbers(left.contest, inner, digits or DIGITS, limits, progress))


def _solve_exactly(contest: Contest, components: Components, limits: Limits, progress: Progress) -> ContestValues:
    """Exact numbers, component by component. Raises :class:`TooManyDigits`."""
    endless = Fraction(0) if contest.graph.discount < 1 else contest.endless
    if endless is not None:
        known, _ = _solve_with_endless(contest, components, endless, limits, progress)
        return ContestValues(known, known, components)
    low, may_last = _solve_with_endless(contest, components, -INFINITE, limits, progress)
    if not may_last:
        return ContestValues(low, low, components)
    high, _ = _solve_with_endless(Contest(contest.graph, contest.wants), components, INFINITE, limits, progress)
    values = ContestValues(low, high, components)
    if values.number(ROOT) is None:
        raise NeedsEndless(ROOT, ())
    return values


def _solve_with_endless(
    contest: Contest, components: Components, endless: Fraction | Infinite, limits: Limits, progress: Progress
) -> tuple[Contest, bool]:
    """The contest with its numbers, if an endless play is worth ``endless``, and whether there may be such plays."""
    graph = contest.graph
    induction, circles = Induction(contest), ExactSolver(contest, endless)
    for done, component in enumerate(components):
        if done % _CHECK_EVERY == 0:
            progress(done)
            limits.check({"nodes": done})
        first = component[0]
        if goes_round(graph, component):
            circles.solve(component)
        elif not isinstance(endless, Infinite) or not _is_infinite_behind(contest, first):
            induction.step(first)
        elif not begins_round(graph, first):
            circles.solve(component)
    return contest, circles.may_last


def _is_infinite_behind(contest: Contest, position: int) -> bool:
    """Whether an edge, or a round that begins in the position, leads to an infinite number. Such a round is taken to be
    infinite itself, which bounds its value from the side on which the worth of endless plays is."""
    graph = contest.graph
    if graph.is_within_round(position):
        return False
    begins = begins_round(graph, position)
    edges = [path[-1] for path in round_at(graph, position).paths] if begins else graph.edges(position)
    return any(contest.number(graph.targets[edge]) is None for edge in edges)
