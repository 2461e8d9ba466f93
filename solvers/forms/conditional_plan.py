"""A plan by what is perceived: what a player does first, and after everything that they may perceive then.

Where a player does not see the position, a list of moves is no plan: the next move has to depend on what they see and
are told. Such a plan is a tree, a *conditional plan* (Russell and Norvig) or *policy tree* (Kaelbling, Littman and
Cassandra 1998). Parts that are alike are kept once, so that a plan has no more steps than there are different things to
know.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import frozen

from zermelo.interpreter.machine import Asked, InformationState, Move, Observation, PerceivedMove


@frozen
class Branch:
    """What the player may perceive between two of their decisions, the next one included, and the number of the
    ``step`` that they take then."""

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
class PlannedStep:
    """One ``move`` of a plan where ``possible`` positions are held possible. The play may go on in ``branches``, and
    may end: ``ends`` are the amounts that this brings the player beside what they have earned before, in ascending
    order, each once."""

    move: Move
    possible: int
    branches: tuple[Branch, ...]
    ends: tuple[Fraction, ...]


@frozen
class ConditionalPlan:
    """What ``player`` does from a moment on at which they know ``known``: ``begins`` leads to the first steps, of which
    there are several if something is perceived before the first decision, and ``ends`` are as those of a step, of plays
    that end before. A step stands before those behind it, and no branch leads back."""

    player: str
    known: InformationState
    begins: tuple[Branch, ...]
    steps: tuple[PlannedStep, ...]
    ends: tuple[Fraction, ...] = ()

    def step_at(self, known: InformationState) -> PlannedStep | None:
        """The step of a player who has these observations at a decision; None where the plan never leads. Between two
        of their decisions a player is asked once, at last; so at most one branch fits."""
        left, branches = tuple(known), self.begins
        before = tuple(self.known)
        if left[: len(before)] != before:
            return None
        left = left[len(before) :]
        while True:
            fitting = (each for each in branches if left[: len(each.perceived)] == tuple(each.perceived))
            branch = next(fitting, None)
            if branch is None:
                return None
            step, left = self.steps[branch.step], left[len(branch.perceived) :]
            if not left:
                return step
            branches = step.branches

    def decisions(self) -> Iterator[tuple[tuple[Observation, ...], Move]]:
        """Every information state in which the plan has the player decide, with the move, as a tree: there may be far
        more than steps."""
        waiting = [(tuple(self.known), branch) for branch in reversed(self.begins)]
        while waiting:
            before, branch = waiting.pop()
            known, step = (*before, *branch.perceived), self.steps[branch.step]
            yield known, step.move
            waiting += [(known, each) for each in reversed(step.branches)]
