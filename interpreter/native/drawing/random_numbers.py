"""Random numbers in the dialect, and random members and subsets of masks."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Text
from zermelo.interpreter.native.expressions.lowering import Lowering

MOST_DRAWN: Final = 1 << 61
"""The bound on ranges of random numbers."""


def drawing_functions(text: Text) -> None:
    """Write ``drawn`` and its helpers."""
    instantiate(text, "drawing", {name: name for name in ("drawn", "drawn_large")})


def chosen_one(lowering: Lowering) -> str:
    """The function for the place of one bit number k of a mask."""
    half = 1 << (lowering.layout.width - 1).bit_length() - 1
    return instantiate(lowering.text, "chosen_one", HALF=half)["chosen_one"]


def chosen_part(lowering: Lowering) -> str:
    """The function for a random subset of k one bits of a mask."""
    return instantiate(lowering.text, "chosen_part", chosen_one=chosen_one(lowering))["chosen_part"]
