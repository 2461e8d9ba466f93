"""Refusals: solvers that do not fit a game or do not support a request. Each says what goes on instead."""

from __future__ import annotations

from math import inf

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.choice import NO_END, NOTHING_ASKED, Requirements, fits, options_of, preferred
from zermelo.solvers.choosing.fitting import may_fit, objection, unmet
from zermelo.solvers.choosing.registry import SOLVERS, Solver
from zermelo.solvers.common.goal import Goal
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.sampling import Sampling


def check_preconditions(
    solver: Solver, facts: Facts, asked: Requirements = NOTHING_ASKED, advice: str | None = None
) -> None:
    """Raise ``ZermeloError`` with the code of the first unmet need, if there is one, and with the advice of a caller
    who does not ask for a solution; else with what solves the game."""
    for need in unmet(solver, facts, asked.deepens):
        message = f"the solver {solver.name} is for {need.kind}, and {objection(need, facts)}"
        raise ZermeloError(need.code, message, advice or instead(facts, asked))


def instead(facts: Facts, asked: Requirements = NOTHING_ASKED) -> str:
    """What goes on where the solver that was asked for does not."""
    other = preferred(facts, asked)
    if other is not None:
        taken = f"--solver {other.name}"
        if asked.deepens and not facts.has_estimate:
            taken = f"`zermelo solve {taken} --estimate rollouts`"
        advice = fits(other, facts, asked, taken, "leave out --solver")
        return advice + _if_too_many(other, facts)
    other = preferred(facts, NOTHING_ASKED)
    if other is None:
        return f"no other solver fits this game; {NO_END}"
    left_out = f"and leave out {options_of(asked)}"
    advice = fits(other, facts, NOTHING_ASKED, f"--solver {other.name}, {left_out}", f"leave out --solver, {left_out}")
    return advice + _if_too_many(other, facts)


def _if_too_many(solver: Solver, facts: Facts) -> str:
    """What goes on where the game turns out to have too many strategies for a solver that enumerates them."""
    too_many = "; where there are too many strategies to try, --solver cfr_plus iterates"
    return too_many if solver.enumerates(facts) else ""


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
    ``cannot-be-traced``, ``does-not-iterate`` (a goal or a checkpoint), ``does-not-sample``, ``no-policy``. Where
    the solver does not fit the game anyway nothing is raised: that is what the refusal has to say."""
    if not may_fit(solver, facts, limits.has_horizon):
        return

    def without(trait: str, code: str, message: str, options: str) -> ZermeloError:
        able = [other for other in SOLVERS.values() if getattr(other, trait) and may_fit(other, facts)]
        fitting = [other.name for other in able if not unmet(other, facts)]
        if fitting:
            return ZermeloError(code, message, f"these do: {', '.join(fitting)}")
        if able:
            names = ", ".join(other.name for other in able)
            return ZermeloError(code, message, f"these do, if the game turns out to be one for them: {names}")
        return ZermeloError(code, message, f"no solver that does fits this game: leave out {options}")

    if limits.depth < inf and not (solver.deepens or solver.bounds):
        how = "looks as far as plays go" if solver.samples else "searches to the end of all plays"
        message = f"{solver.title} {how}, so it has no use for a depth"
        raise without("deepens", "searches-to-the-end", message, "--depth")
    if is_traced and not solver.traces:
        raise without("traces", "cannot-be-traced", f"{solver.title} does not record its search", "--trace and --steps")
    if is_traced and limits.nodes < inf:
        message = "a search to one depth after the other is not recorded"
        raise ZermeloError("cannot-be-traced", message, "leave out --nodes: --depth alone is one search")
    if goal is not None and not solver.iterates:
        message = f"{solver.title} does not iterate, so it has no use for a goal or a checkpoint"
        raise without("iterates", "does-not-iterate", message, "--exploitability, --iterations and --checkpoint")
    if sampling is not None and not solver.samples:
        message = f"{solver.title} makes no simulations"
        raise without("samples", "does-not-sample", message, "--simulations and --exploration")
    if is_advised and not solver.advises:
        message = f"{solver.title} does not say what to do in every position"
        raise without("advises", "no-policy", message, "--policy, --positions and --digits")
