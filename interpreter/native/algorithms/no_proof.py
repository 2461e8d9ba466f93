"""The missing proof that a step is preferred."""

from __future__ import annotations


def no_proof(C: ints[CONTEXT], S: state, m: int) -> int:
    """Whether move m is surely among the preferred ones."""
    return 0
