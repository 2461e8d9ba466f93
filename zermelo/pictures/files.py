"""Pictures as files: SVG, and with a library PNG and PDF."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import paper, svg
from zermelo.solvers.common.libraries import imported

ENDINGS: Final = (".svg", ".png", ".pdf")

_SCALE: Final = 2
"""How many pixels of a PNG are one of the picture: enough for screens on which they are small."""

_LONGEST: Final = 32_767
"""The most pixels of a side that Cairo paints."""

_PIXELS: Final = 2**28
"""The most pixels of a PNG: they take up 1 GB while it is painted."""


def encoded(picture: Picture, path: Path) -> bytes:
    """The picture in the format that the ending of a file's name says.

    Raises ``ZermeloError``: ``bad-usage`` for another ending and for a PNG that is too large, ``library-missing``."""
    text = svg(picture)
    match path.suffix.lower():
        case ".svg":
            return text.encode()
        case ".png":
            scale = _scale(picture)
            return bytes(imported("cairosvg", "PNG files", "pictures").svg2png(text.encode(), scale=scale))
        case ".pdf":
            return bytes(imported("cairosvg", "PDF files", "pictures").svg2pdf(text.encode()))
        case ending:
            said = f"a picture cannot be written as '{ending}'" if ending else "the name of a picture needs an ending"
            raise ZermeloError("bad-usage", f"{path}: {said}", f"the endings are {', '.join(ENDINGS)}")


def _scale(picture: Picture) -> float:
    """How many pixels of a PNG are one of the picture: fewer where it is large, but not less than one."""
    box = paper(picture)
    largest = min(_LONGEST / max(box.width, box.height), sqrt(_PIXELS / (box.width * box.height)))
    if largest < 1:
        raise ZermeloError(
            "bad-usage",
            f"a PNG has no room for a picture of {box.width:,.0f} by {box.height:,.0f} pixels",
            "write it as SVG or PDF, or let it show less",
        )
    return min(_SCALE, largest)
