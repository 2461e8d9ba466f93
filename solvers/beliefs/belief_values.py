"""The values of beliefs: what one player can get who does not see the position, while chance decides the rest.

A *belief* gives every position that the player holds possible its exact probability. It is all of the past that a good
decision needs (Astrom 1965), so the value of what is to come is a function of it:

    V(b)  =  max over moves m of  gain(b, m) + sum over what may be perceived of P(it | b, m) V(b after m and it),

where gain is what the player earns on the way to their next decision, ends included, on average (Kaelbling, Littman and
Cassandra, "Planning and acting in partially observable stochastic domains", 1998, with a horizon that the rules set).
The search goes depth first, and keeps the value of every belief that it has met: plays that lead to the same belief
share what follows, in whatever order things have been perceived. Weights of a belief are whole numbers without a common
divisor, so that equal beliefs are equal tuples, and all values are fractions.

Invariants: positions of one belief look the same to the player, so they offer the same moves; a belief in the table has
its value. Cost: each belief once, times moves, positions and what may follow. There are no more beliefs than
information sets, and in games that bring news of few kinds far fewer; but each has to hold its positions, which may be
many.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from fractions import Fraction
from math import gcd
from typing import Protocol, TypeAlias

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import InformationState, Move
from zermelo.solvers.beliefs.meter import Meter
from zermelo.solvers.beliefs.writing_plans import Heard, PlannedMove
from zermelo.solvers.common.depth_first import depth_first

Weights: TypeAlias = tuple[tuple[int, int], ...]
"""A belief: numbers of positions, in ascending order, with their weights, which have no common divisor."""


@frozen(eq=False)
class Prospect:
    """What a move, or the beginning of a play, leads to: a ``gain`` on average, and after each thing ``perceived`` a
    belief, with the probability of perceiving that."""

    gain: Fraction
    branches: tuple[tuple[InformationState, Weights, Fraction], ...]

    @property
    def heard(self) -> Heard[Weights]:
        """What may be perceived, and the beliefs then."""
        return [(perceived, belief) for perceived, belief, _ in self.branches]


def normalized(weights: Mapping[int, int]) -> Weights:
    """The belief with these weights of positions."""
    divisor = gcd(*weights.values())
    return tuple((position, weights[position] // divisor) for position in sorted(weights))


class Surroundings(Protocol):
    """All that is not the player: the rules, chance, and the others, whose choices are draws."""

    @property
    def meter(self) -> Meter:
        """The limits."""

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves in positions that the player cannot tell apart; raises ``ZermeloError`` (``moves-differ``)."""

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        """What a move leads to."""

    def ends(self, belief: Weights, move: Move) -> tuple[Fraction, ...]:
        """The amounts that ends bring before the player decides again, in ascending order, each once."""


@define(eq=False)
class BeliefValues:
    """``values`` are the values of beliefs, and ``made`` the first best move in each."""

    around: Surroundings
    values: dict[Weights, Fraction] = field(factory=dict)
    made: dict[Weights, Move] = field(factory=dict)
    open: set[Weights] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.around.meter.keep(self.values, self.made)

    def worth(self, prospect: Prospect) -> Fraction:
        """The value of a prospect. Raises ``ZermeloError``: ``needs-end`` if a play is found to go round, and what the
        surroundings raise."""
        return prospect.gain + sum(
            (chance * depth_first(self._visit, belief) for _, belief, chance in prospect.branches), Fraction(0)
        )

    def chosen(self, belief: Weights) -> PlannedMove[Weights]:
        """What the best plan does in a belief that has a value."""
        move = self.made[belief]
        heard = self.around.prospect(belief, move).heard
        return PlannedMove(move, len(belief), heard, self.around.ends(belief, move))

    def _visit(self, belief: Weights) -> Generator[Weights, Fraction, Fraction]:
        """The value of a belief; asks for those of others."""
        if belief in self.values:
            return self.values[belief]
        if belief in self.open:
            raise ZermeloError(
                "needs-end",
                "a play of this game may never end: the player may come to believe what they have believed before",
                "let a rule end every play, such as a limit on the number of moves",
            )
        self.open.add(belief)
        self.around.meter.look()
        best: Fraction | None = None
        for move in self.around.moves(tuple(position for position, _ in belief)):
            prospect = self.around.prospect(belief, move)
            value = prospect.gain
            for _, after, chance in prospect.branches:
                value += chance * (yield after)
            if best is None or value > best:
                best, self.made[belief] = value, move
        assert best is not None, "a player who is to decide has a move"
        self.open.remove(belief)
        self.values[belief] = best
        return best
