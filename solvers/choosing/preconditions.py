"""Refusals: solvers that do not fit a game or do not support a request. Each says what goes on instead."""

from __future__ import annotations

from math import inf

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.choice import NOTHING_ASKED, Requirements, choose, fits
from zermelo.solvers.choosing.fitting import may_fit, objection, unmet
from zermelo.solvers.choosing.registry import SOLVERS, Solver
from zermelo.solvers.common.goal import Goal
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.sampling import Sampling


def check_preconditions(solver: Solver, facts: Facts, asked: Requirements = NOTHING_ASKED) -> None:
    """Raise ``ZermeloError`` with the code of the first unmet need, if there is one."""
    for need in unmet(solver, facts, asked.deepens):
        message = f"the solver {solver.name} is for {need.kind}, and {objection(need, facts)}"
        raise ZermeloError(need.code, message, instead(facts, asked))


def instead(facts: Facts, asked: Requirements = NOTHING_ASKED) -> str:
    """What goes on where the solver that was asked for does not."""
    try:
        other = choose(facts, asked)
    except ZermeloError as refusal:
        return f"no other solver fits this game; {refusal.help}"
    return fits(other, facts, asked, f"--solver {other.name}", "leave out --solver")


def check_request(
    solver: Solver,
    facts: Facts,
    limits: Limits,
    is_traced: bool = False,
    goal: Goal | None = None,
    sampling: Sampling | None = None,
    is_advised: bool = False,
) -> None:
    """Raise ``ZermeloError`` if a solver does not support a request: ``searches-to-the-end`` (a depth),
    ``cannot-be-traced``, ``does-not-iterate`` (a goal or a checkpoint), ``does-not-sample``, ``no-policy``."""

    def without(trait: str, code: str, message: str, options: str) -> ZermeloError:
        others = [other.name for other in SOLVERS.values() if getattr(other, trait) and may_fit(other, facts)]
        if others:
            return ZermeloError(code, message, f"these do: {', '.join(others)}")
        return ZermeloError(code, message, f"no solver that does fits this game: leave out {options}")

    if limits.depth < inf and not solver.deepens:
        how = "looks as far as plays go" if solver.samples else "searches to the end of all plays"
        message = f"{solver.title} {how}, so it has no use for a depth"
        raise without("deepens", "searches-to-the-end", message, "--depth")
    if is_traced and not solver.traces:
        raise without("traces", "cannot-be-traced", f"{solver.title} does not record its search", "--trace")
    if is_traced and limits.has_horizon:
        help = "leave out --depth and --nodes"
        raise ZermeloError("cannot-be-traced", "a search that is cut off is not recorded", help)
    if goal is not None and not solver.iterates:
        message = f"{solver.title} does not iterate, so it has no use for a goal or a checkpoint"
        raise without("iterates", "does-not-iterate", message, "--exploitability, --iterations and --checkpoint")
    if sampling is not None and not solver.samples:
        message = f"{solver.title} makes no simulations"
        raise without("samples", "does-not-sample", message, "--simulations and --exploration")
    if is_advised and not solver.advises:
        message = f"{solver.title} does not say what to do in every position"
        raise without("advises", "no-policy", message, "--policy, --positions and --digits")
