"""Cycles found by searches."""

from __future__ import annotations

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.loops import Loop


class GoesRound(ZermeloError):
    """The refusal (``needs-end``) of a game in which a search has found a cycle, the ``loop``. ``beside`` says what is
    in the way of a search that goes on nevertheless."""

    def __init__(self, loop: Loop, beside: str = "") -> None:
        message = f"a play of this game may never end: {loop}{', ' if beside else ''}{beside}"
        super().__init__("needs-end", message)
        self.loop = loop
