"""The graph of positions: what a game is to those who solve it position by position.

Positions are numbered from 0, which is the root. The moves of position ``p`` are the *edges* ``firsts[p]`` up to
``firsts[p + 1]``, in the order in which the machine lists them; edge ``e`` leads to position ``targets[e]``. So the
graph is a few flat arrays of whole numbers, which kernels read as they are.

**What a position is worth.** Let v(p) be what the players get from p on, apart from what they have earned before.
An edge e is worth::

    reward(e) + factor(e) * v(target)

where the factor is the game's discount if a player decides on the edge and the play goes on: what a decision itself
earns, and what it pays if it ends the play, counts in full, and all that comes after it, the outcomes of chance behind
it included, counts less. Chance takes nothing off. Then v(p) is the payoff at an end, the expectation over the edges
of a chance position, and what the best edge is worth to the player who decides. A play that goes on for ever pays what
it earned, and what ``endless`` says beside; with a discount below 1 nothing is left of that.

**Rounds.** Players who move at once do so one after another, without knowing what has been chosen. Where somebody has
chosen already, the player to act is *within a round*. Such positions have no value of their own: the round is a matrix
game at the position in which it begins, over what is worth the positions in which it ends. It is one decision: only
the edges that end it take the discount off.

**Equal positions.** All ends that pay the same are one position.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, END, Payoff

ROOT: Final = 0
"""The position whose value is asked for."""

DRAWS: Final = -1
PAYS: Final = -2
"""Kinds of positions: chance draws; this minus k for an end that pays ``amounts[k]``."""

EXCHANGED: Final = 1 << 30
"""The mark of targets that stand for an image."""

AT_ROOT: Final = -1
NOT_MET: Final = -2
"""Instead of an edge: the position is the root, or there is none."""

_PART: Final = 1 << 16
"""Positions that are looked at together, since single elements of flat arrays are slow to read in Python."""


@frozen(eq=False)
class PositionGraph:
    """The positions that can be reached from the root, of a game of these ``players``.

    ``kinds[p]`` is the player who is to act, from 0; ``len(players)`` plus that within a round; and a negative number
    where nobody decides. ``weights[e]`` is the weight of an outcome: its probability is the share in those of all edges
    of the position; None if chance never draws. ``rewards[e]`` is the number of what the players earn by a move, in
    ``amounts``, the first of which is zero; None if they earn nothing on the way. ``endless`` is what a play pays that
    never ends, None if the rules do not say. Where the graph ``rises`` every edge leads to a higher number, so that no
    play comes back to a position.

    ``met[k]`` is the first edge that leads to what witness k of those that were watched describes, ``AT_ROOT`` if the
    root is such a position, and ``NOT_MET`` if none is; an end that is like others may be one that they are not.

    ``moves[e]`` is a number of the move or outcome, the same for equal ones; None if they were not asked for, or do not
    fit.

    The moves of the last ``unsearched`` positions before the ends have not been made, because the search was to stop
    there: they have no edges. The graph of a game has none of these.

    With ``exchanges``, a target that has the mark ``EXCHANGED`` beside its number stands for the image of the position
    in which two players have changed places. Only graphs of undecided positions have these
    (:mod:`zermelo.solvers.positions.undecided`), and nothing but retrograde analysis takes them.

    The numbers are in sequences of any kind, of which kernels take a ``list[half]`` as it is (``kernels.as_halves``).
    There may be more targets, weights, rewards and moves than edges.
    """

    players: tuple[str, ...]
    kinds: Sequence[int]
    firsts: Sequence[int]
    targets: Sequence[int]
    weights: Sequence[int] | None
    rewards: Sequence[int] | None
    amounts: Sequence[Payoff]
    discount: Fraction = Fraction(1)
    endless: Payoff | None = None
    rises: bool = False
    unsearched: int = 0
    met: Sequence[int] = ()
    moves: Sequence[int] | None = None
    exchanges: bool = False

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.kinds)

    def actor(self, position: int) -> int:
        """Who acts: a player, ``CHANCE`` or ``END``."""
        kind = self.kinds[position]
        if kind < 0:
            return END if kind <= PAYS else CHANCE
        return kind % len(self.players)

    def is_within_round(self, position: int) -> bool:
        """Whether the player to act does not know what others have chosen."""
        return self.kinds[position] >= len(self.players)

    @property
    def has_rounds(self) -> bool:
        """Whether players choose at once anywhere."""
        parts = (self.kinds[first : first + _PART] for first in range(0, len(self), _PART))
        return any(max(part) >= len(self.players) for part in parts)

    def edges(self, position: int) -> range:
        """The edges that leave a position."""
        return range(self.firsts[position], self.firsts[position + 1])

    def payoff(self, position: int) -> Payoff:
        """What an end pays."""
        return self.amounts[PAYS - self.kinds[position]]

    def reward(self, edge: int) -> Payoff:
        """What the players earn by a move."""
        return self.amounts[self.rewards[edge] if self.rewards is not None else 0]

    def factor(self, position: int, edge: int) -> Fraction:
        """By what the value behind an edge of a position is multiplied."""
        after = self.kinds[self.targets[edge]]
        is_over = after <= PAYS or after >= len(self.players)
        return self.discount if self.kinds[position] >= 0 and not is_over else Fraction(1)

    def probabilities(self, position: int) -> list[Fraction]:
        """Those of the edges of a chance position."""
        assert self.weights is not None, "chance draws"
        weights = [self.weights[edge] for edge in self.edges(position)]
        return [Fraction(weight, sum(weights)) for weight in weights]
