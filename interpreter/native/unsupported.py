"""What the lowering does not cover yet is refused, never guessed."""

from __future__ import annotations


class Unsupported(Exception):
    """The lowering does not cover this construct; the game runs on the reference machine.

    ``construct`` names it for whoever extends the lowering. No user sees it.
    """

    def __init__(self, construct: str) -> None:
        super().__init__(f"the native machine does not cover {construct}")
        self.construct = construct
