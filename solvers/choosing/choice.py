"""The default solver of a game: the first one in the registry that fits, suits, and does more than guess."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.preconditions import objection, unmet
from zermelo.solvers.choosing.registry import SOLVERS, Solver, trusted


@frozen(repr=False)
class Requirements(Displayed):
    """Requirements on a solver besides a value: that it deepens, traces, iterates or advises."""

    deepens: bool = False
    traces: bool = False
    iterates: bool = False
    advises: bool = False

    def is_met(self, solver: Solver) -> bool:
        """Whether a solver meets all requirements."""
        return (
            solver.deepens >= self.deepens
            and solver.traces >= self.traces
            and solver.iterates >= self.iterates
            and solver.advises >= self.advises
        )


NOTHING_ASKED: Final = Requirements()


def choose(facts: Facts, asked: Requirements = NOTHING_ASKED) -> Solver:
    """The default solver for a game, of those that meet the requirements; raises ``ZermeloError`` (``no-solver``) if
    none fits."""
    asked_for = [solver for solver in trusted() if asked.is_met(solver)]
    fitting = [solver for solver in asked_for if not unmet(solver, facts)]
    preferred = [solver for solver in fitting if solver.is_default(facts)] or fitting
    if preferred:
        return preferred[0]
    in_the_way = [unmet(solver, facts) for solver in asked_for or trusted()]
    fewest = min(map(len, in_the_way))
    reasons = "; others are ".join(
        f"for {' and '.join(need.kind for need in needs)}, and {'; '.join(objection(need, facts) for need in needs)}"
        for needs in dict.fromkeys(needs for needs in in_the_way if len(needs) == fewest)
    )
    guessing = [solver for solver in SOLVERS.values() if solver.guesses and not unmet(solver, facts)]
    help = f"{guessing[0].title} fits it and gives a guess: --solver {guessing[0].name}" if guessing else ""
    raise ZermeloError("no-solver", f"some solvers here are {reasons}", help)


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
    parts.append(facts.chance.word("chance", "no chance", "perhaps chance"))
    parts.append(
        facts.perfect_information.word("perfect information", "hidden information", "perhaps hidden information")
    )
    return ", ".join(parts)
