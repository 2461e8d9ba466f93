"""All solvers that fit a game, one after the other, each in a process of its own.

Separate processes make memory comparable: it is the peak of the process less its memory when the solver began. Without
forking (Windows), solvers run in this process and their memory is not known.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, Payoff
from zermelo.solvers.choosing.choice import choose
from zermelo.solvers.choosing.fitting import unmet
from zermelo.solvers.choosing.registry import SOLVERS, Solver
from zermelo.solvers.choosing.settling import Settled
from zermelo.solvers.choosing.solving import has_one_value, solve
from zermelo.solvers.common.apart import start_deaf
from zermelo.solvers.common.limits import Limits


@frozen
class Outcome:
    """The result of a solver. ``value`` is None if there is none, and ``stopped`` says why; ``certainty`` is the kind
    of the value, and ``interval`` the proved bounds on the first player's value, if any. ``memory`` is in bytes, None
    if it is not known; ``seconds`` is the solver's time."""

    solver: str
    value: Payoff | None = None
    certainty: str = ""
    interval: tuple[Fraction, Fraction] | None = None
    best: tuple[str, ...] = ()
    nodes: int | None = None
    seconds: float | None = None
    memory: int | None = None
    stopped: str = ""


def compare(machine: Machine[Any], facts: Facts, root: Any, limits: Limits) -> Iterator[Outcome]:
    """The result from ``root`` on of every solver that fits the facts, in the order of the registry; each has the full
    limits.

    Raises ``ZermeloError`` (``no-solver``) if none fits, and ``PlayError`` for an error of the rules.
    """
    fitting = [solver for solver in SOLVERS.values() if not unmet(solver, facts)]
    if not fitting:
        choose(facts)  # raises, with the reason
    for solver in fitting:
        yield _run(machine, facts, root, solver, limits)


def disagreement(facts: Facts, outcomes: Sequence[Outcome]) -> str:
    """The contradiction between two exact values, or between a value and proved bounds, in words: a fault if the game
    has one value. Empty if all agree, and for games with several equilibria, of which solvers may find different ones.
    """
    if not has_one_value(facts):
        return ""
    exact = [outcome for outcome in outcomes if outcome.certainty == "exact"]
    for one, two in pairwise(exact):
        if one.value != two.value:
            return f"{one.solver} finds {_written(one)} and {two.solver} {_written(two)}, both called exact"
    for one, two in product(exact, outcomes):
        if one.value and two.interval and not two.interval[0] <= one.value[0] <= two.interval[1]:
            low, high = two.interval
            return f"{one.solver} finds {_written(one)}, and {two.solver} proves that it is between {low} and {high}"
    return ""


def _run(machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> Outcome:
    if "fork" not in get_all_start_methods() or sys.platform == "darwin":
        return _outcome(machine, facts, root, solver, limits)
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, machine, facts, root, solver, limits))
    try:
        start_deaf(process)
        there.close()
        answer: Outcome | tuple[str, str, str] = here.recv()
    except EOFError:
        answer = Outcome(solver.name, stopped="killed")
    except KeyboardInterrupt:
        if process.pid is not None:
            process.terminate()
        raise
    finally:
        if process.pid is not None:
            process.join()
    if isinstance(answer, tuple):
        code, message, help = answer
        raise ZermeloError(code, message, help)
    return answer


def _send(there: Connection, machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> None:
    """The work of the child process."""
    import resource

    unit = 1024  # Linux counts kilobytes
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        outcome = _outcome(machine, facts, root, solver, limits)
    except ZermeloError as error:
        there.send((error.code, error.message, error.help))
        return
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    there.send(evolve(outcome, memory=(after - before) * unit))


_SHOWN_CODES = {"out-of-time", "out-of-memory", "out-of-nodes", "needs-estimate", "no-solver", "too-many-strategies"}
"""Refusals and limits that belong in the table."""


def _outcome(machine: Machine[Any], facts: Facts, root: Any, solver: Solver, limits: Limits) -> Outcome:
    try:
        within = Limits(limits.seconds, limits.memory)
        solution = solve(machine, facts, solver.name, root=root, limits=within, settled=Settled(facts))
    except ZermeloError as error:
        if error.code not in _SHOWN_CODES:
            raise
        return Outcome(solver.name, stopped=error.code)
    return Outcome(
        solver.name,
        solution.value,
        solution.certainty.value,
        solution.interval,
        tuple(map(str, solution.best)),
        solution.counts["nodes"],
        solution.seconds,
    )


def _written(outcome: Outcome) -> str:
    return f"({', '.join(map(str, outcome.value or ()))})"
