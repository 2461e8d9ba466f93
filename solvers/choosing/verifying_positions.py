"""Verifying what solving every position has found (:mod:`zermelo.solvers.choosing.verifying`)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from attrs import frozen

from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress
from zermelo.solvers.forms.advice import Advice
from zermelo.solvers.positions import exploring_exactly
from zermelo.solvers.positions.checking import flaw, same
from zermelo.solvers.positions.components import find_components, goes_round
from zermelo.solvers.positions.contest import contest_of
from zermelo.solvers.positions.interval_iteration import NoBounds, bounds
from zermelo.solvers.positions.policies import Policy
from zermelo.solvers.positions.solved import SolvedPositions


@frozen
class Result:
    """What a second look has found: ``wrong`` says in words what is, ``open`` what has not been shown; if both are
    empty, ``said`` is how the values have been confirmed."""

    wrong: str = ""
    open: str = ""
    said: str = ""


def by_equations(
    policy: Iterable[Advice[Any]], reference: Machine[State], root: State, limits: Limits, progress: Progress
) -> Result:
    """Look at solved positions again, on the reference machine."""
    assert isinstance(policy, Policy), "it comes from the solver of positions"
    solved: SolvedPositions = policy.solved
    graph = exploring_exactly.explore(reference, root, limits, progress)
    if not same(graph, solved.graph):
        return Result(wrong="the reference machine finds other positions")
    position = flaw(solved)
    if position is not None:
        return Result(wrong=f"position {position:,} does not satisfy its equation")
    said = f"by the reference machine: the values of all {len(graph):,} positions satisfy their equations"
    components = find_components(graph, limits, progress)
    if graph.discount < 1 or not any(goes_round(graph, component) for component in components):
        return Result(said=said)
    contest = contest_of(graph)
    try:
        if contest is None:
            raise NoBounds("more than one number counts")
        found = bounds(contest, components, limits, progress)
    except NoBounds as reason:
        return Result(open=f"{said}, but in circles these may have other solutions, and there are no bounds: {reason}")
    for number in range(len(graph)):
        payoff = solved.payoff(number)
        if payoff is not None and not found.lower[number] <= payoff[0] <= found.upper[number]:
            return Result(wrong=f"position {number:,} is worth something between {_said(found.interval(number))}")
    return Result(said=f"{said}, and lie within bounds that interval iteration finds")


def _said(interval: tuple[Fraction, Fraction]) -> str:
    return f"{float(interval[0])} and {float(interval[1])}"
