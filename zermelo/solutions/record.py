"""A solution as JSON: exact numbers as text, so that they stay exact; the names are those of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game import Game, State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.decimals import rounded
from zermelo.kinds import facts_record, size_record
from zermelo.meanings import meaning
from zermelo.numbers import sample_decimals
from zermelo.plain_results import by_player, header, known_by_player
from zermelo.solutions.durations import duration_record, lasting_record
from zermelo.solutions.plan_text import plan_record, strategies_of_plan
from zermelo.solvers.solution import Solution

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.size import Size
    from zermelo.solvers.forms.sampled_strategy import SampledExploitability
    from zermelo.solvers.forms.strategy import Strategy


def solution_record(
    game: Game,
    root: State | None,
    machine: str,
    facts: Facts,
    survey: Survey | Size | None,
    solution: Solution,
    verification: Verification | None,
    is_brief: bool,
) -> dict[str, Any]:
    """The result of ``zermelo solve``; ``is_brief``: only the decisions of strategies that matter."""
    others = solution.alternatives
    return {
        **header(game),
        "title": game.title,
        "after": [] if root is None else list(map(str, root.play)),
        "players": list(game.players),
        "solver": solution.solver,
        "why": solution.why,
        "machine": machine,
        "beyond": solution.beyond,
        "exact": solution.exact,
        "certainty": solution.certainty.value,
        "meaning": meaning(facts, solution),
        "value": known_by_player(game.players, solution.value, solution.error)
        if solution.standard_errors is None
        else by_player(game, map(sample_decimals, solution.value, solution.standard_errors)),
        "standard_errors": None
        if solution.standard_errors is None
        else by_player(game, (rounded(error, 2) for error in solution.standard_errors)),
        "best": list(map(str, solution.best)),
        "line": list(map(str, solution.line)),
        "alternatives": None if others is None else [by_player(game, payoff) for payoff in others],
        "notes": list(solution.notes),
        "exploitability": None if solution.exploitability is None else str(solution.exploitability),
        "sampled_exploitability": _sampled_record(solution.sampled_exploitability),
        "moves_to_the_end": solution.distance,
        "duration": duration_record(solution.duration),
        **lasting_record(game.players, solution),
        "interval": None if solution.interval is None else list(map(str, solution.interval)),
        "verification": None
        if verification is None
        else {"confirmed": verification.confirmed, "how": verification.how},
        "strategies": [_strategy_record(strategy, is_brief) for strategy in solution.strategies]
        if solution.plan is None
        else strategies_of_plan(solution.plan),
        "plan": None if solution.plan is None else plan_record(solution.plan),
        "counts": dict(solution.counts),
        "seconds": solution.seconds,
        "facts": facts_record(facts),
        "survey": None if survey is None else size_record(survey),
    }


def _sampled_record(found: SampledExploitability | None) -> dict[str, float] | None:
    """What responses learned from samples gain on average, and half the width of its 95% interval."""
    return None if found is None else {"mean": float(found.mean), "margin": float(found.margin)}


def _strategy_record(strategy: Strategy, is_brief: bool) -> dict[str, Any]:
    from zermelo.solutions.strategies import record

    return record(strategy, is_brief)
