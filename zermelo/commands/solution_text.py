"""A solution as text: what every player gets, what they do, and how that is known."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from zermelo.console import print_facts, print_heading, print_remark, print_table
from zermelo.durations import lasting_text, length_text
from zermelo.game import Game
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.loops import SHOWN, written
from zermelo.interpreter.machine import Payoff, shown
from zermelo.machines import left_to_reference
from zermelo.meanings import in_words
from zermelo.numbers import LEGIBLE_DIGITS, above, approximation, interval_text, sampled, within
from zermelo.plan_text import PAGE, plan_lines
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solvers.solution import Solution

if TYPE_CHECKING:
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.forms.sampled_strategy import SampledExploitability
    from zermelo.solvers.forms.strategy import Strategy


def print_solution(
    game: Game,
    facts: Facts,
    machine: str,
    solution: Solution,
    verification: Verification | None,
    is_precise: bool,
    is_all: bool,
) -> None:
    """``is_precise``: with all digits that are certain; ``is_all``: with every decision of the
    strategies, and the whole plan."""
    digits = None if is_precise else LEGIBLE_DIGITS
    if solution.standard_errors is None:
        amounts = [within(amount, solution.error, digits) for amount in solution.value]
    else:
        amounts = list(map(sampled, solution.value, solution.standard_errors))
    print_table(("player", in_words(facts, solution)), list(zip(game.players, amounts, strict=True)))
    print()
    for strategy in solution.strategies:
        _print_strategy(strategy, is_all)
    if solution.plan is not None:
        print_heading(f"The plan of {solution.plan.player}:")
        print("\n".join(plan_lines(solution.plan, inf if is_all else PAGE)))
        print()
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
    reason = left_to_reference(game.choice, game.prepared)
    if reason is not None:
        lines.append(("machine", reason))
    if solution.beyond:
        lines.append(("machine", f"kernels ran in Python, with exact numbers: {solution.beyond}"))
    if verification is not None:
        lines.append(("verified" if verification.confirmed else "not verified", verification.how))
    lines.append(("counts", ", ".join(f"{what} {count:,}" for what, count in solution.counts.items())))
    where = f"in Python, over the {machine} machine" if solution.beyond else f"on the {machine} machine"
    lines.append(("time", f"{solution.seconds:.3f} s {where}"))
    print_facts(lines)


def _print_strategy(strategy: Strategy, is_all: bool) -> None:
    from zermelo.strategy_table import strategy_table

    table = strategy_table(strategy, is_all)
    if table.rows:
        print_table(table.heads, table.rows)
    else:
        print_remark(f"{strategy.player} never has a choice.")
    if table.more:
        print_remark(f"... and {table.more:,} more rows, which --all lists")
    if table.unmet:
        print_remark(f"... and {table.unmet:,} decisions to which these strategies do not lead, which --all lists")
    print()


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
