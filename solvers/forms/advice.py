"""What to do in a position in which everybody knows where the play is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Generic, Protocol

from attrs import frozen

from zermelo.interpreter.machine import Move, Payoff, State
from zermelo.solvers.forms.duration import Duration


@frozen
class Worth:
    """What the players get if a ``move`` is made, or an outcome drawn, and all go on best: None where it is not
    defined; every amount to within ``error``, which is 0 if they are exact. ``distance`` is how many moves it is to the
    end then, and ``duration`` how long the play takes on average, as in :class:`Advice`; ``chance`` is how often the
    move is made, where the player mixes."""

    move: Move
    payoff: Payoff | None
    error: Fraction
    distance: int | None = None
    chance: Fraction | None = None
    duration: Duration | None = None


class Advisor(Protocol):
    """What to do at every decision of a solved game. It is worked out anew whenever it is gone through."""

    def __iter__(self) -> Iterator[Advice[Any]]: ...

    def first(self) -> tuple[Worth, ...]:
        """What the moves or outcomes at the root bring, with what has been earned before, in the order of the machine.
        Where several choose at once, the moves of the first of them, while the others mix as they should."""


@frozen(eq=False)
class Advice(Generic[State]):
    """What ``player`` should do in a ``state``, in which they have ``moves``: those with a chance above 0 are best.
    Where ``is_mixed`` it is a mixture, of players who choose at once; else each of them will do, and all chances are
    equal.

    ``payoff`` is what all players get from there on, ``bounds`` what the first one's is proved to lie between if it is
    not exact. ``payoff`` is None where it is not defined, which best play never comes to; then no move is best.
    ``distance`` is how many moves it is to the end if those who win hurry and the others delay, None where the play
    need not end or ends at random. There ``duration`` is how long it takes on average if everybody makes the first of
    their best moves, or mixes so, None if that is not known. ``is_reached``: whether a play can come there in which
    everybody makes best moves."""

    state: State
    player: int
    moves: tuple[Move, ...]
    chances: tuple[Fraction, ...]
    is_mixed: bool
    payoff: Payoff | None
    bounds: tuple[Fraction, Fraction] | None
    distance: int | None
    is_reached: bool
    duration: Duration | None = None

    @property
    def error(self) -> Fraction:
        """How far the payoffs may be from what the players get; 0 if they are exact."""
        return Fraction(0) if self.bounds is None else (self.bounds[1] - self.bounds[0]) / 2

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves that may be made."""
        return tuple(move for move, chance in zip(self.moves, self.chances, strict=True) if chance)
