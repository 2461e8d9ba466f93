"""Certified bounds of a game with secrets whose plays may go on for ever: by a horizon.

All plays are cut off so far from the root, where the rest is worth something between two bounds (:mod:`.rest_of_play`),
times the discount so far. Two finite games are solved exactly: one in which every cut is worth the least to the first
player, and one in which it is worth the most.

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

from fractions import Fraction
from math import inf
from typing import Final

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import State
from zermelo.solvers.beliefs.belief_search import belief_search
from zermelo.solvers.forms.conditional_plan import ConditionalPlan
from zermelo.solvers.forms.sequence_form import sequence_form as form_of
from zermelo.solvers.forms.strategy import Strategy, strategies
from zermelo.solvers.horizon.cut_machine import CutMachine
from zermelo.solvers.horizon.rest_of_play import RestOfPlay, rest_of_play
from zermelo.solvers.imperfect_information.sequence_form_lp import Equilibrium, equilibrium
from zermelo.solvers.solution import Answer, Certainty, Problem
from zermelo.solvers.tree_building import exactly

NEAR: Final = Fraction(1, 1_000)
"""Bounds that are so close to each other, as a part of what the rest of a play may be worth, end the deepening."""

HISTORIES: Final = 5_000
"""The most histories of a tree, unless a depth is asked for."""


@frozen
class _Cut:
    """What a horizon has shown: bounds of the value, how much has been looked at, and whether any play was cut off."""

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
        return _answer(problem, _cut(problem, rest, int(problem.limits.depth)), rest)
    found, depth, before = None, 1, 1
    while found is None or (found.has_cut and found.high - found.low > NEAR * (rest.most - rest.least)):
        try:
            latest = _cut(problem, rest, depth)
        except ZermeloError as error:
            if found is None or error.code not in ("out-of-time", "out-of-memory"):
                raise
            break
        found, growth, before = latest, max(2, latest.nodes // max(1, before)), latest.nodes
        if latest.nodes * growth > HISTORIES:
            break
        depth += max(1, depth // 4)
    return _answer(problem, found, rest)


def _cut(problem: Problem[State], rest: RestOfPlay, depth: int) -> _Cut:
    """The bounds by the horizon at a depth."""
    if len(problem.machine.player_names) == 1:
        lower, upper = (
            CutMachine(problem.machine, depth, bound, None, rest.at_decisions, 0 if rest.at_decisions else None)
            for bound in (rest.secured, rest.most)
        )
        low, high = (belief_search(evolve(problem, machine=machine)) for machine in (lower, upper))
        return _Cut(low.value[0], high.value[0], depth, low.counts["nodes"], lower.has_cut, plan=low.plan)
    total = sum(problem.share(Fraction(0)), Fraction(0))
    lower, upper = (
        CutMachine(problem.machine, depth, bound, total, rest.at_decisions) for bound in (rest.least, rest.most)
    )
    sure, mine = _solved(problem, lower, total, 0)
    conceded, theirs = _solved(problem, upper, total, 1)
    found = tuple(evolve(strategy, is_partial=lower.has_cut) for strategy, _ in (mine, theirs))
    return _Cut(sure.sure, conceded.most, depth, mine[1], lower.has_cut, found)


def _solved(
    problem: Problem[State], machine: CutMachine[State], total: Fraction, player: int
) -> tuple[Equilibrium, tuple[Strategy, int]]:
    """An equilibrium of a cut game, with a player's strategy and the number of histories."""
    limits = problem.limits
    tree = exactly.build(machine, problem.root, True, problem.facts.discounted, limits, problem.progress)
    form = form_of(tree, limits)
    found = equilibrium(form, total, limits)
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
        best=(),
        line=(),
        counts={"nodes": found.nodes, "depth": found.depth},
        certainty=Certainty.EXACT if is_exact else Certainty.BOUNDED,
        interval=None if is_exact else (found.low, found.high),
        alternatives=() if is_exact else None,
        notes=tuple(notes),
        strategies=found.strategies,
        plan=found.plan,
    )
