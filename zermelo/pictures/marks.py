"""What a picture is made of: marks at their places, in pixels from the upper left corner, y downwards.

A picture is a record, so that another can be put beside it, and so that a test can ask where its words are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import cos, inf, pi, sin
from typing import Final, Literal, Self, TypeAlias

from attrs import evolve, frozen

from zermelo.interpreter.machine import CHANCE

# How wide a text is, without asking a screen.
#
# A picture is laid out before anybody knows which font will show it. So widths are those of DejaVu Sans, which is wider
# than Helvetica, Arial and their likes, for which pictures ask first: what does not overlap in it does not overlap in
# them.


FONTS: Final = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

CODE_FONTS: Final = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"

_WIDTHS: Final = {
    0.28: "'ijl", 0.30: "IJ", 0.32: " ,.", 0.34: "/:;\\|", 0.36: "f", 0.37: "-", 0.40: "()[]t", 0.41: "!", 0.42: "r",
    0.46: '"', 0.50: "*_`", 0.53: "sz", 0.54: "?", 0.55: "c", 0.56: "L", 0.58: "Fk", 0.60: "vxy", 0.61: "P",
    0.62: "TYaeo", 0.64: "$0123456789ESbdghnpqu{}", 0.66: "K", 0.69: "ABVXZ", 0.70: "CR", 0.74: "U", 0.75: "N",
    0.76: "H", 0.77: "D", 0.78: "&G", 0.79: "OQ", 0.82: "w", 0.84: "#+<=>^~", 0.87: "M", 0.96: "%", 0.98: "m",
    0.99: "W",
}  # fmt: skip
"""Characters by their widths, in units of the size of the font."""

_WIDTH: Final = {character: width for width, characters in _WIDTHS.items() for character in characters}
_OTHERS: Final = 1.0
"""The width of what is not in the table: suits, arrows, letters of other alphabets."""

_BOLD: Final = 1.15
"""How much wider bold letters are, on the whole."""


_CODE: Final = 0.61
"""The width of every character in DejaVu Sans Mono."""


def text_width(text: str, size: float, is_bold: bool = False, is_code: bool = False) -> float:
    """The width of a text in a font of this size, both in the same unit; ``is_code``: in a font with letters of equal
    width."""
    if is_code:
        return len(text) * size * _CODE
    return sum(_WIDTH.get(character, _OTHERS) for character in text) * size * (_BOLD if is_bold else 1)


Point: TypeAlias = tuple[float, float]

INK: Final = "#1b1f24"
FAINT: Final = "#6e7781"
PAPER: Final = "#ffffff"
YELLOW: Final = "#f0c000"

PALE: Final = {PAPER: "#666d77", YELLOW: "#856a00"}
"""Colours that are too pale on paper: bold letters get an edge, thin letters and lines the other colour."""

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

    def scaled(self, factor: float) -> Style:
        dash = " ".join(f"{float(part) * factor:g}" for part in self.dash.split())
        return evolve(self, width=self.width * factor, dash=dash)


@frozen
class _Placed:
    """A mark with a place."""

    x: float
    y: float

    def shifted(self, x: float, y: float) -> Self:
        return evolve(self, x=self.x + x, y=self.y + y)

    def scaled(self, factor: float) -> Self:
        return evolve(self, x=self.x * factor, y=self.y * factor)


@frozen
class _Area(_Placed):
    """A mark with its upper left corner at (x, y)."""

    width: float
    height: float

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, self.x + self.width, self.y + self.height)

    def scaled(self, factor: float) -> Self:
        return evolve(super().scaled(factor), width=self.width * factor, height=self.height * factor)


@frozen
class _Line:
    """A mark through points."""

    points: tuple[Point, ...]
    style: Style

    @cached_property
    def box(self) -> Box:
        """A rectangle that the line does not leave."""
        return _around(self.points)

    def shifted(self, x: float, y: float) -> Self:
        return evolve(self, points=tuple((a + x, b + y) for a, b in self.points))

    def scaled(self, factor: float) -> Self:
        points = tuple((x * factor, y * factor) for x, y in self.points)
        return evolve(self, points=points, style=self.style.scaled(factor))


@frozen
class Lettering(_Placed):
    """A text on a line: (x, y) is its beginning, its middle or its end, on the line on which the letters stand."""

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
    edge: str = ""
    """The colour of a thin edge around the letters; none if it is empty."""

    @cached_property
    def box(self) -> Box:
        width = text_width(self.text, self.size, self.is_bold, self.is_code)
        left = self.x - {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        return Box(left, self.y - _ASCENT * self.size, left + width, self.y + _DESCENT * self.size)

    def scaled(self, factor: float) -> Self:
        return evolve(super().scaled(factor), size=self.size * factor)


@frozen
class Polygon(_Line):
    """Points with straight lines between them; ``is_open``: not from the last to the first."""

    is_open: bool = False


@frozen
class Disc(_Placed):
    """A circle and what is in it, about (x, y)."""

    radius: float
    style: Style

    @property
    def box(self) -> Box:
        return Box(self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius)

    def scaled(self, factor: float) -> Self:
        return evolve(super().scaled(factor), radius=self.radius * factor, style=self.style.scaled(factor))


@frozen
class Rectangle(_Area):
    """A rectangle with round corners of this ``radius``."""

    style: Style
    radius: float = 0.0

    def scaled(self, factor: float) -> Self:
        return evolve(super().scaled(factor), radius=self.radius * factor, style=self.style.scaled(factor))


@frozen
class Curve(_Line):
    """A cubic Bézier curve from the first of four points to the last: it begins towards the second, and ends from the
    third."""


@frozen
class Spot(_Area):
    """A place with a name, such as a cell or a node. It is invisible, and names what is clicked on in a picture that
    can be clicked on. What it shows may be ``entries`` of variables, such as ``left[2]``, or values in them."""

    name: str
    entries: tuple[str, ...] = ()

    @property
    def is_entry(self) -> bool:
        """Whether it is an entry of a variable, or a value in it, and no place of a board or a tree."""
        return self.name in self.entries


SeenMark: TypeAlias = Lettering | Polygon | Disc | Rectangle | Curve
Mark: TypeAlias = SeenMark | Spot


@frozen
class Rows:
    """The numbers that a picture shows, as rows: ``kinds`` are the names of the columns with the types of their values,
    ``string``, ``int64`` or ``double``; each row has a value for each column, None where there is none."""

    kinds: Mapping[str, str]
    rows: tuple[tuple[str | int | float | None, ...], ...]


NO_ROWS: Final = "all are but positions and `--deepening`"
"""Which pictures have no rows."""


@frozen
class Picture:
    """Marks, the earlier ones below the later. ``title`` says what is shown, and ``description`` says it to those who
    cannot see it. ``paper`` is the colour of the paper, if the marks have the colours for it: else it is white or, for
    readers who prefer that, dark. ``rows`` are the numbers behind it, if it is made of such, and ``tabular`` is what
    LaTeX sets as a table instead of a drawing, if it is one."""

    title: str
    marks: tuple[Mark, ...]
    description: str = ""
    paper: str = ""
    rows: Rows | None = None
    tabular: str = ""

    @property
    def box(self) -> Box:
        """The least box around all visible marks."""
        boxes = [mark.box for mark in self.marks if not isinstance(mark, Spot)]
        return _around([(each.left, each.top) for each in boxes] + [(each.right, each.bottom) for each in boxes])

    @property
    def words(self) -> tuple[Lettering, ...]:
        """The texts among the marks."""
        return tuple(mark for mark in self.marks if isinstance(mark, Lettering))

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The places that have a name."""
        return tuple(mark for mark in self.marks if isinstance(mark, Spot) and not mark.is_entry)

    @property
    def entries(self) -> tuple[Spot, ...]:
        """The entries of variables beside boards, in order."""
        return tuple(mark for mark in self.marks if isinstance(mark, Spot) and mark.is_entry)


_MARGIN: Final = 16.0


def sheet(picture: Picture) -> Box:
    """The box of a picture with its margin."""
    box = picture.box
    return Box(box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)


def move_marks(marks: Iterable[Mark], x: float, y: float) -> tuple[Mark, ...]:
    """Marks at another place."""
    return tuple(mark.shifted(x, y) for mark in marks)


def scale_marks(marks: Iterable[Mark], factor: float) -> tuple[Mark, ...]:
    """Marks in another size, about (0, 0)."""
    return tuple(mark.scaled(factor) for mark in marks)


NARROW: Final = 480.0
"""Titles and sentences below a picture may be as wide as this, however narrow the picture is."""


def wrap_words(text: str, size: float, width: float, is_bold: bool = False) -> list[str]:
    """A text in lines that are no wider than ``width``, unless a word is."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", size, is_bold) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def title_marks(title: str, x: float, y: float, width: float) -> list[Mark]:
    """A title in lines, the last of which is at y."""
    lines = wrap_words(title, 16, max(width, NARROW), is_bold=True)
    return [Lettering(x, y + 20 * k, line, 16, is_bold=True) for k, line in enumerate(lines, 1 - len(lines))]


def remark_marks(remarks: Sequence[str], x: float, y: float, width: float = inf) -> list[Mark]:
    """Sentences below a picture of this width, each on lines of its own."""
    lines = [line for remark in remarks for line in wrap_words(remark, 11, max(width, NARROW))]
    return [Lettering(x, y + 16 * k, line, 11, FAINT, is_italic=True) for k, line in enumerate(lines)]


def stack_pictures(title: str, pictures: Sequence[Picture], gap: float = 36.0, description: str = "") -> Picture:
    """One picture of several."""
    marks: list[Mark] = []
    y = 0.0
    for picture in pictures:
        box = picture.box
        marks += move_marks(picture.marks, -box.left, y - box.top)
        y += box.height + gap
    return Picture(title, tuple(marks), description)


def _around(points: Sequence[Point]) -> Box:
    """The least box around points; an empty one at the corner if there are none."""
    left = min((x for x, _ in points), default=inf)
    if left == inf:
        return Box(0, 0, 0, 0)
    return Box(left, min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points))


# How players, chance and ends are told apart: by shape and by colour, so that either is enough.
#
# The first two players are the triangles of the textbooks, for MAX upwards and for MIN downwards. The colours are near
# those of Okabe and Ito, which people who see few colours can tell apart; they are darker, for words on paper. Whatever
# is named after a colour has that colour.


RADIUS: Final = 10.0
"""How far a symbol reaches from its middle."""

_COLOURS: Final = ("#0072b2", "#c44e00", "#00805e", "#a8518a", "#3182b0", "#9a6a00")

BLACK: Final = "#000000"
WHITE: Final = PAPER

NAMED: Final = {
    "black": BLACK, "white": WHITE, "grey": "#636c76", "gray": "#636c76", "silver": "#636c76", "red": "#c1121f",
    "blue": "#0072b2", "green": "#007a33", "yellow": YELLOW, "gold": YELLOW, "orange": "#bf4c00",
    "brown": "#7b4a21", "purple": "#7a3fa8", "violet": "#7a3fa8", "pink": "#c02672", "magenta": "#c02672",
    "cyan": "#00747d", "turquoise": "#00747d", "tan": "#96692e",
}  # fmt: skip
"""Colours for the words for them, dark enough for words on paper unless they are ``PALE``."""

DARK: Final = {
    INK: "#e4e8ec", FAINT: "#a3adb8", PAPER: "#1b2027", "#8c959f": "#6d7884", "#f1f3f5": "#262d36",
    "#d0d7de": "#3b444f", "#afb8c1": "#56616d", "#eef1f4": "#262d36", "#f6f8fa": "#222831", "#eaeef2": "#2a323c",
    "#b8860b": "#d9a92b", "#9ec9e6": "#2f5b7c",
    "#0072b2": "#58b0ea", "#c44e00": "#f08a45", "#00805e": "#3fbd97", "#a8518a": "#d88bbd", "#3182b0": "#76b8dd",
    "#9a6a00": "#cf9d33", "#666d77": "#f4f6f8", "#856a00": "#d9b73c",
    "#c1121f": "#ff776d", "#636c76": "#a3adb8", "#007a33": "#4cc47e", "#bf4c00": "#f08a45", "#7b4a21": "#c99468",
    "#7a3fa8": "#bd93e6", "#c02672": "#f07ab2", "#00747d": "#43bcc6", "#96692e": "#cda368",
}  # fmt: skip
"""Colours of paper, lines and words, and what they are on dark paper."""

THEMES: Final = ("light", "dark")

AREAS: Final = {INK, FAINT, "#f1f3f5", "#eef1f4", "#f6f8fa", "#eaeef2", "#9ec9e6", "#9a6a00"}
"""Colours that areas have as well as words."""

_SHAPES: Final[tuple[tuple[Point, ...], ...]] = (
    ((0, -1), (1, 0.8), (-1, 0.8)),
    ((0, 1), (1, -0.8), (-1, -0.8)),
    ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    ((0, -1.1), (1.1, 0), (0, 1.1), (-1.1, 0)),
    tuple((sin(2 * pi * k / 5), -cos(2 * pi * k / 5)) for k in range(5)),
    tuple((sin(2 * pi * k / 6), -cos(2 * pi * k / 6)) for k in range(6)),
)


def nth_colour(number: int) -> str:
    """The colour of one of several things, by its number."""
    return _COLOURS[number % len(_COLOURS)]


def named_colour(name: str) -> str | None:
    """The colour that a name says, as ``Red`` and ``white_pawn`` do; None if it says none, or several."""
    found = {NAMED[word] for word in re.split(r"[^a-z]+", name.lower()) if word in NAMED}
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=16)
def colours_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """The colours of players: what their names say, if no two say the same, and others for the rest."""
    said = [named_colour(name) for name in names]
    own = [colour if said.count(colour) == 1 else None for colour in said]
    free = [colour for colour in _COLOURS if colour not in own]
    rest = [number for number, colour in enumerate(own) if colour is None]
    return tuple(colour or free[rest.index(number) % len(free)] for number, colour in enumerate(own))


def colour_of(actor: int, players: Sequence[str]) -> str:
    """The colour of one of these players, by number, or of chance, for words."""
    return colours_of(tuple(players))[actor] if actor >= 0 else FAINT


def line_colour(actor: int, players: Sequence[str]) -> str:
    """The same for lines."""
    colour = colour_of(actor, players)
    return PALE.get(colour, colour)


def symbol(actor: int, players: Sequence[str]) -> Mark:
    """The symbol of one of these players, by number, or of chance, about (0, 0)."""
    if actor == CHANCE:
        return Disc(0, 0, RADIUS * 0.8, Style(FAINT, PAPER, 1.5))
    points = tuple((x * RADIUS, y * RADIUS) for x, y in _SHAPES[actor % len(_SHAPES)])
    return Polygon(points, Style(line_colour(actor, players), PAPER, 1.8))


def key(actors: Sequence[int], players: Sequence[str], size: float) -> tuple[Mark, ...]:
    """Symbols of players, by number, and of chance, with their names beside them, in a row that begins at (0, 0)."""
    marks: list[Mark] = []
    x = RADIUS
    for actor in actors:
        name = "chance" if actor == CHANCE else players[actor]
        marks += move_marks([symbol(actor, players)], x, 0)
        marks.append(Lettering(x + RADIUS + 5, size * 0.35, name, size, colour_of(actor, players), is_bold=True))
        x += 3 * RADIUS + 13 + text_width(name, size, is_bold=True)
    return tuple(marks)
