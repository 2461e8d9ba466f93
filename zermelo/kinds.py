"""What kind of game it is, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.interpreter.analysis.information import Fact
from zermelo.interpreter.checks.game_facts import Facts

if TYPE_CHECKING:
    from zermelo.interpreter.checks.survey import Survey
    from zermelo.solvers.common.numbers import Size

Line = tuple[str, str]
"""A word and a text about it."""

_INFORMATION = ("perfect", "imperfect", "not known to be perfect")
_BETWEEN_ROUNDS = ("public between them", "not public between them", "not known to be public between them")


def describe(facts: Facts) -> list[Line]:
    """Players, sum, chance, information and end, each with the reason why it is known; if players choose at once, also
    what is known between these rounds."""
    public = facts.public_between_rounds
    rounds = [("rounds", _said(public.word(*_BETWEEN_ROUNDS), public))] if facts.simultaneous.holds else []
    several = [("sum", _said(_sum(facts), facts.constant_sum))] if len(facts.players) > 1 else []
    return [
        ("players", ", ".join(facts.players)),
        *several,
        ("chance", _said(facts.chance.word("yes", "none", "not known"), facts.chance)),
        ("information", _said(facts.perfect_information.word(*_INFORMATION), facts.perfect_information)),
        *rounds,
        ("end", _said(facts.terminates.word("certain", "not certain", "not known"), facts.terminates)),
    ]


def size_text(survey: Survey | Size) -> str:
    """The size of the game, as far as the survey went."""
    if not survey.finished:
        return f"large: counting the positions was stopped {survey.stopped}"
    ends = f"{survey.positions:,} positions, {survey.terminals:,} of them ends"
    return ends if survey.longest is None else f"{ends}; the longest play has {survey.longest:,} moves"


def size_record(survey: Survey | Size) -> dict[str, object]:
    """The size of the game as JSON; ``longest`` is null if it is not known."""
    return {
        "finished": survey.finished,
        "positions": survey.positions,
        "terminals": survey.terminals,
        "longest": survey.longest,
    }


def fact_record(fact: Fact) -> dict[str, object]:
    """A fact as JSON: ``holds`` is true, false, or null if it is not known."""
    return {"holds": fact.holds, "how": fact.how}


def facts_record(facts: Facts) -> dict[str, object]:
    """All facts, by name."""
    return {
        "constant_sum": fact_record(facts.constant_sum),
        "sum": None if facts.sum is None else str(facts.sum),
        "common_payoff": fact_record(facts.common_payoff),
        "chance": fact_record(facts.chance),
        "simultaneous": fact_record(facts.simultaneous),
        "perfect_information": fact_record(facts.perfect_information),
        "public_between_rounds": fact_record(facts.public_between_rounds),
        "terminates": fact_record(facts.terminates),
    }


def _sum(facts: Facts) -> str:
    if facts.constant_sum.holds:
        return "zero" if facts.sum == 0 else f"always {facts.sum}"
    return "not constant" if facts.constant_sum.holds is False else "not known to be constant"


def _said(word: str, fact: Fact) -> str:
    return f"{word} ({fact.how})"
