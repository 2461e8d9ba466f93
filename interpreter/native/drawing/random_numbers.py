"""Random numbers in the dialect, and random members and parts of masks."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.native.dialect.text import Text
from zermelo.interpreter.native.expressions.lowering import Lowering

MOST_DRAWN: Final = 1 << 61
"""Numbers are drawn below this."""

_DRAWN: Final = """\
(R: ints[1], n: int) -> int:
    R[0] = (R[0] + 668265263) & 9007199254740991
    x: int = mix(mix(R[0], 2654435769), 40503)
    return ((x >> 20) * n) >> 43 if n < 1048576 else drawn_large(R, n, x >> 32)
"""
"""``drawn``, a number below n: a splitmix, stirred with ``mix``. Of 43 of its bits n numbers are made that are equally
likely but for n parts in 2 ** 43. Where n has more than 20 bits, 62 bits are drawn until they are below a multiple of
n."""

_DRAWN_LARGE: Final = """\
(R: ints[1], n: int, first: int) -> int:
    high: int = first
    even: int = 4611686018427387904 - 4611686018427387904 % n
    x: int = even
    while x >= even:
        R[0] = (R[0] + 668265263) & 9007199254740991
        low: int = mix(mix(R[0], 2654435769), 40503) >> 32
        x = high << 31 | low
        high = low
    return x % n
"""


def drawing_functions(text: Text) -> None:
    """Write ``drawn``, and what it needs."""
    text.named("drawn", _DRAWN)
    text.named("drawn_large", _DRAWN_LARGE)


def chosen_one(lowering: Lowering) -> str:
    """A function that gives the place of one number k of a mask: it halves the mask and goes where the one must be."""
    half = 1
    while half * 2 < lowering.layout.width:
        half *= 2
    lines = ["at: int = 0", "left: int = k", "n: int = 0"]
    while half:
        lines.append(f"n = popcount((m >> at) & {(1 << half) - 1})")
        lines.append("if left >= n:")
        lines.append("    left -= n")
        lines.append(f"    at += {half}")
        half //= 2
    return lowering.helper("chosen_one", "m: bits, k: int", [*lines, "return at"])


def chosen_part(lowering: Lowering) -> str:
    """A function that gives k ones of a mask, which has as many, all parts of k equally likely."""
    lines = [
        "rest: bits = m",
        "one: bits = 1",
        "for i in range(k):",
        f"    rest = rest ^ (one << {chosen_one(lowering)}(rest, drawn(R, popcount(rest))))",
        "return m ^ rest",
    ]
    return lowering.helper("chosen_part", "R: ints[1], m: bits, k: int", lines, "bits")
