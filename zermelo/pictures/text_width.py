"""How wide a text is, without asking a screen.

A picture is laid out before anybody knows which font will show it. So widths are those of DejaVu Sans, which is wider
than Helvetica, Arial and their likes, for which pictures ask first: what does not overlap in it does not overlap in
them.
"""

from __future__ import annotations

from typing import Final

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
    """The width of a text in a font of this size, both in the same unit; ``is_code``: one of which all letters are
    equally wide."""
    if is_code:
        return len(text) * size * _CODE
    return sum(_WIDTH.get(character, _OTHERS) for character in text) * size * (_BOLD if is_bold else 1)
