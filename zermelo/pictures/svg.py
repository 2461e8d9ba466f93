"""A picture as SVG, which browsers and notebooks show: without scripts, and with nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import (
    AREAS,
    BLACK,
    CODE_FONTS,
    DARK,
    FONTS,
    PALE,
    PAPER,
    Curve,
    Disc,
    Lettering,
    Picture,
    Polygon,
    Rectangle,
    SeenMark,
    Spot,
    Style,
    sheet,
)
from zermelo.solvers.common.libraries import import_library

_EDGE: Final = 0.05
"""How wide the edges of pale letters are, in units of the size of the font."""

_REMEMBERED: Final = 1 << 14
"""How many marks are remembered as text: pictures that follow one another have most of them in common."""

_COLOURED: Final = re.compile(r'(?:fill|stroke)="#[0-9a-f]{6}"')


def dark_rules(within: str, attributes: Collection[str] | None = None) -> str:
    """The rules of CSS for dark paper, for marks that have these attributes, such as ``fill="#ffffff"``, or any. They
    go by the colours that are written in the marks, so that programs without style sheets show light paper. Stones and
    cards keep their colours, as do black and white words, which get an edge."""
    rules: list[tuple[str, str, str]] = []
    for light, dark in DARK.items():
        words = ":not(text)" if light == PAPER else "" if light in AREAS else "text"
        rules.append((f'stroke="{light}"', "{}:not(text)", f"stroke:{dark}"))
        rules.append((f'fill="{light}"', f"{words}{{}}", f"fill:{dark}"))
    rules.append((f'stroke="{BLACK}"', "{}:not(text)", "stroke:#7d8794"))
    rules.append((f'fill="{BLACK}"', "text{}", "fill:#9aa3ad"))
    rules.append((f'fill="{BLACK}"', "text{}[font-weight]", "fill:#000000;stroke:#ffffff;stroke-width:0.05em"))
    wanted = [rule for rule in rules if attributes is None or rule[0] in attributes]
    return "\n".join(f"{within} {form.format(f'[{each}]')}{{{style}}}" for each, form, style in wanted)


def svg(picture: Picture, has_style: bool = True) -> str:
    """The picture on paper with a margin, white or, where dark is preferred, dark, unless it has paper of its own;
    without the style for that if the page in which it stands has it. The same picture is always the same text."""
    box = sheet(picture)
    size = f'width="{_number(box.width)}" height="{_number(box.height)}"'
    corner = f'x="{_number(box.left)}" y="{_number(box.top)}"'
    view = f'viewBox="{_number(box.left)} {_number(box.top)} {_number(box.width)} {_number(box.height)}"'
    ground = picture.paper or PAPER
    marks = [f'<rect {corner} {size} fill="{ground}"/>']
    marks += [element(mark, ground) for mark in picture.marks if not isinstance(mark, Spot)]
    rules = dark_rules(".zermelo", set(_COLOURED.findall("".join(marks))))
    style = f"<style>@media (prefers-color-scheme:dark){{\n{rules}\n}}</style>"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} role="img" class="zermelo" font-family="{FONTS}">',
            f"<title>{escape(picture.title)}</title>",
            *([f"<desc>{escape(picture.description)}</desc>"] if picture.description else []),
            *([style] if has_style and not picture.paper else []),
            *marks,
            "</svg>\n",
        ]
    )


@lru_cache(_REMEMBERED)
def element(mark: SeenMark, ground: str = PAPER) -> str:
    """One mark of a picture on paper of this colour."""
    match mark:
        case Lettering():
            return _text(mark, ground)
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


def _text(words: Lettering, ground: str) -> str:
    colour = words.colour if words.is_bold else PALE.get(words.colour, words.colour)
    face = f'font-size="{_number(words.size)}" fill="{colour}"'
    edge = words.edge or ("#000000" if colour in PALE else "")
    if edge:
        face += f' stroke="{edge}" stroke-width="{_number(words.size * _EDGE)}" stroke-linejoin="round"'
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
    behind = Rectangle(box.left - 1, box.top - 1, box.width + 2, box.height + 2, Style(fill=ground))
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


# Pictures as files: SVG, TikZ, and with a library PNG and PDF.


ENDINGS: Final = (".svg", ".png", ".pdf", ".tex")

_SCALE: Final = 2
"""How many pixels of a PNG are one of the picture: enough for screens on which they are small."""

_LONGEST: Final = 32_767
"""The most pixels of a side that Cairo paints."""

_PIXELS: Final = 2**28
"""The most pixels of a PNG: they take up 1 GB while it is painted."""


def encode_picture(picture: Picture, path: Path) -> bytes:
    """The picture in the format that the ending of a file's name says.

    Raises ``ZermeloError``: ``bad-usage`` for another ending and for a PNG that is too large, ``library-missing``."""
    text = svg(picture)
    match path.suffix.lower():
        case ".svg":
            return text.encode()
        case ".tex":
            from zermelo.pictures.tikz import tikz

            return (picture.tabular or tikz(picture)).encode()
        case ".png":
            return bytes(library_of(".png").svg2png(text.encode(), scale=_scale(picture)))
        case ".pdf":
            return bytes(library_of(".pdf").svg2pdf(text.encode()))
        case ending:
            said = f"a picture cannot be written as '{ending}'" if ending else "the name of a picture needs an ending"
            raise ZermeloError("bad-usage", f"{path}: {said}", f"the endings are {', '.join(ENDINGS)}")


def library_of(ending: str) -> Any:
    """The library that writes pictures with this ending; None if none is needed. Raises ``ZermeloError``
    (``library-missing``)."""
    if ending not in {".png", ".pdf"}:
        return None
    return import_library("cairosvg", f"{ending[1:].upper()} files", "pictures")


def encode_pages(pictures: Sequence[Picture]) -> bytes:
    """The pictures as a PDF, each on a page of its own size. Raises ``ZermeloError`` (``library-missing``)."""
    cairo = import_library("cairosvg", "PDF files", "pictures")
    written = BytesIO()

    class Page(cairo.surface.PDFSurface):  # type: ignore[name-defined,misc]
        """A page of the document; the library itself makes a document of each picture."""

        document: Any = None

        def _create_surface(self, width: float, height: float) -> tuple[Any, float, float]:
            if Page.document is None:
                Page.document = self.surface_class(written, width, height)
            Page.document.set_size(width, height)
            return Page.document, width, height

    for picture in pictures:
        Page(cairo.parser.Tree(bytestring=svg(picture).encode()), written, dpi=96).context.show_page()
    Page.document.finish()
    return written.getvalue()


def _scale(picture: Picture) -> float:
    """How many pixels of a PNG are one of the picture: fewer where it is large, but not less than one."""
    box = sheet(picture)
    largest = min(_LONGEST / max(box.width, box.height), sqrt(_PIXELS / (box.width * box.height)))
    if largest < 1:
        raise ZermeloError(
            "bad-usage",
            f"a PNG has no room for a picture of {box.width:,.0f} by {box.height:,.0f} pixels",
            "write it as SVG or PDF, or let it show less",
        )
    return min(_SCALE, largest)
