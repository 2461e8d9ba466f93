"""Solving a game: choosing a solver, checking its needs, running it on a machine."""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Final

from attrs import evolve, fields

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, PlayError, State
from zermelo.interpreter.native.running.machine import LoweredMachine
from zermelo.solvers.choosing.choice import NoSolver, Requirements, choose, is_met, reason
from zermelo.solvers.choosing.preconditions import check_preconditions, check_request, instead
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.choosing.settling import Settled, settle
from zermelo.solvers.common.goal import Goal
from zermelo.solvers.common.going_round import GoesRound
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.common.progress import Progress, Remark, ignore_progress, ignore_remark
from zermelo.solvers.common.sampling import Sampling
from zermelo.solvers.solution import Answer, Problem, Solution

if TYPE_CHECKING:
    from zermelo.solvers.common.trace import Trace


_FIRST: Final = 0.5
"""The share of the time that goes to a search of the whole game before one that deepens. Either may be the quicker way
to the value: on connect four with five rows and columns a search of the whole game takes 2.1 million nodes, one that
deepens 12.5 million; on kalah with four pits and three seeds it is 0.9 and 0.1 million. Half of the time costs a search
that deepens less than one ply where each takes more than twice as long as the one before."""


def what_is_asked(
    facts: Facts,
    limits: Limits,
    rollouts: bool = False,
    is_traced: bool = False,
    goal: Goal | None = None,
    is_advised: bool = False,
) -> Requirements:
    """The requirements on a default solver: it must deepen, for instance, if limits may end it early and there is an
    estimate to use then; but advice for every position needs the ends of all plays."""
    stops_early = limits.seconds < inf and (facts.has_estimate or rollouts) and not is_advised
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
) -> Solution:
    """Solve a game from ``root`` on, by the solver of this name or else by the default one.

    If ``limits`` of depth or nodes end a search early, the default is one with a result in that case. If only time
    does, and there is an estimate, a first share of it goes to the default without limits, which is the quickest way
    to the value of the game, and the rest to the one that deepens, which goes on with the same table if it can. Facts
    that the solver needs and that are open are settled first, unless ``settled`` is the result of that. If the default
    finds that plays can go round, another one takes its place.

    Raises ``ZermeloError``: ``unknown-solver``, ``no-solver``, the code of a
    :class:`~zermelo.solvers.choosing.needs.Need` that the game does not meet, the errors of
    :func:`~zermelo.solvers.choosing.preconditions.check_request`, ``bad-checkpoint``, ``needs-estimate``,
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
        sampling or Sampling(), digits=digits,
    )  # fmt: skip

    def run(asked: Requirements, limits: Limits) -> Solution:
        with limits.kept():
            return _solved(evolve(problem, limits=limits), name, asked, goal, sampling, settled)

    if name is not None or not asked.deepens or limits.has_horizon:
        return run(asked, limits)
    in_full = evolve(asked, deepens=False)
    with limits.kept():
        settled = settled or settle(machine, facts, None, start, limits, problem.progress, asked)
    if not is_met(settled.facts, asked):
        return run(in_full, limits)
    try:
        return run(in_full, evolve(limits, seconds=limits.seconds - limits.left * (1 - _FIRST)))
    except PlayError:
        raise
    except ZermeloError as refusal:  # whatever is in the way of a full search, one that deepens may do
        try:
            return run(asked, limits)
        except (NoSolver, GoesRound):
            if not isinstance(refusal, LimitReached):
                raise refusal from None
    return run(in_full, limits)


def _solved(
    problem: Problem[State],
    name: str | None,
    asked: Requirements,
    goal: Goal | None,
    sampling: Sampling | None,
    settled: Settled | None,
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
            answer = solver.algorithm(problem)
        except GoesRound as found:
            problem = evolve(problem, facts=known.facts.with_count(0, False, found.loop))
            if name is not None:
                raise ZermeloError(found.code, found.message, instead(problem.facts, asked)) from None
            solver = choose(problem.facts, asked)
            answer = solver.algorithm(problem)
    except LimitReached as reached:
        if lowered is not None and lowered.beyond:
            reached.help = f"{reached.help}; kernels ran in Python, with exact numbers: {lowered.beyond}"
        raise
    seconds = perf_counter() - begin
    if answer.alternatives is None and has_one_value(facts):
        answer = evolve(answer, alternatives=())
    return Solution(
        **{field.name: getattr(answer, field.name) for field in fields(Answer)},
        solver=solver.name,
        why="it was asked for" if name is not None else reason(solver, problem.facts),
        seconds=seconds,
        beyond="" if lowered is None else lowered.beyond,
    )


def has_one_value(facts: Facts) -> bool:
    """Whether all equilibria have the same payoffs: a single player gets the maximum, and two players with a constant
    sum get the value (von Neumann 1928)."""
    return len(facts.players) == 1 or (len(facts.players) == 2 and facts.constant_sum.holds is True)
