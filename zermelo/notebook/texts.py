"""Games, solutions, strategies and equilibria as text, as the command line prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.equilibria_page import LISTED, ListedEquilibria
from zermelo.game import Game, State
from zermelo.grammar.names import shown
from zermelo.numbers import with_parameters
from zermelo.report.console import fact_lines, table
from zermelo.solutions.page import ON_THE_COMMAND_LINE, PAGE, amounts_table, plan_lines, solution_lines
from zermelo.solutions.strategy_table import strategy_parts
from zermelo.solved_game import SolvedGame
from zermelo.solvers.forms.strategy import Strategy
from zermelo.solving import describe

_WIDTH: Final = 80


def text_of(thing: object) -> str | None:
    """A thing as text; None for what has no text but its ``repr``."""
    match thing:
        case State():
            return str(thing)
        case Game():
            return f"{with_parameters(thing.title, thing)}\n\n{fact_lines(describe(thing.facts), _WIDTH)}"
        case SolvedGame():
            return _solution(thing)
        case Strategy():
            return _strategy(thing)
        case ListedEquilibria():
            return _equilibria(thing)
        case _:
            return None


def plan_of(solution: SolvedGame) -> list[str]:
    """The lines of the plan of a solution, with a head; none if it has no plan."""
    if solution.plan is None:
        return []
    return [
        f"The plan of {shown(solution.plan.player)}:",
        *plan_lines(solution.plan, PAGE, ON_THE_COMMAND_LINE),
    ]


def _solution(solution: SolvedGame) -> str:
    game = solution.game
    blocks = [_table(*amounts_table(game, game.facts, solution))]
    blocks += [_strategy(strategy) for strategy in solution.strategies]
    if solution.plan is not None:
        blocks.append("\n".join(plan_of(solution)))
    blocks.append(fact_lines(solution_lines(game, solution), _WIDTH))
    return "\n\n".join(blocks)


def _strategy(strategy: Strategy) -> str:
    heads, rows, said = strategy_parts(strategy)
    return "\n".join([*([_table(heads, rows)] if rows else []), *said])


def _equilibria(found: ListedEquilibria) -> str:
    payoffs, count = found.payoffs(), len(found.listed)
    blocks = [with_parameters(found.game.title, found.game)]
    if payoffs is not None:
        blocks.append(_table(*payoffs))
    if count:
        more = f"\n... and {count - LISTED:,} more" if count > LISTED else ""
        blocks.append(_table(*found.profiles(LISTED)) + more)
    blocks.append(fact_lines(found.lines(), _WIDTH))
    return "\n\n".join(blocks)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(heads, rows, _WIDTH)
