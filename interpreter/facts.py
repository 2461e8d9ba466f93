"""A fact: whether a property holds of a game, and why."""

from __future__ import annotations

from attrs import frozen

from zermelo.foundation.records import ByValue


@frozen(eq=False, repr=False)
class Fact(ByValue):
    """``holds`` is None while neither True nor False is proved.

    ``how`` is a clause without a capital or a full stop: the reason, or the obstacle to a proof.
    """

    holds: bool | None
    how: str

    def word(self, yes: str, no: str, open: str) -> str:
        """One of three words: the property holds, it does not, or neither is proved."""
        return open if self.holds is None else yes if self.holds else no
