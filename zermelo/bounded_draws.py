"""What is known of a draw while its outcomes are searched one after the other.

Of an outcome that has not been searched it is known that its value lies between the least and the most that the game
can pay. The mean of the lower bounds of all outcomes bounds the value of the draw from below, that of the upper ones
from above: :mod:`zermelo.solvers.kernels.star`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.interpreter.machine import Move
from zermelo.solvers.common.trace import Between, TraceNode, bounds, known

Interval = tuple[Fraction, Fraction]


class BoundedDraw:
    """A draw, and what is known of each of its outcomes; ``everything`` is what is known of all values."""

    def __init__(self, node: TraceNode, everything: Between) -> None:
        self._outcomes = node.outcomes
        self._known = dict.fromkeys(node.outcomes, (everything.low, everything.high))

    def learn(self, visit: TraceNode) -> None:
        """An outcome has been visited."""
        move = _outcome(visit)
        self._known[move] = _narrowed(self._known[move], visit.value)

    def value_behind(self, visit: TraceNode) -> Fraction | Between:
        """What is known of the value of the draw once an outcome has been visited."""
        move = _outcome(visit)
        return self._mean({**self._known, move: _narrowed(self._known[move], visit.value)})

    def of(self, move: Move) -> Interval:
        """Between what the value of an outcome lies."""
        return self._known[move]

    @property
    def unknown(self) -> list[Move]:
        """The outcomes whose values are not known."""
        return [move for move, (low, high) in self._known.items() if low != high]

    def _mean(self, values: dict[Move, Interval]) -> Fraction | Between:
        low, high = (
            sum((chance * values[move][side] for move, chance in self._outcomes.items()), Fraction(0))
            for side in (0, 1)
        )
        return known(low, high)


def _outcome(visit: TraceNode) -> Move:
    assert visit.move is not None, "only the root has none"
    return visit.move


def _narrowed(interval: Interval, value: Any) -> Interval:
    (low, high), (least, most) = bounds(value), interval
    return max(least, low), min(most, high)
