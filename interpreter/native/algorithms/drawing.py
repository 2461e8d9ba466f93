"""Random numbers; ``R[0]`` is the state of the generator."""

from __future__ import annotations


def drawn(R: ints[1], n: int) -> int:
    """A number below n: a splitmix step, finalized by ``mix``. 43 of its bits are scaled to n numbers, equally likely
    up to n parts in 2 ** 43. If n has more than 20 bits, :func:`drawn_large` uses the other bits."""
    R[0] = (R[0] + 668265263) & 9007199254740991
    x: int = mix(mix(R[0], 2654435769), 40503)
    return ((x >> 20) * n) >> 43 if n < 1048576 else drawn_large(R, n, x >> 32)


def drawn_large(R: ints[1], n: int, first: int) -> int:
    """A number below n by rejection: 62 bits, the first 31 in ``first``, redrawn until they are below a multiple of
    n."""
    high: int = first
    even: int = 4611686018427387904 - 4611686018427387904 % n
    x: int = even
    while x >= even:
        R[0] = (R[0] + 668265263) & 9007199254740991
        low: int = mix(mix(R[0], 2654435769), 40503) >> 32
        x = high << 31 | low
        high = low
    return x % n
