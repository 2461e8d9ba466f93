"""What a solution says in lines, each a word and a text: the solver and why, best moves, bounds, what to note."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from zermelo.durations import lasting_text, length_text
from zermelo.game import Game
from zermelo.interpreter.checks.loops import SHOWN, written
from zermelo.interpreter.machine import Payoff, shown
from zermelo.numbers import above, approximation, interval_text, sampled, within
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.solution import Solution

if TYPE_CHECKING:
    from zermelo.solvers.forms.sampled_strategy import SampledExploitability


def amounts_of(solution: Solution, digits: int | None) -> list[str]:
    """What every player gets, with so many digits, or None: with all that are certain."""
    if solution.standard_errors is None:
        return [within(amount, solution.error, digits) for amount in solution.value]
    return list(map(sampled, solution.value, solution.standard_errors))


def solution_lines(game: Game, solution: Solution, digits: int | None) -> list[tuple[str, str]]:
    """How the value is known, and what belongs to it; nothing that differs from one run to the next."""
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
        lines.append(("exploitability", sampled_exploitability_text(solution.sampled_exploitability)))
    lines += [("note", note) for note in solution.notes]
    return lines


def _interval_text(game: Game, interval: tuple[Fraction, Fraction], digits: int | None) -> str:
    """Between what bounds the value is, and if their difference cannot be seen, how large it is."""
    shown = interval_text(*interval, digits)
    text = f"the value of the game for {game.players[0]} is between {shown}"
    is_rounded = shown != interval_text(*interval, None)
    return f"{text} (it is known to within {above((interval[1] - interval[0]) / 2)})" if is_rounded else text


def sampled_exploitability_text(found: SampledExploitability) -> str:
    """An estimate of how far strategies are from an equilibrium."""
    mean, margin = float(found.mean), float(found.margin)
    between = f"95% interval {mean - margin:.4g} to {mean + margin:.4g}"
    return f"about {mean:.4g} or more ({between}), by responses learned from samples: an estimate, no proof"


def _tuple(payoff: Payoff) -> str:
    return f"({', '.join(map(str, payoff))})"
