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

Nobody need do the worst. If a player has a move that is legal at all their decisions, they may make it for ever,
without knowing anything; what that brings at least, the first player secures (the second one, what it concedes at
most). Of these moves the best one counts.
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
    """What the first player can get of the rest of a play if it begins now, at least and at most. If it ``is_secured``,
    they see to the least, and the second player to the most, by what they do from a decision on. All plays bring
    something between ``least`` and ``most``, whatever anybody does."""

    low: Fraction
    high: Fraction
    is_secured: bool
    least: Fraction
    most: Fraction


def rest_of_play(problem: Problem[State]) -> RestOfPlay:
    """The bounds for a game with a discount, or with bounds on what plays pay. Raises ``ZermeloError``:
    ``needs-bounds`` if chance can draw again and again without a decision; what exploring raises."""
    known = problem.facts.bounds[0] if problem.facts.bounds else None
    if known is not None and problem.has_certain_bounds:
        least, most = map(Fraction, known)
        return RestOfPlay(least, most, False, least, most)
    machine, limits = problem.machine, problem.limits
    assert machine.discount < 1, "else the payoffs have bounds"
    graph = explore(machine, problem.facts, problem.root, limits, problem.progress, with_moves=True)
    low, high = _secured(graph, 0, min), _secured(graph, 1, max)
    return RestOfPlay(max(low), min(high), True, low[0], high[0])


def _secured(graph: PositionGraph, player: int, worst: Callable[..., Fraction]) -> list[Fraction]:
    """What the rest brings the first player, at least or at most, if all goes as ``worst`` as it can for a player:
    first whatever they do, then if they always make one move, for each such move."""
    steps = [worst(_steps(graph, worst, player, move)) for move in [None, *_always(graph, player)]]
    return [worst(step, step / (1 - graph.discount)) for step in steps]


def _always(graph: PositionGraph, player: int) -> list[int]:
    """The moves, by number, that are legal at all decisions of a player."""
    moves = graph.moves
    if moves is None:
        return []
    offered = (
        {moves[edge] for edge in graph.edges(position)}
        for position in range(len(graph))
        if graph.actor(position) == player
    )
    first = next(offered, set[int]())
    return sorted(first.intersection(*offered))


def _steps(graph: PositionGraph, choose: Callable[..., Fraction], player: int, move: int | None) -> list[Fraction]:
    """What the step from each decision brings the first player, if everybody and chance choose so, but for a player who
    always makes one ``move``, unless that is None."""
    brings: dict[int, Fraction] = {}
    decisions = [p for p in range(len(graph)) if graph.actor(p) >= 0 and not graph.is_within_round(p)]

    def edges(position: int) -> list[int]:
        made = graph.moves if move is not None and graph.actor(position) == player else None
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
