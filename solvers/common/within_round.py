"""Positions in which some of those who choose at once have chosen."""

from __future__ import annotations

from zermelo.grammar.diagnostics import ZermeloError


def within_round() -> ZermeloError:
    """Why what is left of a round is not solved."""
    return ZermeloError(
        "no-value",
        "somebody has chosen already, and others, who choose at the same moment, do not know what: the position has no "
        "value of its own, since it depends on what they think",
        "name in --after the choices of all of them, or of none",
    )
