"""How numbers change while something goes on: lines over an axis of steps, each with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from attrs import frozen

from zermelo.pictures.axes import AnyAxis, about, axis, count_axis, log_axis, written
from zermelo.pictures.marks import FAINT, INK, Lettering, Mark, Picture, Point, Polygon, Style
from zermelo.pictures.symbols import nth_colour
from zermelo.pictures.text_width import text_width

Reached: TypeAlias = tuple[int, Fraction]
"""How many steps have been made, and the number after them."""

_WIDTH, _HEIGHT = 480.0, 300.0
_SIZE: Final = 11.0
_APART: Final = 15.0
"""Between two names, one above the other."""

_DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
"""Lines differ in these as well as in colour, so that either is enough."""


@frozen
class NamedCurve:
    """A line of a picture: its name and its ``points``, at least one, by growing steps."""

    name: str
    points: tuple[Reached, ...]


@frozen
class DrawnCurves:
    """Lines, the most telling first. ``steps`` is the name of what is counted, ``scale`` that of the numbers, of which
    ``is_logarithmic`` tells whether they are positive and on a scale of powers of ten. ``remarks`` are sentences
    below. ``has_log_steps`` tells whether steps, from 1, are on such a scale, too; else they are few, from 0."""

    title: str
    steps: str
    scale: str
    is_logarithmic: bool
    curves: tuple[NamedCurve, ...]
    remarks: tuple[str, ...] = ()
    has_log_steps: bool = True


def curves_picture(drawn: DrawnCurves) -> Picture:
    """The picture of some lines."""
    counts = [Fraction(count) for curve in drawn.curves for count, _ in curve.points]
    amounts = [amount for curve in drawn.curves for _, amount in curve.points]
    across = (log_axis if drawn.has_log_steps else count_axis)(min(counts), max(counts), _WIDTH)
    up = (log_axis if drawn.is_logarithmic else axis)(min(amounts), max(amounts), _HEIGHT)
    lines = [[(across.place(Fraction(n)), -up.place(amount)) for n, amount in curve.points] for curve in drawn.curves]
    marks: list[Mark] = list(_grid(across, up))
    for k, line in reversed([*enumerate(lines)]):  # the first above the others
        marks.append(Polygon(tuple(line), _style(k), is_open=True))
    marks += _names(drawn.curves, [line[-1] for line in lines])
    marks += _heads(drawn, up)
    return Picture(drawn.title, tuple(marks), " ".join([*map(_said, drawn.curves), *drawn.remarks]))


def _style(k: int) -> Style:
    return Style(nth_colour(k), width=2.0 if k == 0 else 1.6, dash=_DASHES[k % len(_DASHES)])


def _grid(across: AnyAxis, up: AnyAxis) -> list[Mark]:
    """Lines at round numbers, and the numbers."""
    marks: list[Mark] = []
    for number in across.ticks:
        x = across.place(number)
        marks.append(Polygon(((x, 0), (x, -up.length)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(x, 16, written(number), _SIZE, FAINT, "middle"))
    for number in up.ticks:
        y = -up.place(number)
        marks.append(Polygon(((0, y), (across.length, y)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(-8, y + 4, written(number), _SIZE, FAINT, "end"))
    return marks


def _names(curves: Sequence[NamedCurve], ends: Sequence[Point]) -> list[Mark]:
    """The name of each line to the right of all, as near to its end as the others allow, and a fine line to it."""
    order = sorted(range(len(curves)), key=lambda k: ends[k][1])
    marks: list[Mark] = []
    for k, y in zip(order, apart([ends[k][1] for k in order]), strict=True):
        colour = nth_colour(k)
        marks.append(Polygon((ends[k], (_WIDTH + 16, y)), Style(colour, width=0.7), is_open=True))
        marks.append(Lettering(_WIDTH + 20, y + 4, curves[k].name, _SIZE, colour, is_bold=k == 0))
    return marks


def apart(wanted: Sequence[float]) -> list[float]:
    """Places near those wanted, which grow, and no two too near for names: those that would be are spread about the
    middle of what they want (isotonic regression by pooling neighbours, Ayer and others 1955)."""
    pools: list[tuple[float, int]] = []  # of each run of neighbours the place of its first, and how many they are
    for place in wanted:
        pools.append((place, 1))
        while len(pools) > 1 and pools[-2][0] + pools[-2][1] * _APART > pools[-1][0]:
            (above, some), (below, more) = pools[-2:]
            pools[-2:] = [((above * some + (below - some * _APART) * more) / (some + more), some + more)]
    return [first + k * _APART for first, count in pools for k in range(count)]


def _heads(drawn: DrawnCurves, up: AnyAxis) -> list[Mark]:
    """The title, the names of the axes, and the remarks."""
    left = -16 - max(text_width(written(number), _SIZE) for number in up.ticks)
    return [
        Lettering(left, -_HEIGHT - 48, drawn.title, 16, is_bold=True),
        Lettering(left, -_HEIGHT - 18, drawn.scale, 12, INK, is_bold=True),
        Lettering(_WIDTH, 36, drawn.steps, 12, INK, "end", is_bold=True),
        *(Lettering(left, 62 + 16 * k, remark, 11, FAINT, is_italic=True) for k, remark in enumerate(drawn.remarks)),
    ]


def _said(curve: NamedCurve) -> str:
    """A line in words."""
    count, amount = curve.points[-1]
    said = written(amount) if amount.denominator == 1 else about(amount)
    return f"{curve.name}: {said} after {count:,}."
