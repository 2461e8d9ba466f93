"""An array of masks in which each stands once."""

from __future__ import annotations

SIZE: int  # how long the array is


def listed(C: ints[CONTEXT], L: masks[SIZE], n: int, m: bits, site: int) -> int:
    """Put a mask behind the n that are there, unless it is one of them; how many there are then. Where there is no
    room, the place ``site`` of the rules went wrong."""
    if is_listed(L, n, m) != 0:
        return n
    if n == SIZE:
        if C[0] == 0:
            C[0] = site
        return n
    L[n] = m
    return n + 1


def is_listed(L: masks[SIZE], n: int, m: bits) -> int:
    """Whether a mask is one of the first n."""
    for j in range(n):
        if L[j] == m:
            return 1
    return 0
