"""What the payoffs of a solution are, in words: a value only where it is proved to be that of the game.

The game of one player, or of two with a constant sum (von Neumann 1928), has a value: no best play brings anything
else. Players who all get the same may be in an equilibrium that pays less than another one; their value is the most
that they can agree on. In other games equilibria may differ in what they pay, and a solver finds one of them.
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


def is_value(facts: Facts, answer: Answer) -> bool:
    """Whether the payoffs of an answer are the value of the game, so far as they are certain."""
    return has_one_value(facts) or answer.is_optimum


def is_told_by_one(facts: Facts) -> bool:
    """Whether what the first player gets says what all others get."""
    return has_one_value(facts) or facts.common_payoff.holds is True


def meaning(facts: Facts, answer: Answer) -> str:
    """What the payoffs of an answer are."""
    if answer.standard_errors is not None:
        return STRATEGIES if answer.strategies else GUESS
    if is_value(facts, answer):
        return VALUE
    if answer.certainty is not Certainty.HEURISTIC:
        return EQUILIBRIUM
    return STRATEGIES if answer.strategies else GUESS


def in_words(facts: Facts, answer: Answer) -> str:
    """The same as the head of a column, with how certain they are."""
    said = meaning(facts, answer)
    is_plain = answer.exact or said in (GUESS, STRATEGIES)
    return said if is_plain else f"{said}, {answer.certainty.value}"
