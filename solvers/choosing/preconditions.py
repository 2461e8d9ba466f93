"""Refusals: solvers that do not fit a game or do not support a request."""

from __future__ import annotations

from math import inf

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.registry import SOLVERS, Solver, trusted
from zermelo.solvers.common.goal import Goal
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.sampling import Sampling

NONE_FITS = "no other solver fits this game"


def unmet(solver: Solver, facts: Facts) -> tuple[Need, ...]:
    """The needs of the solver that this game does not meet."""
    return tuple(need for need in solver.needs if not need.is_met(facts))


def check_preconditions(solver: Solver, facts: Facts) -> None:
    """Raise ``ZermeloError`` with the code of the first unmet need, if there is one."""
    for need in unmet(solver, facts):
        fitting = [other for other in trusted() if not unmet(other, facts)]
        help = f"{fitting[0].title} fits this game: --solver {fitting[0].name}" if fitting else NONE_FITS
        raise ZermeloError(need.code, f"{solver.title} is for {need.kind}, and {objection(need, facts)}", help)


def objection(need: Need, facts: Facts) -> str:
    """Why a need is not met, in words."""
    fact = need.fact(facts)
    return f"this is {'not one' if fact.holds is False else 'not known to be one'}: {fact.how}"


def check_request(
    solver: Solver,
    limits: Limits,
    is_traced: bool = False,
    goal: Goal | None = None,
    sampling: Sampling | None = None,
    is_advised: bool = False,
) -> None:
    """Raise ``ZermeloError`` if a solver does not support a request: ``searches-to-the-end`` (a depth),
    ``cannot-be-traced``, ``does-not-iterate`` (a goal or a checkpoint), ``does-not-sample``, ``no-policy``."""
    if limits.depth < inf and not solver.deepens:
        how = "looks as far as plays go" if solver.samples else "searches to the end of all plays"
        raise _none_such("searches-to-the-end", f"{solver.title} {how}, so it has no use for a depth", "deepens")
    if is_traced and not solver.traces:
        raise _none_such("cannot-be-traced", f"{solver.title} does not record its search", "traces")
    if is_traced and limits.has_horizon:
        help = "leave out --depth and --nodes"
        raise ZermeloError("cannot-be-traced", "a search that is cut off is not recorded", help)
    if goal is not None and not solver.iterates:
        message = f"{solver.title} does not iterate, so it has no use for a goal or a checkpoint"
        raise _none_such("does-not-iterate", message, "iterates")
    if sampling is not None and not solver.samples:
        raise _none_such("does-not-sample", f"{solver.title} makes no simulations", "samples")
    if is_advised and not solver.advises:
        raise _none_such("no-policy", f"{solver.title} does not say what to do in every position", "advises")


def _none_such(code: str, message: str, trait: str) -> ZermeloError:
    """The error for a solver that lacks a trait, with help that lists those that have it."""
    others = ", ".join(other.name for other in SOLVERS.values() if getattr(other, trait))
    return ZermeloError(code, message, f"these do: {others}")
