"""What the rest of a play can bring the first player, at least and at most, wherever it begins.

Without `earn`, a play pays what one `end` (or `endless`) says, times a discount, so the bounds of these amounts serve;
with a discount they include 0, to which late payments shrink.

With earnings there must be a discount d < 1. A play from a decision on is a row of *steps*, from one decision of a
player (a round of simultaneous choices is one) to the next, or to the end; what chance brings behind the decision
counts less by the discount. If no step brings more than m, what it pays at the end included, the whole row brings at
most

    m + d m + d^2 m + ... = m / (1 - d),   or m if m is negative, since a row has one step at least;

likewise from below. The most that a step can bring is looked up in the graph of positions: chance is taken to draw what
is best, and all players to choose so. Where outcomes of chance can go round without a decision, a step has no bound.

A single player need not do the worst. If a move is legal at all their decisions, they may make it for ever, without
knowing anything; what that brings at least is secured. Of these moves the best one counts.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END, State
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.solution import Problem


@frozen
class RestOfPlay:
    """What the rest of a play is worth to the first player if it begins now, at least and at most, whatever anybody
    does; ``secured`` is the least that a single player can see to, by what they do from there on. ``at_decisions``:
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
    least, most = _row(graph, min), _row(graph, max)
    secured = max([least, *(_row(graph, min, move) for move in _always(graph))])
    return RestOfPlay(least, most, secured, at_decisions=True)


def _row(graph: PositionGraph, choose: Callable[..., Fraction], move: int | None = None) -> Fraction:
    """What a row of steps brings the first player, if everybody and chance choose so, or all players always make one
    ``move``."""
    step = choose(_steps(graph, choose, move))
    return choose(step, step / (1 - graph.discount))


def _always(graph: PositionGraph) -> list[int]:
    """The moves, by number, that are legal at all decisions of a game of one player; none in others."""
    moves = graph.moves
    if moves is None or len(graph.players) > 1:
        return []
    offered = (
        {moves[edge] for edge in graph.edges(position)} for position in range(len(graph)) if graph.actor(position) >= 0
    )
    first = next(offered, set[int]())
    return sorted(first.intersection(*offered))


def _steps(graph: PositionGraph, choose: Callable[..., Fraction], move: int | None) -> list[Fraction]:
    """What the step from each decision brings the first player, if everybody and chance choose so, or all players
    always make one ``move``."""
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
