"""Which solvers fit a game, and what stands in the way of the others."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.needs import Need
from zermelo.solvers.choosing.registry import Solver

BY_LOOKING: Final = frozenset({Need.CONSTANT_SUM, Need.COMMON_PAYOFF, Need.NO_CHANCE, Need.PERFECT_INFORMATION})
"""The needs that exploring the game can settle."""


def unmet(solver: Solver, facts: Facts, is_cut_off: bool = False) -> tuple[Need, ...]:
    """The needs of the solver that this game does not meet. Plays need not end for a search that ``is_cut_off``."""
    needs = (need for need in solver.needs if not (is_cut_off and solver.deepens and need is Need.END))
    return tuple(need for need in needs if not need.is_met(facts))


def may_fit(solver: Solver, facts: Facts, is_cut_off: bool = False) -> bool:
    """Whether a solver fits, or may turn out to fit when the game has been explored."""
    return all(need in BY_LOOKING and need.fact(facts).holds is None for need in unmet(solver, facts, is_cut_off))


def objection(need: Need, facts: Facts) -> str:
    """Why a need is not met, in words."""
    fact = need.fact(facts)
    return f"this is {'not one' if fact.holds is False else 'not known to be one'}: {fact.how}"
