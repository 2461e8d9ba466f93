"""A solution in words: what every player gets, and the lines about how that is known."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.game import Game
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.loops import SHOWN, written
from zermelo.interpreter.machine import Payoff, shown
from zermelo.meanings import in_words
from zermelo.numbers import LEGIBLE_DIGITS, above, approximation, interval_text, middle_of, sampled, within
from zermelo.solutions.durations import lasting_text, length_text
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.solution import Solution

if TYPE_CHECKING:
    from zermelo.solvers.forms.sampled_strategy import SampledExploitability

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Heads, and rows under them."""


def amounts_table(game: Game, facts: Facts, solution: Solution, digits: int | None = LEGIBLE_DIGITS) -> Table:
    """What every player gets, with so many ``digits`` at most of a number that is not exact (all if None)."""
    if solution.standard_errors is None:
        amounts = [within(amount, solution.error, digits) for amount in solution.value]
    else:
        amounts = list(map(sampled, solution.value, solution.standard_errors))
    return ("player", in_words(facts, solution)), list(zip(game.players, amounts, strict=True))


def solution_lines(game: Game, solution: Solution, digits: int | None = LEGIBLE_DIGITS) -> list[tuple[str, str]]:
    """What else there is to say about a solution, each a word and a text about it: the solver, best moves, notes."""
    lines = [("solver", SOLVERS[solution.solver].title), ("why", solution.why)]
    if solution.best:
        lines.append(("best move" if len(solution.best) == 1 else "best moves", ", ".join(map(shown, solution.best))))
    if 1 < len(solution.line) <= SHOWN:
        lines.append(("best play", written(solution.line)))
    if solution.alternatives:
        lines.append(("ties", "also possible: " + ", ".join(map(_tuple, solution.alternatives))))
    elif solution.alternatives is None and solution.exact:
        lines.append(("ties", "other payoffs may be possible, and are not listed"))
    wants_one = game.facts.common_payoff.holds is True  # also where every play pays the same, and nothing is at stake
    is_opposed = game.facts.constant_sum.holds is True and len(game.players) == 2 and not wants_one
    for head, text in (
        ("length", length_text(solution, is_opposed)),
        ("endless", lasting_text(game.players, solution, is_opposed)),
    ):
        if text is not None:
            lines.append((head, text))
    if solution.interval is not None:
        lines.append(("proved", _interval_text(game, solution.interval, digits)))
    if solution.exploitability is not None:
        lines.append(("exploitability", approximation(solution.exploitability)))
    if solution.sampled_exploitability is not None:
        lines.append(("exploitability", _sampled_exploitability_text(solution.sampled_exploitability)))
    return [*lines, *(("note", note) for note in solution.notes)]


def _interval_text(game: Game, interval: tuple[Fraction, Fraction], digits: int | None) -> str:
    """Between what bounds the value is; if their difference cannot be seen, the number first, and how near it is."""
    shown = interval_text(*interval, digits)
    head = f"the value of the game for {game.players[0]} is"
    if shown == interval_text(*interval, None):
        return f"{head} between {shown}"
    middle, error = middle_of(interval)
    return f"{head} {within(middle, error, digits)}, to within {above(error)}"


def _sampled_exploitability_text(found: SampledExploitability) -> str:
    """An estimate of how far strategies are from an equilibrium."""
    mean, margin = float(found.mean), float(found.margin)
    between = f"95% interval {mean - margin:.4g} to {mean + margin:.4g}"
    return f"about {mean:.4g} or more ({between}), by responses learned from samples: an estimate, no proof"


def _tuple(payoff: Payoff) -> str:
    return f"({', '.join(map(str, payoff))})"
