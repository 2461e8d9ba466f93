"""Who wins hurries, and who loses delays: the quickest of the moves that a search has found to be best by their value.

A search for the value alone stops at the first move that brings it about, however long the win takes, or however soon
the loss comes. Here the positions are found breadth first and solved from the ends back, which tells how many moves it
takes (:mod:`.retrograde`). There may be too many positions. Then those whose moves have not been made count as the
worst that can happen to the player who gets more than half.

*Sound.* Let all positions fewer than D moves from the root have been looked into. If the root is worth what the search
has found although the rest is as bad as that, the side that wins forces it among the positions that are known, in at
most d moves, say; and if d is no more than D, no quicker win is missing, nor a longer defence, since these consist of
positions fewer than d moves away, and ends. The same holds k moves on, for d - k. If d is more than D, or nothing has
been found, it stays open.

Cost: about as many positions as the search has visited nodes; a few thousands always, and never more than a million.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from attrs import evolve

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import END
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.positions import retrograde
from zermelo.solvers.positions.graph.exploring import explore
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, NeedsEndless, PositionGraph, contest_of, find_components
from zermelo.solvers.positions.retrograde import EarnsInCircle
from zermelo.solvers.positions.solved_positions import (
    Guide,
    SolvedPositions,
    best_play,
    earned_and_factor_before,
)
from zermelo.solvers.solution import Answer, Problem

NOT_QUICKEST: Final = "It has not been found whether the winner could win sooner, or the loser lose later."

_LEAST: Final = 20_000
_LEAST_EXACTLY: Final = 1_000
_MOST: Final = 1_000_000
"""How many positions are looked into: at least, with lowered rules and without; and at most."""


def find_quickest_win(problem: Problem[Any], answer: Answer) -> Answer:
    """An exact answer without distances, improved: with the best moves and the line by which the winner wins soonest
    and the loser loses latest, or with a note if these have not been found. Unchanged if nobody gets more than half and
    the play has not ended.

    For two players with a constant sum, without chance and a discount, who know the position."""
    if problem.machine.actor(problem.root) == END:
        return evolve(answer, distance=0)
    earned, _ = earned_and_factor_before(problem.machine, problem.root)
    number, is_lowered = answer.value[0] - earned[0], isinstance(problem.machine, LoweredMachine)
    half = (sum(answer.value, Fraction(0)) - sum(earned, Fraction(0))) / 2
    if not answer.best or (number == half and not problem.facts.has_endless):
        return answer
    if problem.facts.has_history:  # positions are then as many as the ways to them
        return _with_not_quickest_note(answer)
    most = min(_MOST, max(_LEAST if is_lowered else _LEAST_EXACTLY, answer.counts["nodes"]))
    try:
        graph = explore(problem.machine, problem.facts, problem.root, problem.limits, problem.progress, most)
        fair = half if graph.endless is None else graph.endless[0]
        if number == fair:
            return answer
        known = _worst_case_graph(graph, 1 if number > fair else -1, half)
        components, contest = find_components(known, problem.limits, problem.progress), contest_of(known)
        assert contest is not None, "the sum is constant"
        solved = retrograde.solve(contest, components, problem.limits, problem.progress)
    except (EarnsInCircle, NeedsEndless, ZermeloError):  # the value is known, whatever is in the way of more
        return _with_not_quickest_note(answer)
    payoff, distance = solved.payoff(ROOT), solved.distance(ROOT)
    if payoff is None or payoff[0] != number or distance is None or distance > _searched_depth(graph, distance):
        return _with_not_quickest_note(answer)
    return _with_quickest_line(answer, Guide(problem.machine, problem.root, graph), solved)


def _with_quickest_line(answer: Answer, guide: Guide[Any], solved: SolvedPositions) -> Answer:
    moves = guide.moves(guide.root)
    return evolve(
        answer,
        best=tuple(moves[edge] for edge in solved.best(ROOT)),
        line=best_play(guide, solved),
        distance=solved.distance(ROOT),
        notes=(),
    )


def _with_not_quickest_note(answer: Answer) -> Answer:
    return evolve(answer, notes=(*answer.notes, NOT_QUICKEST))


def _is_unsearched(graph: PositionGraph, position: int) -> bool:
    return graph.kinds[position] >= 0 and graph.firsts[position] == graph.firsts[position + 1]


def _worst_case_graph(graph: PositionGraph, winner: int, half: Fraction) -> PositionGraph:
    """The graph, in which positions that have not been looked into pay the winner less than all others."""
    if not graph.unsearched:
        return graph
    beyond = half - winner * (1 + sum(abs(amount[0]) for amount in graph.amounts) + abs(half))
    end = PAYS - len(graph.amounts)
    kinds = [end if _is_unsearched(graph, p) else graph.kinds[p] for p in range(len(graph))]
    return evolve(graph, kinds=kinds, amounts=(*graph.amounts, (beyond, 2 * half - beyond)), unsearched=0)


def _searched_depth(graph: PositionGraph, most: int) -> int:
    """The number of moves from the root to the nearest position that has not been looked into; ``most`` if none is
    nearer than that."""
    layer, met = [ROOT], {ROOT}
    for depth in range(most if graph.unsearched else 0):
        further = []
        for position in layer:
            if _is_unsearched(graph, position):
                return depth
            for edge in graph.edges(position):
                target = graph.targets[edge]
                if target not in met:
                    met.add(target)
                    further.append(target)
        layer = further
    return most
