"""Verifying what solving every position has found (:mod:`zermelo.solvers.choosing.verifying`)."""

from __future__ import annotations

from attrs import frozen

from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.positions.checking import flaw, same
from zermelo.solvers.positions.circles.interval_iteration import NoBounds, bounds
from zermelo.solvers.positions.graph import exploring_exactly
from zermelo.solvers.positions.graph.components import find_components, goes_round
from zermelo.solvers.positions.graph.contest import contest_of
from zermelo.solvers.positions.graph.graph import ROOT
from zermelo.solvers.positions.playing import before_the_root
from zermelo.solvers.positions.policies import Policy
from zermelo.solvers.positions.solved import SolvedPositions
from zermelo.solvers.solution import Answer


@frozen
class SecondLook:
    """What a second look has found: ``wrong`` says in words what is, ``open`` what has not been shown; if both are
    empty, ``said`` is how the values have been confirmed."""

    wrong: str = ""
    open: str = ""
    said: str = ""


def by_equations(
    solution: Answer, reference: Machine[State], root: State, limits: Limits, progress: Progress
) -> SecondLook | None:
    """Look at solved positions again, on the reference machine; None if not all of them have been kept."""
    if not isinstance(solution.policy, Policy):
        return None
    solved: SolvedPositions = solution.policy.solved
    earned, factor = before_the_root(reference, root)
    value = tuple(e + factor * p for e, p in zip(earned, solved.payoff(ROOT) or (), strict=True))
    if solution.value != value:
        return SecondLook(wrong=f"its positions are worth ({', '.join(map(str, value))})")
    graph = exploring_exactly.explore(reference, root, limits, progress)
    if not same(graph, solved.graph):
        return SecondLook(wrong="the reference machine finds other positions")
    position = flaw(solved)
    if position is not None:
        return SecondLook(wrong=f"position {position:,} does not satisfy its equation")
    said = f"by the reference machine: the values of all {len(graph):,} positions satisfy their equations"
    components = find_components(graph, limits, progress)
    if graph.discount < 1 or not any(goes_round(graph, component) for component in components):
        return SecondLook(said=said)
    contest = contest_of(graph)
    try:
        if contest is None:
            raise NoBounds("more than one number counts")
        found = bounds(contest, components, limits, progress)
    except NoBounds as reason:
        return SecondLook(open=f"{said}, which may have other solutions in circles, and there are no bounds: {reason}")
    for number in range(len(graph)):
        payoff = solved.payoff(number)
        if payoff is not None and not found.lower[number] <= payoff[0] <= found.upper[number]:
            between = f"{found.lower[number]} and {found.upper[number]}"
            return SecondLook(wrong=f"position {number:,} is worth something between {between}")
    return SecondLook(said=f"{said}, and lie within bounds that interval iteration finds")
