"""What a solution tells a player to do: by position, with how long plays last, or by what is perceived."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from typing import Any, Generic, Protocol

from attrs import evolve, frozen

from zermelo.interpreter.machine import Asked, InformationState, Move, Observation, Payoff, PerceivedMove, State

# How long plays last.


Bounds = tuple[Fraction, Fraction]
"""The least and the greatest that a number may be: the number itself, twice, if it is exact."""


class Unit(Enum):
    """The unit of the length of a play: moves of players, where a round counts as one; rounds, where nobody ever
    decides alone; draws of chance, where nobody decides anything."""

    MOVES = "moves"
    ROUNDS = "rounds"
    DRAWS = "draws of chance"

    @property
    def one(self) -> str:
        """A single one: ``move``."""
        return {"moves": "move", "rounds": "round", "draws of chance": "draw of chance"}[self.value]


@frozen
class Duration:
    """How long a play lasts if everybody does what a policy says: ``ends`` is the probability that it ends, and
    ``length`` how many steps of the ``unit`` it takes on average. Where it is not certain to end there is no length.
    ``is_random``: whether chance or mixtures have a say."""

    ends: Bounds
    length: Bounds | None
    unit: Unit
    is_random: bool = True

    def later(self, number: int) -> Duration:
        """The duration from so many steps earlier on."""
        if self.length is None:
            return self
        return evolve(self, length=(self.length[0] + number, self.length[1] + number))


# What to do in a position in which everybody knows where the play is.


@frozen
class Worth:
    """What the players get if a ``move`` is made, or an outcome drawn, and all go on best: None where it is not
    defined; every amount to within ``error``, which is 0 if they are exact, or unknown (means of samples).
    ``distance`` is how many moves it is to the end then, and ``duration`` how long the play takes on average, as in
    :class:`Advice`; ``chance`` is how often the move is made, where the player mixes."""

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


# A plan by what is perceived: what a player does first, and after everything that they may perceive then.
#
# Where a player does not see the position, a list of moves is no plan: the next move has to depend on what they see and
# are told. Such a plan is a tree, a *conditional plan* (Russell and Norvig) or *policy tree* (Kaelbling, Littman and
# Cassandra 1998). Parts that are alike are kept once, so that a plan has no more steps than there are different things
# to know.


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
    may end: ``ends`` are the amounts that the player has then in all, in ascending order, each once."""

    move: Move
    possible: int
    branches: tuple[Branch, ...]
    ends: tuple[Fraction, ...]


@frozen
class ConditionalPlan:
    """What ``player`` does from the moment on at which they know ``known``. ``begins`` leads to the first steps,
    several if something is perceived before the first decision; ``ends`` are the amounts, as in a step, of plays that
    end before that decision. A step stands before those behind it, and no branch leads back."""

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
