"""Solving a game: choosing a solver, checking its needs, running it on a machine."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final

from attrs import evolve, fields

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, PlayError, State
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.choosing.choice import (
    NoSolver,
    Requirements,
    Settled,
    check_preconditions,
    check_request,
    choose,
    instead,
    is_met,
    reason,
    settle,
)
from zermelo.solvers.choosing.registry import Need, Solver, find_solver
from zermelo.solvers.common.limits import (
    Goal,
    LimitReached,
    Limits,
    Progress,
    Remark,
    Sampling,
    ahead,
    ignore_progress,
    ignore_remark,
)
from zermelo.solvers.common.numbers import GoesRound
from zermelo.solvers.solution import Answer, Handover, Problem, Solution

if TYPE_CHECKING:
    from zermelo.solvers.common.trace import Trace


_IN_FULL: Final = 0.85
"""The share of the time that goes to a search of the whole game before one that deepens. What the whole search finds by
then, it finds as if there were no limit. So nothing is left to go on with when it is stopped, and the search that
deepens has the memory for itself. That searches hardly a ply less deep than with half of the time, where each ply takes
more than three times as long as the one before."""

_ANY_DEPTH: Final = 1 << 30
"""A horizon beyond all that a search may reach: it deepens as long as it has time."""


def what_is_asked(
    facts: Facts,
    limits: Limits,
    rollouts: bool = False,
    is_traced: bool = False,
    goal: Goal | None = None,
    is_advised: bool = False,
) -> Requirements:
    """The requirements on a default solver: it must deepen, for instance, if limits may end it early and there is an
    estimate to use then; but advice for every position needs the ends of all plays, and a trace has one search. Where
    something is hidden and plays may go on for ever, a depth is a horizon."""
    is_public = facts.perfect_information.holds or facts.public_between_rounds.holds
    if limits.depth < inf and not is_public and (facts.discounted or facts.has_endless):
        return Requirements(False, is_traced, goal is not None, is_advised, bounds=True)
    stops_early = limits.seconds < inf and (facts.has_estimate or rollouts) and not (is_advised or is_traced)
    return Requirements(limits.has_horizon or stops_early, is_traced, goal is not None, is_advised)


def solve(
    machine: Machine[State],
    facts: Facts,
    name: str | None = None,
    progress: Progress | None = None,
    root: State | None = None,
    limits: Limits | None = None,
    rollouts: bool = False,
    seed: int = 0,
    trace: Trace[State] | None = None,
    goal: Goal | None = None,
    remark: Remark = ignore_remark,
    sampling: Sampling | None = None,
    settled: Settled | None = None,
    is_advised: bool = False,
    digits: int | None = None,
    is_listed: bool = False,
    hurries: bool = False,
) -> Solution:
    """Solve a game from ``root`` on, by the solver of this name or else by the default one.

    If ``limits`` of depth or nodes end a search early, the default is one with a result in that case. If only time
    does, and there is an estimate, the default without limits has most of it, and finds what it would find without
    limits, unless it needs more. One that deepens looks a single ply ahead before, which leaves an answer whatever the
    clock says later, and has the rest of the time, in which it goes on with the same table if it can. So it is with the
    solver of a ``name`` that can deepen, and does not if nothing limits it, unless it is traced. Facts that the
    solver needs and that are open are settled first, unless ``settled`` is the result of that. If the default finds
    that plays can go round, another one takes its place. If it ``hurries``, the default tells of best moves those that
    win soonest or lose latest, where it can (:mod:`~zermelo.solvers.positions.hurrying`).

    Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, the code of a
    :class:`~zermelo.solvers.choosing.registry.Need` that the game does not meet, the errors of
    :func:`~zermelo.solvers.choosing.choice.check_request`, ``bad-checkpoint``, ``needs-estimate``,
    ``out-of-time``, ``out-of-nodes``, ``out-of-memory``, or an error of the rules. ``KeyboardInterrupt`` passes
    through, but ends an iteration with a result.
    """
    limits = limits or Limits()
    asked = what_is_asked(facts, limits, rollouts, trace is not None, goal, is_advised)
    if name is not None:
        check_request(find_solver(name), facts, limits, trace is not None, goal, sampling, is_advised)
    start = machine.initial() if root is None else root
    problem = Problem(
        machine, facts, start, progress or ignore_progress, limits, rollouts, seed, trace, goal or Goal(), remark,
        sampling or Sampling(), digits=digits, is_listed=is_listed,
    )  # fmt: skip

    def run(asked: Requirements, limits: Limits, given: Problem[State] = problem) -> Solution:
        with limits.kept():
            return _solved(evolve(given, limits=limits), name, asked, goal, sampling, settled, hurries)

    if not asked.deepens or limits.has_horizon or not (name is None or _has_a_choice(name)):
        return run(asked, limits)
    in_full = evolve(asked, deepens=False)
    with limits.kept():
        settled = settled or settle(machine, facts, name, start, limits, problem.progress, asked)
    glance = None
    if name is not None or is_met(settled.facts, asked):
        with suppress(ZermeloError):  # what cannot even be seen one ply deep is for a search of the whole game
            glance = run(asked, evolve(limits, depth=1), _unseen(problem))
    if glance is None:
        return run(in_full, limits)
    try:
        return run(in_full, evolve(limits, seconds=limits.seconds - limits.left * (1 - _IN_FULL)))
    except PlayError:
        raise
    except ZermeloError:  # whatever is in the way of a full search, one that deepens may do
        with suppress(NoSolver, GoesRound, LimitReached):
            return run(asked, evolve(limits, depth=_ANY_DEPTH))
    return glance


def _has_a_choice(name: str) -> bool:
    """Whether a solver can deepen, but searches to the end of all plays if nothing limits it."""
    solver = find_solver(name)
    return solver.deepens and Need.END in solver.needs


def _unseen(problem: Problem[State]) -> Problem[State]:
    """The same problem, for a search that nobody is told of and that leaves nothing to the next one."""
    return evolve(problem, progress=ignore_progress, remark=ignore_remark, trace=None, handover=Handover())


def _solved(
    problem: Problem[State],
    name: str | None,
    asked: Requirements,
    goal: Goal | None,
    sampling: Sampling | None,
    settled: Settled | None,
    hurries: bool,
) -> Solution:
    """What the solver of this name finds, or the default one for what is ``asked``."""
    begin, limits, is_traced = perf_counter(), problem.limits, problem.trace is not None
    facts = problem.facts
    known = settled or settle(problem.machine, facts, name, problem.root, limits, problem.progress, asked)
    solver = find_solver(name) if name is not None else choose(known.facts, asked)
    check_preconditions(solver, known.facts, asked)
    check_request(solver, known.facts, limits, is_traced, goal, sampling, asked.advises)
    problem = evolve(problem, facts=known.facts, tree=known.tree)
    lowered = problem.machine if isinstance(problem.machine, LoweredMachine) else None
    if lowered is not None:
        lowered.beyond = ""
    try:
        try:
            with problem.limits.kept():
                answer = solver.algorithm(problem)
        except GoesRound as found:
            problem = evolve(problem, facts=known.facts.with_count(0, False, found.loop))
            if name is not None:
                raise ZermeloError(found.code, found.message, instead(problem.facts, asked)) from None
            solver = choose(problem.facts, asked)
            with problem.limits.kept():
                answer = solver.algorithm(problem)
    except LimitReached as reached:
        if reached.code == "out-of-time":
            reached.help = _more_time(solver, problem)
        if lowered is not None and lowered.beyond:
            reached.help = f"{reached.help}; kernels ran in Python, with exact numbers: {lowered.beyond}"
        raise
    if hurries and name is None and answer.exact and not is_traced and _is_contest(solver, problem.facts):
        from zermelo.solvers.positions.hurrying import hurried  # few solutions need it, and it imports much

        answer = hurried(problem, answer)
    seconds = perf_counter() - begin
    if answer.alternatives is None and has_one_value(facts):
        answer = evolve(answer, alternatives=())
    if problem.facts.common_payoff.holds and problem.facts.perfect_information.holds:
        answer = evolve(answer, is_optimum=True)  # whoever decides sees everything, and wants what all want
    return Solution(
        **{field.name: getattr(answer, field.name) for field in fields(Answer)},
        solver=solver.name,
        why="it was asked for" if name is not None else reason(solver, problem.facts),
        seconds=seconds,
        beyond="" if lowered is None else lowered.beyond,
    )


def _is_contest(solver: Solver, facts: Facts) -> bool:
    """Whether a solver searches for the value of two players against each other, who may hurry or delay: without
    chance, and without a discount, which says itself how much hurry there is."""
    return {Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.NO_CHANCE} <= {*solver.needs} and not facts.discounted


def _more_time(solver: Solver, problem: Problem[State]) -> str:
    """What goes on where the time was up before a solver had a result."""
    if is_met(problem.facts, Requirements(deepens=True)):
        less = ahead(problem.has_estimate)
    else:
        less = "a smaller game, or another solver, may need less"
    return f"a longer --time allows {solver.title} more; {less}"


def has_one_value(facts: Facts) -> bool:
    """Whether all equilibria have the same payoffs: a single player gets the maximum, and two players with a constant
    sum get the value (von Neumann 1928)."""
    return len(facts.players) == 1 or (len(facts.players) == 2 and facts.constant_sum.holds is True)
