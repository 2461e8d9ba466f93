"""A play that returns to a position: the proof that a game may never end."""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar.by_value import ByValue
from zermelo.interpreter.machine import Move, shown

SHOWN = 12
"""The most moves of a play that are written out."""


@frozen(eq=False, repr=False)
class Loop(ByValue):
    """``before`` leads from the beginning to a position, and ``moves`` from there back to it."""

    before: tuple[Move, ...]
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        """The loop as a clause: ``after a, b, the moves c, d lead back to the same position``."""
        after = f"after {written(self.before)}, " if self.before else ""
        verb = "leads" if len(self.moves) == 1 else "lead"
        return f"{after}{written(self.moves)} {verb} back to the same position"


def written(moves: tuple[Move, ...]) -> str:
    """The moves, joined by commas, without the middle of a long play."""
    texts = list(map(shown, moves))
    if len(texts) > SHOWN:
        texts[SHOWN - 1 : -1] = [f"... {len(texts) - SHOWN:,} more ..."]
    return ", ".join(texts)
