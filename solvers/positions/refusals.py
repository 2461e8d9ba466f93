"""Why the numbers of a component cannot be told."""

from __future__ import annotations


class EarnsForEver(Exception):
    """A play may go on for ever and earn something again and again, without a discount: it has no total. ``edge`` is
    one of those that earn."""

    def __init__(self, edge: int) -> None:
        super().__init__(edge)
        self.edge = edge


class TooManyDigits(Exception):
    """Exact numbers have more digits than allowed."""
