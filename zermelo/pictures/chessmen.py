"""The six figures of chess, as shapes: not every font has their signs, and what makes PNG of SVG asks only one font."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zermelo.pictures.marks import Disc, Mark, Point, Polygon, Style


def _both_sides(*right: Point) -> tuple[Point, ...]:
    """An outline from its right half, from the top to the foot."""
    return (*right, *((-x, y) for x, y in reversed(right)))


_FOOT: Final = _both_sides((0.26, 0.30), (0.30, 0.40))

_OUTLINES: Final[dict[str, Sequence[tuple[Point, ...]]]] = {
    "♟": (_both_sides((0.13, -0.04), (0.07, 0.02), (0.20, 0.30)), _FOOT),
    "♜": (
        _both_sides(
            (0.05, -0.27), (0.05, -0.35), (0.14, -0.35), (0.14, -0.27), (0.19, -0.27), (0.19, -0.35), (0.27, -0.35),
            (0.27, -0.18), (0.18, -0.10), (0.18, 0.20), (0.25, 0.30),
        ),
        _FOOT,
    ),
    "♞": (
        (
            (-0.08, -0.42), (0.01, -0.34), (0.12, -0.30), (0.21, -0.18), (0.25, 0.00), (0.25, 0.30), (-0.21, 0.30),
            (-0.16, 0.17), (0.00, 0.02), (-0.03, -0.05), (-0.14, 0.04), (-0.23, 0.08), (-0.30, 0.00), (-0.27, -0.07),
            (-0.17, -0.23), (-0.10, -0.30),
        ),
        _FOOT,
    ),
    "♝": (
        _both_sides(
            (0.00, -0.34), (0.11, -0.23), (0.17, -0.10), (0.15, 0.03), (0.08, 0.10), (0.12, 0.20), (0.24, 0.30),
        ),
        _FOOT,
    ),
    "♛": (
        _both_sides((0.00, -0.06), (0.14, -0.30), (0.17, 0.00), (0.33, -0.20), (0.22, 0.18), (0.24, 0.30)),
        _FOOT,
    ),
    "♚": (
        _both_sides((0.03, -0.26), (0.03, -0.33), (0.09, -0.33), (0.09, -0.39), (0.03, -0.39), (0.03, -0.44)),
        _both_sides(
            (0.00, -0.26), (0.08, -0.12), (0.21, -0.18), (0.31, -0.09), (0.28, 0.04), (0.20, 0.16), (0.23, 0.30),
        ),
        _FOOT,
    ),
}  # fmt: skip
"""Outlines about (0, 0), in a square whose sides are 1, y downwards."""

_BALLS: Final[dict[str, Sequence[tuple[float, float, float]]]] = {
    "♟": ((0.00, -0.17, 0.14),),
    "♝": ((0.00, -0.37, 0.05),),
    "♛": ((-0.33, -0.23, 0.05), (-0.14, -0.33, 0.05), (0.14, -0.33, 0.05), (0.33, -0.23, 0.05)),
}
"""Discs: x, y, and the radius."""

_EYES: Final = {"♞": ((-0.11, -0.19, 0.025),)}
"""Discs in the colour of the outline."""

_FILLED: Final = dict(zip("♙♖♘♗♕♔", "♟♜♞♝♛♚", strict=True))
"""The signs of white figures, and those of the same ones in black; who has them their colour says."""


def chessman_marks(sign: str, room: float, style: Style) -> list[Mark]:
    """The marks of a figure about (0, 0), in a square whose sides are ``room``; none if the sign is no figure's."""
    sign = _FILLED.get(sign, sign)
    if sign not in _OUTLINES:
        return []
    outlines = (tuple((x * room, y * room) for x, y in points) for points in _OUTLINES[sign])
    balls = [Disc(x * room, y * room, radius * room, style) for x, y, radius in _BALLS.get(sign, ())]
    eyes = [Disc(x * room, y * room, radius * room, Style(fill=style.stroke)) for x, y, radius in _EYES.get(sign, ())]
    return [*(Polygon(points, style) for points in outlines), *balls, *eyes]
