"""Which solver is the default for a game: the first in the order of the registry that fits, unless it only guesses."""

from __future__ import annotations

from grammar.diagnostics import ZermeloError
from interpreter.checks.fact import Facts
from solvers.preconditions import unmet, verdict
from solvers.registry import SOLVERS, Solver, trusted


def choose(facts: Facts, deepens: bool = False, traces: bool = False, iterates: bool = False) -> Solver:
    """The default solver for a game, or the default of those that deepen, trace or iterate; raises ``ZermeloError``
    (``no-solver``) where none fits."""
    for solver in trusted():
        can = solver.deepens >= deepens and solver.traces >= traces and solver.iterates >= iterates
        if can and not unmet(solver, facts):
            return solver
    in_the_way = min((unmet(solver, facts) for solver in trusted()), key=len)
    kinds = " and ".join(need.kind for need in in_the_way)
    verdicts = "; ".join(verdict(need, facts) for need in in_the_way)
    guessing = [solver for solver in SOLVERS.values() if solver.guesses and not unmet(solver, facts)]
    help = f"{guessing[0].title} fits it and gives a guess: --solver {guessing[0].name}" if guessing else ""
    raise ZermeloError("no-solver", f"the solvers here are for {kinds}, and {verdicts}", help)


def reason(solver: Solver, facts: Facts) -> str:
    """Why this solver is the default for this game."""
    return f"{describe(facts)}; {solver.reason}"


def describe(facts: Facts) -> str:
    """What kind of game it is, as far as it is known, in a few words."""
    players = len(facts.players)
    parts = ["one player" if players == 1 else "two players" if players == 2 else f"{players} players"]
    if players > 1:
        if facts.constant_sum.holds:
            parts.append("zero sum" if facts.sum == 0 else f"payoffs that always sum to {facts.sum}")
        else:
            parts.append("no constant sum" if facts.constant_sum.holds is False else "no constant sum known")
    parts.append("no chance" if facts.chance.holds is False else "chance")
    parts.append("perfect information" if facts.perfect_information.holds else "hidden information")
    return ", ".join(parts)
