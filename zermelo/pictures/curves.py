"""How numbers change while something goes on: lines over an axis of steps, each with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final, TypeAlias

from attrs import frozen

from zermelo.pictures.marks import (
    FAINT,
    INK,
    Lettering,
    Mark,
    Picture,
    Point,
    Polygon,
    Rows,
    Style,
    nth_colour,
    remark_marks,
    text_width,
    title_marks,
)

# Axes with round numbers: what lies where on them, on a plain scale and on one of powers of ten.


_TICKS: Final = 6
"""About how many numbers stand on an axis."""

_LONG: Final = 10**6
"""Numbers from this one on are written with powers of ten."""

_SHORT: Final = Fraction(1, 10**4)
"""So are numbers below this one."""

_SIZE: Final = 11.0
_FEW_DECADES: Final = 2
"""On an axis of at most so many powers of ten there is room for 2 and 5 times each."""


@frozen
class Axis:
    """Numbers from ``low`` to ``high`` along so many pixels, from the left or from below, with ``ticks`` at round ones;
    if it ``is_logarithmic``, positive ones, with as many pixels for each power of ten."""

    low: Fraction
    high: Fraction
    length: float
    ticks: tuple[Fraction, ...]
    is_logarithmic: bool = False

    def place(self, number: Fraction) -> float:
        """How far along the axis a number lies, in pixels."""
        if self.is_logarithmic:
            return _log(number / self.low) / _log(self.high / self.low) * self.length
        return float((number - self.low) / (self.high - self.low)) * self.length


def axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of numbers between two, from a round one to a round one; if they are the same, with one on each side."""
    if least == most:
        least, most = least - 1, most + 1
    step = _step((most - least) / _TICKS)
    first, last = floor(least / step), ceil(most / step)
    return Axis(first * step, last * step, length, tuple(k * step for k in range(first, last + 1)))


def count_axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of whole numbers between two, with ticks at whole numbers, from a round one to the last."""
    last = max(most, least + 1)
    step = max(Fraction(1), _step((last - least) / _TICKS / 2))
    first = floor(least / step) * step
    return Axis(first, last, length, tuple(first + k * step for k in range(floor((last - first) / step) + 1)))


def log_axis(least: Fraction, most: Fraction, length: float) -> Axis:
    """The axis of positive numbers between two, from a round one to a round one: powers of ten, or these with 2 and 5
    times each if they are few."""
    first, last = _decade(least), -_decade(1 / most)
    last = max(last, first + 1)
    if last - first <= _FEW_DECADES:
        round_ones = [factor * Fraction(10) ** power for power in range(first, last + 1) for factor in (1, 2, 5)]
        below = [each for each in round_ones if each <= least]
        above = [each for each in round_ones if each >= most and each > below[-1]]
        ticks = tuple(each for each in round_ones if below[-1] <= each <= above[0])
    else:
        stride = ceil((last - first) / _TICKS)
        ticks = tuple(Fraction(10) ** power for power in range(first, last + stride, stride))
    return Axis(ticks[0], ticks[-1], length, ticks, is_logarithmic=True)


def _step(least: Fraction) -> Fraction:
    """The least of ..., 1/10, 1/5, 1/2, 1, 2, 5, 10, ... that is at least ``least``."""
    power = Fraction(10) ** _decade(least)
    return next(step for factor in (1, 2, 5, 10, 20) if (step := factor * power) >= least)


def _decade(number: Fraction) -> int:
    """The exponent of the greatest power of ten that is at most a positive number."""
    near = floor(_log(number))  # which rounding may have taken past the power next to it
    return next(power for power in (near + 1, near, near - 1) if Fraction(10) ** power <= number)


def _log(number: Fraction) -> float:
    """The logarithm of a positive number, which may be beyond floating point."""
    return log10(number.numerator) - log10(number.denominator)


def axis_text(number: Fraction) -> str:
    """A number at an axis: 1,000 and 0.01, and powers of ten where these are shorter."""
    is_plain = number.denominator == 1 and abs(number) < _LONG
    return f"{int(number):,}" if is_plain else rounded_text(number, 6)


def rounded_text(number: Fraction, digits: int = 3) -> str:
    """A number rounded to so many digits, without zeros at the end; it may be beyond floating point."""
    value = Decimal(number.numerator) / Decimal(number.denominator)
    rounded = f"{value:.{digits - 1}e}" if 0 < abs(number) < _SHORT else f"{value:.{digits}g}"
    figures, e, power = rounded.partition("e")
    short = figures.rstrip("0").rstrip(".") if "." in figures else figures
    return f"{short}{e}{int(power)}" if e else short


def axis_marks(across: Axis, up: Axis) -> list[Mark]:
    """Lines at round numbers, and the numbers."""
    marks: list[Mark] = []
    for number in across.ticks:
        x = across.place(number)
        marks.append(Polygon(((x, 0), (x, -up.length)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(x, 16, axis_text(number), _SIZE, FAINT, "middle"))
    for number in up.ticks:
        y = -up.place(number)
        marks.append(Polygon(((0, y), (across.length, y)), Style("#d0d7de"), is_open=True))
        marks.append(Lettering(-8, y + 4, axis_text(number), _SIZE, FAINT, "end"))
    return marks


def axis_heads(
    across: Axis,
    up: Axis,
    title: str,
    names: tuple[str, str],
    remarks: Sequence[str],
    colours: Sequence[str] = (INK, INK),
) -> list[Mark]:
    """The title, the names of both axes, and the remarks."""
    left = -16 - max(text_width(axis_text(number), _SIZE) for number in up.ticks)
    width = across.length - left
    return [
        *title_marks(title, left, -up.length - 48, width),
        Lettering(left, -up.length - 18, names[1], 12, colours[1], is_bold=True),
        Lettering(across.length, 36, names[0], 12, colours[0], "end", is_bold=True),
        *remark_marks(remarks, left, 62, width),
    ]


Reached: TypeAlias = tuple[int, Fraction]
"""How many steps have been made, and the number after them."""

_WIDTH, _HEIGHT = 480.0, 300.0
_APART: Final = 15.0
"""The distance between two names, one above the other."""

_DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
"""Lines differ in these as well as in colour, so that either is enough."""


@frozen
class NamedCurve:
    """A line of a picture: its name and its ``points``, at least one, by growing steps; and for each of them the least
    and the most where the line is a mean, or nothing."""

    name: str
    points: tuple[Reached, ...]
    spread: tuple[tuple[Fraction, Fraction], ...] = ()


@frozen
class DrawnCurves:
    """Lines, the most telling first. ``steps`` is the name of what is counted, ``scale`` that of the numbers; if
    ``is_logarithmic``, they are positive and on a scale of powers of ten. ``remarks`` are sentences below. If
    ``has_log_steps``, the steps are counted from 1 on such a scale, too; else they are few, and counted from 0.
    ``rows`` are the numbers of the picture."""

    title: str
    steps: str
    scale: str
    is_logarithmic: bool
    curves: tuple[NamedCurve, ...]
    remarks: tuple[str, ...] = ()
    has_log_steps: bool = True
    rows: Rows | None = None


def curves_picture(drawn: DrawnCurves) -> Picture:
    """The picture of some lines."""
    counts = [Fraction(count) for curve in drawn.curves for count, _ in curve.points]
    amounts = [amount for curve in drawn.curves for _, amount in curve.points]
    amounts += [amount for curve in drawn.curves for ends in curve.spread for amount in ends]
    across = (log_axis if drawn.has_log_steps else count_axis)(min(counts), max(counts), _WIDTH)
    up = (log_axis if drawn.is_logarithmic else axis)(min(amounts), max(amounts), _HEIGHT)
    lines = [[(across.place(Fraction(n)), -up.place(amount)) for n, amount in curve.points] for curve in drawn.curves]
    marks: list[Mark] = axis_marks(across, up)
    for k, curve in enumerate(drawn.curves):
        if curve.spread:
            marks.append(_band(curve, [x for x, _ in lines[k]], up, k))
    for k, line in reversed([*enumerate(lines)]):  # the first above the others
        marks.append(Polygon(tuple(line), _style(k), is_open=True))
    marks += _names(drawn.curves, [line[-1] for line in lines])
    marks += axis_heads(across, up, drawn.title, (drawn.steps, drawn.scale), drawn.remarks)
    said = " ".join([*map(_curve_in_words, drawn.curves), *drawn.remarks])
    return Picture(drawn.title, tuple(marks), said, rows=drawn.rows)


def curve_rows(curves: Sequence[NamedCurve], line: str, steps: str, amount: str) -> Rows:
    """The points of lines, in columns with these names."""
    rows = [(curve.name, count, double(value)) for curve in curves for count, value in curve.points]
    return Rows({line: "string", steps: "int64", amount: "double"}, tuple(rows))


def double(number: Fraction) -> float | None:
    """A number to double precision; None if it is beyond that."""
    try:
        return float(number)
    except OverflowError:
        return None


def _band(curve: NamedCurve, places: Sequence[float], up: Axis, k: int) -> Mark:
    """The area between the least and the most."""
    below = [(x, -up.place(low)) for x, (low, _) in zip(places, curve.spread, strict=True)]
    above = [(x, -up.place(high)) for x, (_, high) in zip(places, curve.spread, strict=True)]
    return Polygon((*below, *reversed(above)), Style(fill=nth_colour(k), opacity=0.15))


def _style(k: int) -> Style:
    return Style(nth_colour(k), width=2.0 if k == 0 else 1.6, dash=_DASHES[k % len(_DASHES)])


def _names(curves: Sequence[NamedCurve], ends: Sequence[Point]) -> list[Mark]:
    """The name of each line to the right of all, as near to its end as the others allow, and a fine line to it."""
    order = sorted(range(len(curves)), key=lambda k: ends[k][1])
    marks: list[Mark] = []
    for k, y in zip(order, spread_places([ends[k][1] for k in order]), strict=True):
        colour = nth_colour(k)
        marks.append(Polygon((ends[k], (_WIDTH + 16, y)), Style(colour, width=0.7), is_open=True))
        marks.append(Lettering(_WIDTH + 20, y + 4, curves[k].name, _SIZE, colour, is_bold=k == 0))
    return marks


def spread_places(wanted: Sequence[float]) -> list[float]:
    """Places near the wanted ones, which are in order, with room for a name at each: those that are too near are spread
    about the middle of the places they want (isotonic regression by pooling neighbours, Ayer and others 1955)."""
    pools: list[tuple[float, int]] = []  # for each run of neighbours: the place of its first, and their number
    for place in wanted:
        pools.append((place, 1))
        while len(pools) > 1 and pools[-2][0] + pools[-2][1] * _APART > pools[-1][0]:
            (above, some), (below, more) = pools[-2:]
            pools[-2:] = [((above * some + (below - some * _APART) * more) / (some + more), some + more)]
    return [first + k * _APART for first, count in pools for k in range(count)]


def _curve_in_words(curve: NamedCurve) -> str:
    """A line in words."""
    count, amount = curve.points[-1]
    said = axis_text(amount) if amount.denominator == 1 else rounded_text(amount)
    return f"{curve.name}: {said} after {count:,}."
