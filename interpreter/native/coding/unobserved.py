"""Why a program writes no observations (:mod:`.observations`)."""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar.displayed import Displayed


@frozen(repr=False)
class NothingHidden(Displayed):
    """Everybody sees everything and nothing is told: each player knows the play itself, and no words are written."""


@frozen(repr=False)
class NotLowered(Displayed):
    """Something is hidden or told, and only the reference machine can track what players perceive, since the lowering
    does not cover ``construct``."""

    construct: str
