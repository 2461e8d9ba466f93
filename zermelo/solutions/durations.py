"""How long plays last, and who can keep them going, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.numbers import certain_decimals, middle_of, short_text, within

if TYPE_CHECKING:
    from zermelo.solvers.forms.duration import Bounds, Duration
    from zermelo.solvers.solution import Solution


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
