"""A solution as JSON: exact numbers as text, so that they stay exact; the names are those of the language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.game import Game, State
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.survey import SHOWN, written
from zermelo.interpreter.machine import Payoff, shown
from zermelo.interpreter.values import rounded
from zermelo.kinds import facts_record, size_record
from zermelo.numbers import (
    LEGIBLE_DIGITS,
    above,
    approximation,
    by_player,
    certain_decimals,
    header,
    in_words,
    interval_text,
    known_by_player,
    meaning,
    middle_of,
    sample_decimals,
    sampled,
    short_text,
    within,
)
from zermelo.solutions.plan_text import plan_record, strategies_of_plan
from zermelo.solvers.choosing.registry import SOLVERS

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.forms.policy import Bounds, Duration
    from zermelo.solvers.forms.strategy import SampledExploitability, Strategy
    from zermelo.solvers.solution import Solution

# How long plays last, and who can keep them going, in words and as JSON.


def length_text(solution: Solution, is_opposed: bool) -> str | None:
    """How long the play takes: ``9 moves, if those who win hurry and the others delay``; None if that is not known.
    ``is_opposed``: two players want the opposite."""
    if solution.distance is not None:
        moves = f"{solution.distance:,} move{'s' * (solution.distance != 1)}"
        return f"{moves}, if those who win hurry and the others delay" if is_opposed else f"{moves} in a best play"
    duration = solution.duration
    if duration is None:
        return None
    if duration.length is not None:
        unit = duration.unit.value if duration.length[0] != 1 else duration.unit.one
        average = " on average; the play is certain to end" if duration.is_random else ""
        return f"{_number(duration.length)} {unit}{average}"
    if not duration.ends[1]:
        return "with the moves that have been found the play goes on for ever"
    return (
        f"with the moves that have been found the play ends with probability {_number(duration.ends)}, and goes on for "
        "ever otherwise"
    )


def short_length(duration: Duration) -> str:
    """The mean length, or the probability of an end: ``≈ 4.301``, ``ends with 1/3``, ``for ever``."""
    if duration.length is not None:
        return short_text(duration.length)
    return f"ends with {short_text(duration.ends)}" if duration.ends[1] else "for ever"


def length_head(durations: Iterable[Duration | None]) -> str:
    """The heading of a column of such lengths: ``moves on average``."""
    for duration in durations:
        if duration is not None:
            return f"{duration.unit.value} {'on average' if duration.is_random else 'to the end'}"
    return ""


def duration_record(duration: Duration | None) -> dict[str, Any] | None:
    """As JSON: the probability that the play ends, and how many steps it takes on average, null if it is not certain to
    end; exact numbers as text, others as decimals that are certain."""
    if duration is None:
        return None
    length = None if duration.length is None else number_text(duration.length)
    return {"ends": number_text(duration.ends), "length": length, "unit": duration.unit.value}


def number_text(bounds: Bounds) -> str | None:
    """An exact number as text, another as decimals that are certain; None if none is."""
    middle, error = middle_of(bounds)
    return certain_decimals(middle, error) if error else str(middle)


def lasting_text(players: Sequence[str], solution: Solution, is_opposed: bool) -> str | None:
    """Who can keep the play going for ever; None if no play can go on for ever, or that is not known."""
    if solution.lasting is None:
        return None
    able = [players[player] for player in solution.lasting]
    if solution.perhaps_lasting == ():
        return "the play is certain to end as long as nobody gives anything away"
    perhaps = [players[player] for player in solution.perhaps_lasting or () if player not in solution.lasting]
    if perhaps:
        return _perhaps_lasting_text(players, able, perhaps, is_opposed)
    if not is_opposed:
        who = " and ".join(players) if able else "nobody"
        return f"{who} can keep the play going for ever without getting less"
    others = [player for player in players if player not in able]
    if not able:
        return "nobody can keep the play going for ever without giving something away"
    if not others:
        return f"{' and '.join(able)} can each keep the play going for ever, unless the other gives something away"
    return f"{able[0]} can keep the play going for ever, unless {others[0]} gives something away"


def _perhaps_lasting_text(players: Sequence[str], able: list[str], perhaps: list[str], is_opposed: bool) -> str:
    """Who can keep the play going with some probability, and who for certain."""
    if not is_opposed:
        return f"{' and '.join(players)} can keep the play going for ever with some probability without getting less"
    if able:
        return (
            f"{able[0]} can keep the play going for ever, and {perhaps[0]} with some probability, unless the other "
            "gives something away"
        )
    if len(perhaps) == len(players):
        return (
            f"{' and '.join(perhaps)} can each keep the play going for ever with some probability, unless the other "
            "gives something away"
        )
    other = next(player for player in players if player not in perhaps)
    return f"{perhaps[0]} can keep the play going for ever with some probability, unless {other} gives something away"


def lasting_record(players: Sequence[str], solution: Solution) -> dict[str, list[str] | None]:
    """As JSON: who can keep the play going for ever whatever chance draws, and who with a probability that is not 0;
    null where that has no meaning, or has not been found."""
    found = {
        "can_go_on_for_ever": solution.lasting,
        "can_go_on_for_ever_with_some_probability": solution.perhaps_lasting,
    }
    return {name: None if who is None else [players[player] for player in who] for name, who in found.items()}


def _number(bounds: Bounds) -> str:
    return within(*middle_of(bounds))


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
    from zermelo.solutions.strategy_table import record

    return record(strategy, is_brief)


# A solution in words: what every player gets, and the lines about how that is known.


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
