"""Pictures as files: SVG, and with a library PNG and PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import Picture
from zermelo.pictures.svg import svg
from zermelo.solvers.common.libraries import imported

ENDINGS: Final = (".svg", ".png", ".pdf")

_SCALE: Final = 2
"""How many pixels of a PNG are one of the picture: enough for screens on which they are small."""


def encoded(picture: Picture, path: Path) -> bytes:
    """The picture in the format that the ending of a file's name says.

    Raises ``ZermeloError``: ``bad-usage`` for another ending, ``library-missing``."""
    text = svg(picture)
    match path.suffix.lower():
        case ".svg":
            return text.encode()
        case ".png":
            return bytes(imported("cairosvg", "PNG files", "pictures").svg2png(text.encode(), scale=_SCALE))
        case ".pdf":
            return bytes(imported("cairosvg", "PDF files", "pictures").svg2pdf(text.encode()))
        case ending:
            said = f"a picture cannot be written as '{ending}'" if ending else "the name of a picture needs an ending"
            raise ZermeloError("bad-usage", f"{path}: {said}", f"the endings are {', '.join(ENDINGS)}")
