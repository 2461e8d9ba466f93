"""The default solver of a game: the first one in the registry that fits, suits, and does more than guess."""

from __future__ import annotations

from math import inf
from typing import Final

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.registry import SOLVERS, Need, Solver, may_fit, objection, trusted, unmet
from zermelo.solvers.common.limits import Limits, Sampling
from zermelo.solvers.common.progress import Goal


@frozen(eq=False, repr=False)
class Requirements(ByValue):
    """Requirements on a solver besides a value: that it deepens, traces, iterates, advises or bounds."""

    deepens: bool = False
    traces: bool = False
    iterates: bool = False
    advises: bool = False
    bounds: bool = False

    def is_met(self, solver: Solver) -> bool:
        """Whether a solver meets all requirements."""
        return (
            solver.deepens >= self.deepens
            and solver.traces >= self.traces
            and solver.iterates >= self.iterates
            and solver.advises >= self.advises
            and solver.bounds >= self.bounds
        )


NOTHING_ASKED: Final = Requirements()

_OPTIONS: Final = {
    "deepens": ("stops at a depth", "--depth and --nodes"),
    "traces": ("records its search", "--trace and --steps"),
    "iterates": ("iterates", "--exploitability, --iterations and --checkpoint"),
    "bounds": ("stops at a horizon with proved bounds", "--depth"),
    "advises": ("says what to do in every position", "--policy, --positions and --digits"),
}
"""For each requirement what a solver does that meets it, and the options that ask for it."""

NO_END: Final = "let a rule end every play, such as a limit on the number of moves"


class NoSolver(ZermeloError):
    """The refusal (``no-solver``) of a game that no solver fits, or of what is asked for it."""


def choose(facts: Facts, asked: Requirements = NOTHING_ASKED) -> Solver:
    """The default solver for a game, of those that meet the requirements; raises ``ZermeloError`` (``no-solver``) if
    none fits."""
    solver = preferred(facts, asked)
    if solver is None:
        raise NoSolver("no-solver", _why_none(facts, asked), _way_on(facts, asked))
    return solver


def is_met(facts: Facts, asked: Requirements) -> bool:
    """Whether some solver fits the game and meets the requirements."""
    return preferred(facts, asked) is not None


def preferred(facts: Facts, asked: Requirements) -> Solver | None:
    """The default solver for a game, of those that meet the requirements; None if none fits."""
    fitting = [solver for solver in trusted() if asked.is_met(solver) and not unmet(solver, facts, asked.deepens)]
    return next((solver for solver in fitting if solver.suits(facts)), fitting[0] if fitting else None)


def _why_none(facts: Facts, asked: Requirements) -> str:
    """What stands in the way of the solvers that come nearest to fitting, in words."""
    in_the_way = [unmet(solver, facts, asked.deepens) for solver in trusted() if asked.is_met(solver)]
    if not in_the_way:
        return f"no solver {' and '.join(_met(asked, 0))}"
    fewest = min(map(len, in_the_way))
    kinds = [
        f"for {' and '.join(need.kind for need in needs)}, and {'; '.join(objection(need, facts) for need in needs)}"
        for needs in dict.fromkeys(needs for needs in in_the_way if len(needs) == fewest)
    ]
    reasons = f"some are {'; others are '.join(kinds)}" if len(kinds) > 1 else f"they are {kinds[0]}"
    traits = _met(asked, 0)
    which = f"no solver that {' and '.join(traits)}" if traits else "no solver"
    return f"{which} fits this game: {reasons}"


def _way_on(facts: Facts, asked: Requirements) -> str:
    """What goes on where no solver does what is asked."""
    other = preferred(facts, NOTHING_ASKED)
    if other is None:
        return NO_END
    left_out = f"leave out {options_of(asked)}"
    return fits(other, facts, NOTHING_ASKED, left_out, left_out)


def options_of(asked: Requirements) -> str:
    """The options that ask for all that."""
    return " and ".join(_met(asked, 1))


def _met(asked: Requirements, column: int) -> list[str]:
    return [words[column] for trait, words in _OPTIONS.items() if getattr(asked, trait)]


def fits(solver: Solver, facts: Facts, asked: Requirements, surely: str, perhaps: str) -> str:
    """That a solver fits, and how to have it: ``surely`` if it is known that it does, else ``perhaps``."""
    if asked.deepens or Need.END not in solver.needs or facts.terminates.holds:
        return f"{solver.title} fits this game: {surely}"
    if facts.public_between_rounds.holds:
        return f"{perhaps}: {solver.title} fits this game or, if its plays go round, {SOLVERS['positions'].title}"
    return f"{solver.title} fits this game, if its plays all end: {surely}"


def reason(solver: Solver, facts: Facts) -> str:
    """Why this solver is the default for this game."""
    return f"{kind_of_game(facts)}; {solver.reason}"


def kind_of_game(facts: Facts) -> str:
    """The kind of game, as far as it is known, in a few words."""
    players = len(facts.players)
    parts = ["one player" if players == 1 else "two players" if players == 2 else f"{players} players"]
    if players > 1:
        if facts.constant_sum.holds:
            parts.append("zero sum" if facts.sum == 0 else f"payoffs that always sum to {facts.sum}")
        else:
            parts.append("no constant sum" if facts.constant_sum.holds is False else "no constant sum known")
    if players == 1 and facts.chance.holds:
        parts[0] = "one player against chance"
    else:
        parts.append(facts.chance.word("chance", "no chance", "perhaps chance"))
    if facts.perfect_information.holds is False and facts.simultaneous.holds and facts.public_between_rounds.holds:
        parts.append("choices at once")  # nothing else is hidden
    else:
        known = facts.perfect_information
        parts.append(known.word("perfect information", "hidden information", "perhaps hidden information"))
    return ", ".join(parts)


# Refusals: solvers that do not fit a game or do not support a request. Each says what goes on instead.


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
