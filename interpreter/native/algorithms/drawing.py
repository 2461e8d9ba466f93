"""Random numbers; ``random[0]`` is the state of the generator."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import Random, mix


def drawn(random: Random, count: int) -> int:
    """A number below ``count``: a splitmix step, finalized by ``mix``. 43 of its bits are scaled to ``count`` numbers,
    equally likely up to ``count`` parts in 2 ** 43. Beyond 20 bits :func:`drawn_large` uses the other bits."""
    random[0] = (random[0] + 668265263) & 9007199254740991
    x: int = mix(mix(random[0], 2654435769), 40503)
    return ((x >> 20) * count) >> 43 if count < 1048576 else drawn_large(random, count, x >> 32)


def drawn_large(random: Random, count: int, first: int) -> int:
    """A number below ``count`` by rejection: 62 bits, the first 31 in ``first``, redrawn until they are below a
    multiple of ``count``."""
    high: int = first
    even: int = 4611686018427387904 - 4611686018427387904 % count
    x: int = even
    while x >= even:
        random[0] = (random[0] + 668265263) & 9007199254740991
        low: int = mix(mix(random[0], 2654435769), 40503) >> 32
        x = high << 31 | low
        high = low
    return x % count
