"""A picture as SVG, which browsers and notebooks show: without scripts, and with nothing from elsewhere."""

from __future__ import annotations

from typing import Final, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from zermelo.pictures.marks import PALE, PAPER, Box, Curve, Disc, Lettering, Picture, Polygon, Rectangle, Spot, Style
from zermelo.pictures.text_width import CODE_FONTS, FONTS

_MARGIN: Final = 16.0

_EDGE: Final = 0.05
"""How wide the edges of pale letters are, in units of the size of the font."""

SeenMark: TypeAlias = Lettering | Polygon | Disc | Rectangle | Curve


def svg(picture: Picture) -> str:
    """The picture on white paper with a margin. The same picture is always the same text."""
    box = paper(picture)
    size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
    corner = f'x="{_number(box.left)}" y="{_number(box.top)}"'
    view = f'viewBox="{_number(box.left)} {_number(box.top)} {_number(box.width)} {_number(box.height)}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img" font-family="{FONTS}">',
            f"<title>{escape(picture.title)}</title>",
            *([f"<desc>{escape(picture.description)}</desc>"] if picture.description else []),
            f'<rect {corner} {size} fill="{PAPER}"/>',
            *(element(mark) for mark in picture.marks if not isinstance(mark, Spot)),
            "</svg>\n",
        ]
    )


def paper(picture: Picture) -> Box:
    """What the picture takes up with its margin."""
    box = picture.box
    return Box(box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)


def element(mark: SeenMark) -> str:
    """One mark of a picture."""
    match mark:
        case Lettering():
            return _text(mark)
        case Disc(x, y, radius, style):
            return f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"{_style(style)}/>'
        case Rectangle(x, y, width, height, style, radius):
            place = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
            corners = f' rx="{_number(radius)}"' if radius else ""
            return f"<rect {place}{corners}{_style(style)}/>"
        case Polygon(points, style, is_open):
            places = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
            kind = "polyline" if is_open else "polygon"
            return f'<{kind} points="{places}"{_style(style)}/>'
        case Curve(points, style):
            begin, *handles = (f"{_number(x)},{_number(y)}" for x, y in points)
            path = f"M{begin} C{' '.join(handles)}"
            return f'<path d="{path}"{_style(style)}/>'


def _text(words: Lettering) -> str:
    colour = words.colour if words.is_bold else PALE.get(words.colour, words.colour)
    face = f'font-size="{_number(words.size)}" fill="{colour}"'
    if colour in PALE:
        face += f' stroke="#000000" stroke-width="{_number(words.size * _EDGE)}" stroke-linejoin="round"'
    if words.anchor != "start":
        face += f' text-anchor="{words.anchor}"'
    if words.is_bold:
        face += ' font-weight="bold"'
    if words.is_italic:
        face += ' font-style="italic"'
    if words.is_code:
        face += f' font-family="{CODE_FONTS}" xml:space="preserve"'
    said = f'<text x="{_number(words.x)}" y="{_number(words.y)}" {face}>{escape(words.text)}</text>'
    if not words.is_framed:
        return said
    box = words.box
    behind = Rectangle(box.left - 1, box.top - 1, box.width + 2, box.height + 2, Style(fill=PAPER))
    return f"{element(behind)}{said}"


def _style(style: Style) -> str:
    parts = [f" fill={quoteattr(style.fill)}"]
    if style.stroke != "none":
        parts.append(f' stroke={quoteattr(style.stroke)} stroke-width="{_number(style.width)}"')
        parts.append(' stroke-linejoin="round" stroke-linecap="round"')
    if style.dash:
        parts.append(f' stroke-dasharray="{style.dash}"')
    if style.opacity != 1:
        parts.append(f' opacity="{_number(style.opacity)}"')
    return "".join(parts)


def _number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, as short as can be."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
