"""A picture as TikZ, for documents in LaTeX: the marks of a picture at the same places as in SVG.

It is a ``tikzpicture`` to be read with ``\\input`` by a document that loads the package ``tikz``, and nothing else.
Words are in the sans serif font of the document, which is narrower than what the layout has room for, in sizes that
follow by scaling, so that every font will do. A pixel is 3/4 of a point, as in CSS.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from zermelo.pictures.marks import (
    PALE,
    PAPER,
    Box,
    Curve,
    Disc,
    Lettering,
    Picture,
    Point,
    Polygon,
    Rectangle,
    SeenMark,
    Spot,
    Style,
    sheet,
    text_width,
)

_POINTS: Final = 0.75
"""Points of TeX (those of PostScript) in a pixel."""

_BASE: Final = 10.0
"""The size of the font that is scaled, in points."""

_TYPED: Final = 0.525
"""The width of every character in Computer Modern Typewriter, in units of its size."""

_SPECIAL: Final = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\^{}", "~": r"\~{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': r"{\char34}", "-": "{-}", "'": "'{}",
    "`": "`{}",
    "\N{MULTIPLICATION SIGN}": r"$\times$", "\N{MULTIPLICATION X}": r"$\times$", "\N{MINUS SIGN}": "$-$",
    "±": r"$\pm$", "·": r"$\cdot$", "≈": r"$\approx$", "≠": r"$\neq$", "≤": r"$\leq$", "≥": r"$\geq$", "∞": r"$\infty$",
    "→": r"$\rightarrow$", "←": r"$\leftarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "…": r"\dots{}",
    "\N{EN DASH}": "--", "—": "---", "½": r"$\frac12$", "¼": r"$\frac14$", "¾": r"$\frac34$", "°": r"$^\circ$",
    "♠": r"$\spadesuit$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$",
    "♤": r"$\spadesuit$", "♡": r"$\heartsuit$", "♢": r"$\diamondsuit$", "♧": r"$\clubsuit$",
    "●": r"$\bullet$", "○": r"$\circ$", "■": r"$\blacksquare$", "★": r"$\star$",
    "\N{GREEK SMALL LETTER ALPHA}": r"$\alpha$", "β": r"$\beta$", "\N{GREEK SMALL LETTER GAMMA}": r"$\gamma$",
    "δ": r"$\delta$", "ε": r"$\varepsilon$", "λ": r"$\lambda$", "π": r"$\pi$",
}  # fmt: skip
"""What TeX reads in another way, and what the fonts of LaTeX have in formulas alone."""


def tikz(picture: Picture) -> str:
    """The picture as a ``tikzpicture``. The same picture is always the same text."""
    box = sheet(picture)
    marks = [mark for mark in picture.marks if not isinstance(mark, Spot)]
    ground = picture.paper or PAPER
    drawn = [_element(mark, ground) for mark in marks]
    if ground != PAPER:
        drawn.insert(0, _element(Rectangle(box.left, box.top, box.width, box.height, Style(fill=ground)), ground))
    colours = sorted(set(re.findall(r"zermelo([0-9a-f]{6})", "\n".join(drawn))))
    return "\n".join(
        [
            f"% {picture.title}",
            "% Read it with \\input in a document that has \\usepackage{tikz}.",
            f"\\begin{{tikzpicture}}[x={_POINTS:g}bp, y=-{_POINTS:g}bp, line join=round, line cap=round,",
            f"  every node/.style={{inner sep=0pt, outer sep=0pt, font=\\sffamily\\fontsize{{{_BASE:g}}}{{{_BASE:g}}}"
            "\\selectfont}]",
            *(f"\\definecolor{{zermelo{colour}}}{{HTML}}{{{colour.upper()}}}" for colour in colours),
            f"\\useasboundingbox {_rectangle(box)};",
            *drawn,
            "\\end{tikzpicture}\n",
        ]
    )


def _element(mark: SeenMark, ground: str) -> str:
    """One mark of a picture."""
    match mark:
        case Lettering():
            return _words(mark, ground)
        case Disc(x, y, radius, style):
            return f"\\path[{_style(style)}] {_point((x, y))} circle[radius={_length(radius)}];"
        case Rectangle(style=style, radius=radius):
            corners = f", rounded corners={_length(radius)}" if radius else ""
            return f"\\path[{_style(style)}{corners}] {_rectangle(mark.box)};"
        case Polygon(points, style, is_open):
            way = " -- ".join(map(_point, points))
            return f"\\path[{_style(style)}] {way}{'' if is_open else ' -- cycle'};"
        case Curve(points, style):
            begin, one, other, end = map(_point, points)
            return f"\\path[{_style(style)}] {begin} .. controls {one} and {other} .. {end};"
    assert_never(mark)


def _words(words: Lettering, ground: str) -> str:
    """A text. Letters that are too pale for their paper are in the darker colour, since TeX gives them no edge."""
    colour = PALE.get(words.colour, words.colour) if ground == PAPER else words.colour
    place = {"start": "base west", "middle": "base", "end": "base east"}[words.anchor]
    face = "\\ttfamily" * words.is_code + "\\bfseries" * words.is_bold + "\\slshape" * words.is_italic
    behind = f", fill={_colour(ground)}, inner sep={_length(1)}" if words.is_framed else ""
    scale = words.size * _POINTS / _BASE * (text_width(" ", 1, is_code=True) / _TYPED if words.is_code else 1)
    look = f"anchor={place}, scale={_number(scale)}, text={_colour(colour)}{behind}"
    text = tex_text(words.text, words.is_code)
    return f"\\node[{look}] at {_point((words.x, words.y))} {{{face}{' ' if face else ''}{text}}};"


def tex_text(text: str, is_code: bool = False) -> str:
    """A text as LaTeX writes it; in code spaces count."""
    blank = "\\ " if is_code else " "
    return "".join(blank if character == " " else _SPECIAL.get(character, character) for character in text)


def _style(style: Style) -> str:
    parts = []
    if style.fill != "none":
        parts.append(f"fill={_colour(style.fill)}")
    if style.stroke != "none":
        parts.append(f"draw={_colour(style.stroke)}, line width={_length(style.width)}")
    if style.dash:
        lengths = [_length(float(part)) for part in style.dash.split()]
        kinds = ("on", "off") * (len(lengths) // 2)
        parts.append("dash pattern=" + " ".join(f"{kind} {each}" for kind, each in zip(kinds, lengths, strict=True)))
    if style.opacity != 1:
        parts.append(f"opacity={_number(style.opacity)}")
    return ", ".join(parts)


def _colour(colour: str) -> str:
    return f"zermelo{colour[1:]}"


def _rectangle(box: Box) -> str:
    return f"{_point((box.left, box.top))} rectangle {_point((box.right, box.bottom))}"


def _point(point: Point) -> str:
    return f"({_number(point[0])},{_number(point[1])})"


def _length(pixels: float) -> str:
    return f"{_number(pixels * _POINTS)}bp"


def _number(value: float) -> str:
    """A number with as many decimals as one sees."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
