"""A fact: whether something holds of a game, and how that is known."""

from __future__ import annotations

from attrs import frozen


@frozen
class Fact:
    """``holds`` is True or False where that is settled, and None where it is not.

    ``how`` is a clause without a capital or a full stop that completes a sentence on the game: why it is known, or
    what stands in the way.
    """

    holds: bool | None
    how: str
