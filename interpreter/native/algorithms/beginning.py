"""The state after ``setup``."""

from __future__ import annotations

START: tuple[bits, ...]  # its entries


def set_up(C: ints[CONTEXT], S: state) -> int:
    """Fill the state."""
    for k in range(STATE):
        S[k] = START[k]
    return 0
