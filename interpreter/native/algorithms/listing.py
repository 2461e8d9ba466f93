"""An array of distinct masks."""

from __future__ import annotations

SIZE: int  # the length of the array


def listed(C: ints[CONTEXT], L: masks[SIZE], n: int, m: bits, site: int) -> int:
    """Append a mask to the first n, unless it is one of them; how many there are then. A fault at ``site`` if the array
    is full."""
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
