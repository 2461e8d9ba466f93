"""How long plays last, and who can keep them going, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from zermelo.numbers import certain_decimals, middle_of, short_text, within
from zermelo.solvers.forms.duration import Bounds, Duration, Unit
from zermelo.solvers.solution import Solution

ONE: Final = {Unit.MOVES: "move", Unit.ROUNDS: "round", Unit.DRAWS: "draw of chance"}
"""Of each unit one."""


def length_text(solution: Solution) -> str | None:
    """How long the play takes: ``9 moves if those who win hurry and the others delay``; None if that is not known."""
    if solution.distance is not None:
        moves = f"{solution.distance:,} move{'s' * (solution.distance != 1)}"
        return f"{moves}, if those who win hurry and the others delay"
    duration = solution.duration
    if duration is None:
        return None
    if duration.length is not None:
        unit = duration.unit.value if duration.length[0] != 1 else ONE[duration.unit]
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
    if not is_opposed:
        who = " and ".join(players) if able else "nobody"
        return f"{who} can keep the play going for ever without getting less"
    others = [player for player in players if player not in able]
    if not able:
        return "nobody can keep the play going for ever without giving something away"
    if not others:
        return f"{' and '.join(able)} can each keep the play going for ever, unless the other gives something away"
    return f"{able[0]} can keep the play going for ever, unless {others[0]} gives something away"


def _number(bounds: Bounds) -> str:
    return within(*middle_of(bounds))
