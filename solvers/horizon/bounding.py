"""Certified bounds of a game with secrets whose plays may go on for ever: by a horizon.

All plays are cut off at a distance from the root, where the rest is worth something between two bounds, times the
discount so far. Two finite games are solved exactly: one in which every cut is worth the least to the first player, and
one in which it is worth the most.

*Sound.* Whatever both players do, the first one gets at least what they get in the first cut game, and at most what
they get in the second one. So a strategy that secures its value in the first cut game secures it in the game, however
it goes on behind the cut, and likewise for the second player; whatever the game is worth lies between the two. That
holds whether or not an information set has nodes on both sides of the cut. A single player goes on behind the cut by
a move that secures the least; plays are cut by the number of their own decisions, so that they know where they are.

*The horizon* is deepened, by a quarter each time, until the bounds are ``NEAR``, or no play is cut off any more, or the
next tree would probably have more than ``HISTORIES`` histories, or beliefs: numbers that are the same on every machine.
With a discount d, bounds that are w apart behind the horizon are at most w d^k apart if it lies k decisions ahead.

For one player against chance the cut games are solved by search over beliefs, for two players of constant sum by the
linear program of the sequence form. Cost: a tree of all histories up to the horizon, which is written down in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import inf
from typing import Any, Final, Generic, cast

from attrs import define, evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, Machine, Move, Payoff, PerceivedMove, State
from zermelo.solvers.beliefs.belief_search import belief_search
from zermelo.solvers.forms.extensive_form import sequence_form as form_of
from zermelo.solvers.forms.policy import ConditionalPlan
from zermelo.solvers.forms.strategy import Strategy, strategies
from zermelo.solvers.imperfect_information.sequence_form_lp import Equilibrium, equilibrium
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.positions.solved_positions import earned_and_factor_before
from zermelo.solvers.solution import Answer, Certainty, Problem
from zermelo.solvers.tree_building import building

# A game that is cut off at a horizon: plays end there, and pay what is assumed of the rest.
#
# Everything else is the game's own, the observations too. A play is cut where it has taken ``depth`` moves and
# outcomes, or where the player ``counting`` has made ``depth`` decisions; at the next decision, if ``at_decisions``. No
# play is cut within a round of simultaneous choices. From the cut on the first player gets what the rest is assumed to
# be worth if it began there; with two players the second one gets what is left of the constant sum.


@define(eq=False)
class CutMachine(Generic[State]):
    """Implements :class:`~zermelo.interpreter.machine.Machine`; everything else is that of its ``machine``.
    ``rest`` is what the rest is assumed to be worth; ``total`` is the constant sum of two players, None for a single
    one; ``has_cut`` says whether any play has been cut off so far."""

    machine: Machine[State]
    depth: int
    rest: Fraction
    total: Fraction | None
    at_decisions: bool
    counting: int | None = None
    has_cut: bool = False
    _latest: tuple[State | None, bool] = (None, False)  # what is asked of a state is asked several times

    def __getattr__(self, name: str) -> Any:
        return getattr(self.machine, name)

    def is_cut(self, state: State) -> bool:
        """Whether a play ends in this state though the rules go on."""
        if self._latest[0] is not state:
            self._latest = state, self._is_cut(state)
        return self._latest[1]

    def _is_cut(self, state: State) -> bool:
        machine = self.machine
        actor = machine.actor(state)
        if actor == END or machine.is_within_round(state) or (self.at_decisions and actor < 0):
            return False
        if self.counting is None:
            return len(machine.play(state)) >= self.depth
        own, known = machine.player_names[self.counting], machine.information_state(state, self.counting)
        return sum(isinstance(each, PerceivedMove) and each.player == own for each in known) >= self.depth

    def actor(self, state: State) -> int:
        if self.is_cut(state):
            self.has_cut = True
            return END
        return self.machine.actor(state)

    def moves(self, state: State) -> tuple[Move, ...]:
        return () if self.is_cut(state) else self.machine.moves(state)

    def outcomes(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        return () if self.is_cut(state) else self.machine.outcomes(state)

    def after_pass(self, state: State) -> State | None:
        return None

    def payoff(self, state: State) -> Payoff:
        if not self.is_cut(state):
            return self.machine.payoff(state)
        earned, factor = earned_and_factor_before(self.machine, state)
        first = earned[0] + factor * self.rest
        return (first,) if self.total is None else (first, self.total - first)

    def position(self, state: State) -> Hashable:
        """The position includes the distance to the horizon."""
        return self.machine.position(state), len(self.machine.play(state))


# What the rest of a play can bring the first player, at least and at most, wherever it begins.
#
# Without `earn`, a play pays what one `end` (or `endless`) says, times a discount, so the bounds of these amounts
# serve; with a discount they include 0, to which late payments shrink.
#
# With earnings there must be a discount d < 1. A play from a decision on is a row of *steps*, from one decision of a
# player (a round of simultaneous choices is one) to the next, or to the end; what chance brings behind the decision
# counts less by the discount. If no step brings more than m, what it pays at the end included, the whole row brings at
# most
#
#     m + d m + d^2 m + ... = m / (1 - d),   or m if m is negative, since a row has one step at least;
#
# likewise from below. The most that a step can bring is looked up in the graph of positions: chance is taken to draw
# what is best, and all players to choose so. Where outcomes of chance can go round without a decision, a step has no
# bound.
#
# A single player need not do the worst. If a move is legal at all their decisions, they may make it for ever, without
# knowing anything; what that brings at least is secured. Of these moves the best one counts.


@frozen
class RestOfPlay:
    """What the rest of a play is worth to the first player if it begins now, at least and at most, whatever anybody
    does; ``secured`` is what a single player can secure by their own moves from there on. ``at_decisions``: this holds
    only where a player is to decide."""

    least: Fraction
    most: Fraction
    secured: Fraction
    at_decisions: bool


def rest_of_play(problem: Problem[State]) -> RestOfPlay:
    """The bounds for a game with a discount, or with bounds on what plays pay. Raises ``ZermeloError``:
    ``needs-bounds`` if chance can draw again and again without a decision; what exploring raises."""
    known = problem.facts.bounds[0] if problem.facts.bounds else None
    if known is not None and problem.has_certain_bounds:
        least, most = map(Fraction, known)
        return RestOfPlay(least, most, least, at_decisions=False)
    machine, limits = problem.machine, problem.limits
    assert machine.discount < 1, "else the payoffs have bounds"
    graph = explore(machine, problem.facts, problem.root, limits, problem.progress, with_moves=True)
    least, most = _bound_of_row(graph, min), _bound_of_row(graph, max)
    secured = max([least, *(_bound_of_row(graph, min, move) for move in _always_legal_moves(graph))])
    return RestOfPlay(least, most, secured, at_decisions=True)


def _bound_of_row(graph: PositionGraph, choose: Callable[..., Fraction], move: int | None = None) -> Fraction:
    """What a row of steps brings the first player, if everybody and chance ``choose`` the least or the most, or all
    players always make one ``move``."""
    step = choose(_step_amounts(graph, choose, move))
    return choose(step, step / (1 - graph.discount))


def _always_legal_moves(graph: PositionGraph) -> list[int]:
    """The moves, by number, that are legal at all decisions of a game of one player; none in others."""
    moves = graph.moves
    if moves is None or len(graph.players) > 1:
        return []
    offered = (
        {moves[edge] for edge in graph.edges(position)} for position in range(len(graph)) if graph.actor(position) >= 0
    )
    first = next(offered, set[int]())
    return sorted(first.intersection(*offered))


def _step_amounts(graph: PositionGraph, choose: Callable[..., Fraction], move: int | None) -> list[Fraction]:
    """What the step from each decision brings the first player, if everybody and chance ``choose`` the least or the
    most, or all players always make one ``move``."""
    brings: dict[int, Fraction] = {}
    decisions = [p for p in range(len(graph)) if graph.actor(p) >= 0 and not graph.is_within_round(p)]

    def edges(position: int) -> list[int]:
        made = graph.moves if move is not None and graph.actor(position) >= 0 else None
        return [edge for edge in graph.edges(position) if made is None or made[edge] == move]

    for decision in decisions:
        path, on_path = [decision], {decision}
        while path:
            position = path[-1]
            inner = [graph.targets[edge] for edge in edges(position) if not _ends_step(graph, edge)]
            missing = next((target for target in inner if target not in brings), None)
            if missing is None:
                brings[position] = (
                    graph.payoff(position)[0]
                    if graph.actor(position) == END
                    else choose(
                        graph.reward(edge)[0]
                        + (0 if _ends_step(graph, edge) else graph.factor(position, edge) * brings[graph.targets[edge]])
                        for edge in edges(position)
                    )
                )
                on_path.discard(path.pop())
                continue
            if missing in on_path:
                raise ZermeloError(
                    "needs-bounds",
                    "outcomes of chance can go round without a decision, so that nothing bounds what they bring",
                    "a decision between them makes later payments smaller",
                )
            path.append(missing)
            on_path.add(missing)
    return [brings[decision] for decision in decisions] or [Fraction(0)]


def _ends_step(graph: PositionGraph, edge: int) -> bool:
    """Whether a step is over behind an edge: a player is to decide anew."""
    target = graph.targets[edge]
    return graph.actor(target) >= 0 and not graph.is_within_round(target)


NEAR: Final = Fraction(1, 1_000)
"""Deepening ends when the bounds are so close, as a fraction of the range of what the rest may be worth."""

HISTORIES: Final = 5_000
"""The most histories of a tree, unless a depth is asked for."""


@frozen
class _Cut:
    """What a horizon has shown: bounds of the value, the size of the search, and whether any play was cut off."""

    low: Fraction
    high: Fraction
    depth: int
    nodes: int
    has_cut: bool
    strategies: tuple[Strategy, ...] = ()
    plan: ConditionalPlan | None = None


def horizon(problem: Problem[State]) -> Answer:
    """Solve by a horizon. Needs one player, or two of constant sum.

    Raises ``ZermeloError``: ``needs-bounds``, ``needs-one-player``, ``out-of-memory``, ``out-of-time``, and errors of
    the rules."""
    rest = rest_of_play(problem)
    if problem.limits.depth < inf:
        return _answer(problem, _solve_cut_games(problem, rest, int(problem.limits.depth)), rest)
    found, depth, before = None, 1, 1
    while found is None or (found.has_cut and found.high - found.low > NEAR * (rest.most - rest.least)):
        try:
            latest = _solve_cut_games(problem, rest, depth)
        except ZermeloError as error:
            if found is None or error.code not in ("out-of-time", "out-of-memory"):
                raise
            break
        found, growth, before = latest, max(2, latest.nodes // max(1, before)), latest.nodes
        if latest.nodes * growth > HISTORIES:
            break
        depth += max(1, depth // 4)
    return _answer(problem, found, rest)


def _solve_cut_games(problem: Problem[State], rest: RestOfPlay, depth: int) -> _Cut:
    """The bounds by the horizon at a depth."""
    if len(problem.machine.player_names) == 1:
        lower, upper = (
            CutMachine(problem.machine, depth, bound, None, rest.at_decisions, 0 if rest.at_decisions else None)
            for bound in (rest.secured, rest.most)
        )
        low, high = (belief_search(evolve(problem, machine=cast(Any, machine))) for machine in (lower, upper))
        return _Cut(low.value[0], high.value[0], depth, low.counts["nodes"], lower.has_cut, plan=low.plan)
    total = sum(problem.share(Fraction(0)), Fraction(0))
    lower, upper = (
        CutMachine(problem.machine, depth, bound, total, rest.at_decisions) for bound in (rest.least, rest.most)
    )
    sure, mine = _solve_cut_game(problem, lower, 0)
    conceded, theirs = _solve_cut_game(problem, upper, 1)
    found = tuple(evolve(strategy, is_partial=lower.has_cut) for strategy, _ in (mine, theirs))
    return _Cut(sure.sure, conceded.most, depth, mine[1], lower.has_cut, found)


def _solve_cut_game(
    problem: Problem[State], machine: CutMachine[State], player: int
) -> tuple[Equilibrium, tuple[Strategy, int]]:
    """An equilibrium of a cut game, with a player's strategy and the number of histories."""
    limits = problem.limits
    whole = cast(Machine[State], machine)
    tree = building.build_exactly(whole, problem.root, True, problem.facts.discounted, limits, problem.progress)
    form = form_of(tree, limits)
    found = equilibrium(form, limits)
    if found is None:
        raise ZermeloError("no-solver", "the linear program of this game is beyond what double precision can solve")
    return found, (strategies(tree, form, found.plans)[player], tree.histories)


def _answer(problem: Problem[State], found: _Cut, rest: RestOfPlay) -> Answer:
    is_exact = found.low == found.high
    middle = (found.low + found.high) / 2
    names = problem.machine.player_names
    notes = []
    if found.has_cut:
        counted = f"decisions of {names[0]}" if len(names) == 1 and rest.at_decisions else "moves and outcomes"
        least = f"can get at least {rest.secured}" if len(names) == 1 else f"gets at least {rest.least}"
        notes.append(
            f"Plays were followed for {found.depth:,} {counted}; behind, {names[0]} {least} and at most "
            f"{rest.most}, times the discount so far."
        )
        if not is_exact:
            notes.append("The bounds are proved; --depth N looks further.")
    return Answer(
        value=(middle,) if len(names) == 1 else problem.share(middle),
        counts={"nodes": found.nodes, "depth": found.depth},
        certainty=Certainty.EXACT if is_exact else Certainty.BOUNDED,
        interval=None if is_exact else (found.low, found.high),
        alternatives=() if is_exact else None,
        notes=tuple(notes),
        strategies=found.strategies,
        plan=found.plan,
    )
