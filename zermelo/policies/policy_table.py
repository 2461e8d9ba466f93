"""A policy as a table for people: where to do what.

Decisions with the same best moves become one row if they differ in one number alone and lie side by side: ``pot = 2 to
5: roll``. Numbers lie side by side if no decision of the table has one in between. So a row with several ranges stands
for the decisions that are in all of them, every one of which has these best moves, and for no others. The number that
saves most rows is taken first, until none saves any.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeVar

from attrs import evolve, frozen

from zermelo.boards import WIDTH
from zermelo.numbers import FEW_DIGITS, short_text, within
from zermelo.solutions.durations import length_head, short_length
from zermelo.solvers.forms.duration import Duration

SHOWN: Final = 40
"""The greatest number of rows shown."""

MERGED: Final = 20_000
"""The greatest number of decisions that are looked at for neighbours."""

Amount = TypeVar("Amount", int, Fraction)

_NUMBER: Final = re.compile(r"-?\d+")

Span = tuple[int, int]
"""The first and the last of some things in a row."""


@frozen
class Choice:
    """A decision in words: the ``phase``, the ``player``, the ``entries`` of the position by their names, the ``best``
    moves; its ``value`` for the player, known to within ``error``, and its ``distance``, the moves to the end, or
    ``duration``, how many steps it is to the end on average; None where they are not known."""

    phase: str
    player: str
    entries: Mapping[str, str]
    best: str
    value: Fraction | None
    error: Fraction
    distance: int | None
    duration: Duration | None = None


@frozen
class _Scale:
    """All entries of one name in a table: numbers in their order, others as they come."""

    name: str
    texts: tuple[str, ...]
    is_of_numbers: bool

    def text(self, span: Span) -> str:
        return _range(*(self.texts[k] for k in span))


@frozen
class _Row:
    """Decisions that differ in numbers alone: in the first and the last of each of the scales."""

    phase: str
    player: str
    best: str
    spans: tuple[Span, ...]
    values: tuple[Fraction, Fraction] | None
    error: Fraction
    distances: Span | None
    durations: tuple[Duration, Duration] | None

    @property
    def value(self) -> str:
        if self.values is None:
            return ""
        low, high = self.values
        if low == high:
            return within(low, self.error, FEW_DIGITS)
        return _range(*(short_text((value - self.error, value + self.error)) for value in self.values))


def policy_table(choices: Sequence[Choice]) -> tuple[tuple[str, ...], list[tuple[str, ...]], int]:
    """The heads and the rows of a table of decisions, up to the limit, and the number of rows left out. Columns without
    information are left out, too; a position has a column for each of its entries if these are narrow."""
    scales = _scales(choices)
    rows = _rows(choices, scales)
    if len(rows) <= MERGED:
        rows = _merged(rows, [k for k, scale in enumerate(scales) if scale.is_of_numbers])
    phases = list(dict.fromkeys(choice.phase for choice in choices))
    players = list(dict.fromkeys(choice.player for choice in choices))
    rows.sort(key=lambda row: (phases.index(row.phase), players.index(row.player), row.spans))
    shown = rows[:SHOWN]
    told = [k for k, scale in enumerate(scales) if len(scale.texts) > 1 or len(choices) == 1]
    positions = [(scales[k].name, [scales[k].text(row.spans[k]) for row in shown]) for k in told]
    if sum(2 + max(map(len, [name, *cells])) for name, cells in positions) > WIDTH // 2:
        texts = [", ".join(f"{name} = {cells[k]}" for name, cells in positions) for k in range(len(shown))]
        positions = [("position", texts)]
    are_even = len({choice.duration for choice in choices}) == 1 < len(choices)
    says_more = len({(row.phase, row.player) for row in rows}) > len(players) > 0
    columns = [
        *([("in", [row.phase for row in shown])] if says_more or not positions else []),
        *positions,
        *([("player", [row.player for row in shown])] if len(players) > 1 else []),
        ("best", [row.best for row in shown]),
        ("they get" if len(players) > 1 else "value", [row.value for row in shown]),
        ("moves to the end", ["" if row.distances is None else _range(*map(str, row.distances)) for row in shown]),
        (
            length_head(choice.duration for choice in choices),
            ["" if are_even else _lengths(row) for row in shown],
        ),
    ]
    columns = [(head, cells) for head, cells in columns if any(cells)]
    return (
        tuple(head for head, _ in columns),
        list(zip(*(cells for _, cells in columns), strict=True)),
        len(rows) - len(shown),
    )


def _lengths(row: _Row) -> str:
    return "" if row.durations is None else _range(*map(short_length, row.durations))


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first} to {last}"


def _scales(choices: Sequence[Choice]) -> list[_Scale]:
    found: dict[str, dict[str, None]] = {}
    for choice in choices:
        for name, text in choice.entries.items():
            found.setdefault(name, {})[text] = None
    scales = []
    for name, texts in found.items():
        is_everywhere = all(name in choice.entries for choice in choices)
        is_of_numbers = is_everywhere and all(map(_NUMBER.fullmatch, texts))
        shown = sorted(texts, key=int) if is_of_numbers else [*texts, *([] if is_everywhere else [""])]
        scales.append(_Scale(name, tuple(shown), is_of_numbers))
    return scales


def _rows(choices: Sequence[Choice], scales: Sequence[_Scale]) -> list[_Row]:
    """A row for each decision."""
    places = [{text: (k, k) for k, text in enumerate(scale.texts)} for scale in scales]
    return [
        _Row(
            choice.phase,
            choice.player,
            choice.best,
            tuple(at[choice.entries.get(scale.name, "")] for at, scale in zip(places, scales, strict=True)),
            None if choice.value is None else (choice.value, choice.value),
            choice.error,
            None if choice.distance is None else (choice.distance, choice.distance),
            None if choice.duration is None else (choice.duration, choice.duration),
        )
        for choice in choices
    ]


def _merged(rows: list[_Row], numbers: Sequence[int]) -> list[_Row]:
    """Neighbours together, by the number that saves most, as long as one does."""
    while True:
        tried = [_along(rows, number) for number in numbers]
        fewest = min(tried, key=len, default=rows)
        if len(fewest) == len(rows):
            return rows
        rows = fewest


def _along(rows: list[_Row], number: int) -> list[_Row]:
    """Rows together that agree in all but one number and lie side by side."""
    groups: dict[object, list[_Row]] = {}
    for row in rows:
        others = row.spans[:number] + row.spans[number + 1 :]
        groups.setdefault((row.phase, row.player, row.best, others, row.values is None), []).append(row)
    found: list[_Row] = []
    for group in groups.values():
        group.sort(key=lambda row: row.spans[number])
        joined = group[:1]
        for row in group[1:]:
            if row.spans[number][0] == joined[-1].spans[number][1] + 1:
                joined[-1] = _joined(joined[-1], row, number)
            else:
                joined.append(row)
        found += joined
    return found


def _joined(row: _Row, next: _Row, number: int) -> _Row:
    spans = list(row.spans)
    spans[number] = row.spans[number][0], next.spans[number][1]
    return evolve(
        row,
        spans=tuple(spans),
        values=_hull(row.values, next.values),
        error=max(row.error, next.error),
        distances=_hull(row.distances, next.distances),
        durations=None
        if row.durations is None or next.durations is None
        else (
            min(row.durations[0], next.durations[0], key=_by_length),
            max(row.durations[1], next.durations[1], key=_by_length),
        ),
    )


def _by_length(duration: Duration) -> tuple[Fraction, Fraction]:
    """Shorter ones first, then those that are likelier to end."""
    length = Fraction(0) if duration.length is None else duration.length[0]
    return -duration.ends[0], length


def _hull(one: tuple[Amount, Amount] | None, other: tuple[Amount, Amount] | None) -> tuple[Amount, Amount] | None:
    """From the least to the greatest of both; None if one is not known."""
    return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
