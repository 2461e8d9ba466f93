"""What the payoffs of a solution are, in words: a value only where the game has one.

One player, two with a constant sum (von Neumann 1928), and players who all get the same have a value: no best play
brings anything else. In other games equilibria may differ in what they pay, and a solver finds one of them.
"""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.choosing.solving import has_one_value
from zermelo.solvers.solution import Answer, Certainty

VALUE: Final = "value"
EQUILIBRIUM: Final = "an equilibrium pays"
STRATEGIES: Final = "these strategies pay"
GUESS: Final = "a guess"


def has_value(facts: Facts) -> bool:
    """Whether the game has a value."""
    return has_one_value(facts) or facts.common_payoff.holds is True


def meaning(facts: Facts, answer: Answer) -> str:
    """What the payoffs of an answer are."""
    if answer.standard_errors is not None:
        return STRATEGIES if answer.strategies else GUESS
    if has_value(facts):
        return VALUE
    if answer.certainty is not Certainty.HEURISTIC:
        return EQUILIBRIUM
    return STRATEGIES if answer.strategies else GUESS


def in_words(facts: Facts, answer: Answer) -> str:
    """The same as the head of a column, with how certain they are."""
    said = meaning(facts, answer)
    is_plain = answer.exact or said in (GUESS, STRATEGIES)
    return said if is_plain else f"{said}, {answer.certainty.value}"
