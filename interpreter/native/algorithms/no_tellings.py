"""Tellings in games that tell nothing."""

from __future__ import annotations


def shown_tellings(C: ints[CONTEXT], S: state, p: int, R: ints[WORDS], n: int) -> int:
    """Write down nothing."""
    return n
