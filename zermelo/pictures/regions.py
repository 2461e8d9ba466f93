"""What two players can get: all outcomes as points of a plane, their hull, the Pareto front and the equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from attrs import frozen

from zermelo.pictures.curves import Axis, axis, written
from zermelo.pictures.marks import (
    FAINT,
    INK,
    PAPER,
    Box,
    Disc,
    Lettering,
    Mark,
    Picture,
    Point,
    Polygon,
    Style,
    colour_of,
    line_colour,
    text_width,
)

Payoffs: TypeAlias = tuple[Fraction, Fraction]
"""What the first player gets, and what the second one gets."""

_SIDE: Final = 360.0
_SIZE: Final = 11.0
_DOT, _STAR = 3.0, 6.0
_FRONT: Final = "#b8860b"


@frozen
class NamedPoint:
    """Payoffs with a text that is to stand beside them, if there is room."""

    payoffs: Payoffs
    name: str


@frozen
class DrawnRegion:
    """The payoffs of a game of two players: those of all ``outcomes``; the corners of their ``hull``, counterclockwise;
    those of the Pareto ``front``, from the best for the second player to the best for the first; those of the
    ``equilibria``; what each player can be ``secure`` of. ``remarks`` are sentences below."""

    title: str
    players: tuple[str, str]
    outcomes: tuple[Payoffs, ...]
    hull: tuple[Payoffs, ...]
    front: tuple[Payoffs, ...]
    equilibria: tuple[NamedPoint, ...]
    secure: Payoffs
    remarks: tuple[str, ...] = ()


def region_picture(region: DrawnRegion) -> Picture:
    """The picture of what two players can get."""
    across, up = (
        axis(min(each[p] for each in region.outcomes), max(each[p] for each in region.outcomes), _SIDE)
        for p in range(2)
    )

    def at(payoffs: Payoffs) -> Point:
        return across.place(payoffs[0]), -up.place(payoffs[1])

    hull = [at(each) for each in region.hull]
    marks: list[Mark] = [
        *_grid(across, up),
        Polygon(tuple(hull), Style("#8c959f", "#eaeef2", 1.2)),
        *_levels(region, across, up),
        Polygon(tuple(at(each) for each in region.front), Style(_FRONT, width=3), is_open=True),
        *(Disc(*at(each), _DOT, Style(INK, PAPER, 1.2)) for each in region.outcomes),
        *(Disc(*at(each.payoffs), _STAR, Style(INK, _FRONT, 1.2)) for each in region.equilibria),
    ]
    taken = [mark.box for mark in marks if isinstance(mark, Disc | Lettering)]
    marks += _names(region.equilibria, [at(each.payoffs) for each in region.equilibria], taken)
    marks += _heads(region, across, up)
    return Picture(region.title, tuple(marks), " ".join(region.remarks))


def _grid(across: Axis, up: Axis) -> list[Mark]:
    """Lines at round numbers, and the numbers."""
    marks: list[Mark] = []
    for number in across.ticks:
        x = across.place(number)
        marks.append(Polygon(((x, 0), (x, -_SIDE)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(x, 16, written(number), _SIZE, FAINT, "middle"))
    for number in up.ticks:
        y = -up.place(number)
        marks.append(Polygon(((0, y), (_SIDE, y)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(-8, y + 4, written(number), _SIZE, FAINT, "end"))
    return marks


def _levels(region: DrawnRegion, across: Axis, up: Axis) -> list[Mark]:
    """Broken lines at what the players secure."""
    x, y = across.place(region.secure[0]), -up.place(region.secure[1])
    return [
        Polygon(((x, 0), (x, -_SIDE)), Style(line_colour(0, region.players), width=1.4, dash="5 4"), is_open=True),
        Polygon(((0, y), (_SIDE, y)), Style(line_colour(1, region.players), width=1.4, dash="5 4"), is_open=True),
    ]


def _names(named: Sequence[NamedPoint], places: Sequence[Point], taken: list[Box]) -> list[Mark]:
    """The names of points beside them, where nothing else is; a name without room is left out."""
    found: list[Mark] = []
    for each, (x, y) in zip(named, places, strict=True):
        half = text_width(each.name, _SIZE, is_bold=True) / 2
        beside = [(x + 10 + half, y - 6), (x + 10 + half, y + 14), (x - 10 - half, y - 6), (x - 10 - half, y + 14)]
        for middle, line in [*beside, (x, y - 11), (x, y + 19)]:
            word = Lettering(middle, line, each.name, _SIZE, INK, "middle", is_bold=True)
            if not any(word.box.overlaps(box) for box in taken):
                taken.append(word.box)
                found.append(word)
                break
    return found


def _heads(region: DrawnRegion, across: Axis, up: Axis) -> list[Mark]:
    """The title, the names of the players at their axes, and the remarks."""
    left = -16 - max(text_width(written(number), _SIZE) for number in up.ticks)
    first, second = region.players
    return [
        Lettering(left, -_SIDE - 48, region.title, 16, is_bold=True),
        Lettering(left, -_SIDE - 18, f"{second} gets", 12, colour_of(1, region.players), is_bold=True),
        Lettering(_SIDE, 36, f"{first} gets", 12, colour_of(0, region.players), "end", is_bold=True),
        *(Lettering(left, 62 + 16 * k, remark, 11, FAINT, is_italic=True) for k, remark in enumerate(region.remarks)),
    ]
