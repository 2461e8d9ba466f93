"""What to do in a position in which everybody knows where the play is."""

from __future__ import annotations

from fractions import Fraction
from typing import Generic

from attrs import frozen

from zermelo.interpreter.machine import Move, Payoff, State


@frozen(eq=False)
class Advice(Generic[State]):
    """What ``player`` should do in a ``state``, in which they have ``moves``: those with a chance above 0 are best.
    Where ``is_mixed`` it is a mixture, of players who choose at once; else each of them will do, and all chances are
    equal.

    ``payoff`` is what all players get from there on, ``bounds`` what the first one's is proved to lie between if it is
    not exact, and ``distance`` how many moves it is to the end if those who win hurry and the others delay, None where
    the play need not end or ends at random. ``payoff`` is None where it is not defined, which best play never comes to;
    then no move is best."""

    state: State
    player: int
    moves: tuple[Move, ...]
    chances: tuple[Fraction, ...]
    is_mixed: bool
    payoff: Payoff | None
    bounds: tuple[Fraction, Fraction] | None
    distance: int | None

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that may be made."""
        return tuple(move for move, chance in zip(self.moves, self.chances, strict=True) if chance)
