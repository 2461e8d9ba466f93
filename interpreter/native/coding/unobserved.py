"""Why a program writes no observations (:mod:`.observations`)."""

from __future__ import annotations

from attrs import frozen

from zermelo.foundation.records import ByValue


@frozen(eq=False, repr=False)
class NothingHidden(ByValue):
    """Everybody sees everything and nothing is told: each player knows the play itself, and no words are written."""


@frozen(eq=False, repr=False)
class NotLowered(ByValue):
    """Something is hidden or told, and only the reference machine can track what players perceive, since the lowering
    does not cover ``construct``."""

    construct: str
