"""A play that comes back to a position it has been in: the proof that a game may never end."""

from __future__ import annotations

from attrs import frozen

from zermelo.interpreter.machine import Move

SHOWN = 12
"""How many moves of a long play are written out."""


@frozen
class Loop:
    """``before`` leads to a position from the beginning, and ``moves`` lead from there to the same position."""

    before: tuple[Move, ...]
    moves: tuple[Move, ...]

    def __str__(self) -> str:
        """The loop as a clause: ``after a, b, the moves c, d lead back to the same position``."""
        after = f"after {written(self.before)}, " if self.before else ""
        verb = "leads" if len(self.moves) == 1 else "lead"
        return f"{after}{written(self.moves)} {verb} back to the same position"


def written(moves: tuple[Move, ...]) -> str:
    """The moves, joined by commas; the middle of a long play is left out."""
    texts = list(map(str, moves))
    if len(texts) > SHOWN:
        texts[SHOWN - 1 : -1] = [f"... {len(texts) - SHOWN:,} more ..."]
    return ", ".join(texts)
