"""A plan by what is perceived: what a player does first, and after everything that they may perceive then.

Where a player does not see the position, a list of moves is no plan: the next move has to depend on what they see and are
told. Such a plan is a tree, a *conditional plan* (Russell and Norvig) or *policy tree* (Kaelbling, Littman and Cassandra
1998). Parts that are alike are kept once, so that a plan has no more steps than there are different things to know.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen

from zermelo.interpreter.machine import Asked, InformationState, Move, Observation, PerceivedMove


@frozen
class Branch:
    """What the player may perceive between two of their decisions, the next one included, and the number of the ``step``
    that they take then."""

    perceived: InformationState
    step: int

    def news(self, player: str) -> tuple[Observation, ...]:
        """What is perceived, without the player's own moves and the question that they are asked."""
        return tuple(
            each
            for each in self.perceived
            if not isinstance(each, Asked) and not (isinstance(each, PerceivedMove) and each.player == player)
        )


@frozen
class Step:
    """One ``move`` of a plan where ``possible`` positions are held possible. The play may go on in ``branches``, and may
    end: ``ends`` are the amounts that this brings the player beside what they have earned before, in ascending order,
    each once."""

    move: Move
    possible: int
    branches: tuple[Branch, ...]
    ends: tuple[Fraction, ...]


@frozen
class ConditionalPlan:
    """What ``player`` does: ``begins`` leads to the first steps, of which there are several if something is perceived
    before the first decision, and ``ends`` are as those of a step, of
    plays that end before. A step
    stands before those behind it, and no branch leads back."""

    player: str
    begins: tuple[Branch, ...]
    steps: tuple[Step, ...]
    ends: tuple[Fraction, ...] = ()
