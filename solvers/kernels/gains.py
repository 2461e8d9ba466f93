"""Gains: what a play pays beyond the least that a player can get."""

from __future__ import annotations


def share(gains: int, most: int) -> float:
    """Gains as a part of the most that they can be."""
    return float(gains) / float(most)
