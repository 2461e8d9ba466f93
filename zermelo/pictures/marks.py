"""What a picture is made of: marks at their places, in pixels from the upper left corner, y downwards.

A picture is a record, so that another can be put beside it, and so that a test can ask where its words are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from zermelo.pictures.text_width import text_width

Point: TypeAlias = tuple[float, float]

INK: Final = "#1b1f24"
FAINT: Final = "#6e7781"
PAPER: Final = "#ffffff"
YELLOW: Final = "#f0c000"

PALE: Final = {PAPER: "#666d77", YELLOW: "#856a00"}
"""Colours that are pale on paper, so that bold letters have an edge; and what thin letters and lines have instead."""

TEXT_SIZE: Final = 12.0
_ASCENT, _DESCENT = 0.78, 0.24
"""How far letters reach above and below their line, in units of the size of the font."""


@frozen
class Box:
    """A rectangle whose sides are level and upright."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def overlaps(self, other: Box) -> bool:
        """Whether two boxes have more in common than a side."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@frozen
class Style:
    """How a line or an area looks. ``dash`` is the pattern of a broken line, as SVG writes it."""

    stroke: str = "none"
    fill: str = "none"
    width: float = 1.0
    dash: str = ""
    opacity: float = 1.0


@frozen
class Lettering:
    """Lettering on a line: (x, y) is where they begin, their middle or their end, on the line on which they stand."""

    x: float
    y: float
    text: str
    size: float = TEXT_SIZE
    colour: str = INK
    anchor: Literal["start", "middle", "end"] = "start"
    is_bold: bool = False
    is_italic: bool = False
    is_framed: bool = False
    """Whether paper lies behind the words, so that a line below them does not strike them out."""
    is_code: bool = False
    """Whether all letters are equally wide, and spaces count."""

    @property
    def box(self) -> Box:
        width = text_width(self.text, self.size, self.is_bold, self.is_code)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return Box(left, self.y - _ASCENT * self.size, left + width, self.y + _DESCENT * self.size)

    def shifted(self, x: float, y: float) -> Lettering:
        return evolve(self, x=self.x + x, y=self.y + y)


@frozen
class Polygon:
    """Points with straight lines between them; ``is_open``: not from the last to the first."""

    points: tuple[Point, ...]
    style: Style
    is_open: bool = False

    @property
    def box(self) -> Box:
        return _around(self.points)

    def shifted(self, x: float, y: float) -> Polygon:
        return evolve(self, points=tuple((a + x, b + y) for a, b in self.points))


@frozen
class Disc:
    """A circle and what is in it, about (x, y)."""

    x: float
    y: float
    radius: float
    style: Style

    @property
    def box(self) -> Box:
        return Box(self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius)

    def shifted(self, x: float, y: float) -> Disc:
        return evolve(self, x=self.x + x, y=self.y + y)


@frozen
class Rectangle:
    """A rectangle with its upper left corner at (x, y), and with round corners of this ``radius``."""

    x: float
    y: float
    width: float
    height: float
    style: Style
    radius: float = 0.0

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.x + self.width, self.y + self.height)

    def shifted(self, x: float, y: float) -> Rectangle:
        return evolve(self, x=self.x + x, y=self.y + y)


@frozen
class Curve:
    """A cubic Bézier curve from the first point to the last: towards the second first, and from the third at last."""

    points: tuple[Point, Point, Point, Point]
    style: Style

    @property
    def box(self) -> Box:
        """A rectangle that the curve does not leave."""
        return _around(self.points)

    def shifted(self, x: float, y: float) -> Curve:
        (a, b), (c, d), (e, f), (g, h) = self.points
        return evolve(self, points=((a + x, b + y), (c + x, d + y), (e + x, f + y), (g + x, h + y)))


@frozen
class Spot:
    """A place with a name, such as a cell or a node, with its upper left corner at (x, y). It is not seen: where a
    picture can be clicked on, it says on what."""

    x: float
    y: float
    width: float
    height: float
    name: str

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.x + self.width, self.y + self.height)

    def shifted(self, x: float, y: float) -> Spot:
        return evolve(self, x=self.x + x, y=self.y + y)


Mark: TypeAlias = Lettering | Polygon | Disc | Rectangle | Curve | Spot


@frozen
class Picture:
    """Marks, the earlier ones below the later. ``title`` says what is shown, and ``description`` says it to those who
    cannot see it."""

    title: str
    marks: tuple[Mark, ...]
    description: str = ""

    @property
    def box(self) -> Box:
        """What the marks take up that are seen."""
        boxes = [mark.box for mark in self.marks if not isinstance(mark, Spot)]
        return _around([(each.left, each.top) for each in boxes] + [(each.right, each.bottom) for each in boxes])

    @property
    def words(self) -> tuple[Lettering, ...]:
        """The texts among the marks."""
        return tuple(mark for mark in self.marks if isinstance(mark, Lettering))

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The places that have a name."""
        return tuple(mark for mark in self.marks if isinstance(mark, Spot))


def moved(marks: Iterable[Mark], x: float, y: float) -> tuple[Mark, ...]:
    """Marks at another place."""
    return tuple(mark.shifted(x, y) for mark in marks)


def below_each_other(title: str, pictures: Sequence[Picture], gap: float = 36.0, description: str = "") -> Picture:
    """One picture of several."""
    marks: list[Mark] = []
    y = 0.0
    for picture in pictures:
        box = picture.box
        marks += moved(picture.marks, -box.left, y - box.top)
        y += box.height + gap
    return Picture(title, tuple(marks), description)


def _around(points: Sequence[Point]) -> Box:
    """The least box around points; an empty one at the corner if there are none."""
    left = min((x for x, _ in points), default=inf)
    if left == inf:
        return Box(0, 0, 0, 0)
    return Box(left, min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points))
