"""Plays that have been found to go round."""

from __future__ import annotations

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.loops import Loop


class GoesRound(ZermeloError):
    """The refusal (``needs-end``) of a game of which a search has found a play without end."""

    def __init__(self, loop: Loop) -> None:
        message = f"a play of this game may never end: {loop}"
        super().__init__("needs-end", message, "an exact search of the whole tree needs plays that all come to an end")
