"""Colours on a terminal, and none elsewhere."""

from __future__ import annotations

import os
from typing import Final, TextIO

from attrs import frozen

from zermelo.grammar.by_value import ByValue

_SEQUENCES: Final = {
    "error": "1;31",
    "warning": "1;33",
    "good": "1;32",
    "strong": "1",
    "heading": "1;4",
    "faint": "2",
    "gutter": "1;34",
    "note": "1;36",
}


@frozen(eq=False, repr=False)
class Paint(ByValue):
    """Paints text by its role: ``error``, ``warning``, ``good``, ``strong``, ``heading``, ``faint``, ``gutter``,
    ``note``."""

    colour: bool = False

    def __call__(self, role: str, text: str) -> str:
        return f"\x1b[{_SEQUENCES[role]}m{text}\x1b[0m" if self.colour and text else text

    def code(self, text: str) -> str:
        """A line of a game file, its words painted by what they are."""
        if not self.colour:
            return text
        from zermelo.highlighting.terminal import coloured  # needed with colours only

        return coloured(text)


PLAIN: Final = Paint()
"""No colours."""


def is_lively(stream: TextIO) -> bool:
    """Whether the stream is a terminal that can move the cursor."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def paint_for(stream: TextIO) -> Paint:
    """Colours if the stream is a terminal and ``NO_COLOR`` (https://no-color.org) is not set."""
    return Paint(is_lively(stream) and not os.environ.get("NO_COLOR"))
