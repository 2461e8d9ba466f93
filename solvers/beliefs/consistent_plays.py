"""Following the plays that fit what a player has perceived.

An information state only grows along a play. So a play fits the information state K, or may still come to fit it, as
long as the player's information state is a beginning of K; other plays are given up where they first differ from K.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Generic, TypeAlias

from attrs import define, field, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import unless_too_many
from zermelo.interpreter.machine import (
    CHANCE,
    END,
    InformationState,
    Machine,
    Move,
    PerceivedMove,
    SampleSpace,
    State,
    TellingMachine,
)
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.positions.solved_positions import earned_and_factor_before

# How the others are assumed to choose.


Behaviour: TypeAlias = Callable[[int, InformationState, tuple[Move, ...]], Sequence[Fraction]]
"""The probabilities with which a player who knows this makes each of these moves; they sum to 1."""


def uniform_behaviour(player: int, known: InformationState, moves: tuple[Move, ...]) -> Sequence[Fraction]:
    """All moves with equal probability: nothing is assumed about what the others want."""
    return [Fraction(1, len(moves))] * len(moves)


@frozen
class Following(Generic[State]):
    """The plays of a ``machine`` that fit what ``player`` knows, while the others choose by their ``behaviour``."""

    machine: TellingMachine[State]
    player: int
    known: InformationState
    behaviour: Behaviour

    def fits(self, state: State) -> bool:
        """Whether a play that has come so far may still come to fit."""
        perceived = self.machine.information_state(state, self.player)
        return len(perceived) <= len(self.known) and self.known[: len(perceived)] == perceived

    def is_there(self, state: State) -> bool:
        """Whether the player knows just ``known`` at a state that :meth:`fits`. Where chance is to draw, a step is not
        finished, and nobody has noticed anything of it yet."""
        known = len(self.machine.information_state(state, self.player))
        return known == len(self.known) and self.machine.actor(state) != CHANCE

    def children(self, state: State, space: SampleSpace | None = None) -> Iterator[tuple[State, Fraction]]:
        """The states behind a state that :meth:`fits`, as far as they fit, with the probabilities that chance or the
        others give them; the player's own moves count as certain, as explained at the top of this file. ``space`` has
        the :meth:`outcomes` of chance, if these have been found before."""
        for move, chance in self._continuations(state, space):
            if chance:
                after = self.machine.after(state, move)
                if self.fits(after):
                    yield after, chance

    def outcomes(self, state: State) -> SampleSpace:
        """The outcomes of chance at a state that :meth:`fits`, without those ruled out by what the player perceives in
        full. Raises ``ZermeloError`` (``too-many-outcomes``) if they cannot be counted."""
        return self.machine.consistent_outcomes(state, self.player, self.known)

    def countable_outcomes(self, state: State) -> SampleSpace | None:
        """The same; None if they cannot be counted."""
        return unless_too_many(lambda: self.outcomes(state))

    def _continuations(self, state: State, space: SampleSpace | None) -> Iterator[tuple[Move, Fraction]]:
        actor = self.machine.actor(state)
        if actor == END:
            return
        if actor == CHANCE:
            space = space or self.outcomes(state)
            yield from ((outcome, space.mass * chance) for outcome, chance in space)
        elif actor == self.player:
            made = self._own_move(state)
            yield from ((move, Fraction(1)) for move in self.machine.moves(state) if move == made)
        else:
            moves = self.machine.moves(state)
            known = self.machine.information_state(state, actor)
            yield from zip(moves, self.behaviour(actor, known, moves), strict=True)

    def _own_move(self, state: State) -> Move | None:
        """The move that the player made at their decision at ``state``: they perceive it next, and in full."""
        seen = len(self.machine.information_state(state, self.player))
        made = self.known[seen] if seen < len(self.known) else None
        return Move(made.name, made.arguments) if isinstance(made, PerceivedMove) else None


# A belief state: the positions that a player holds possible, with their probabilities.
#
# What a player has perceived, their *information state* K, fits many plays. How probable each of them is follows from
# the probabilities of chance, and from how the others choose, by Bayes' rule:
#
#     P(play | K)  =  P(play) / sum of P(play') over all plays' that fit K,
#
# where P(play) is the product of the probabilities of its outcomes and of the moves of the *others*. The player's own
# moves do not matter: with perfect recall, they are the same in all plays that fit. Kaelbling, Littman and Cassandra
# (1998) call the result a belief state, and it is all of the past that a good decision needs.
#
# *When?* There is no hidden clock: a player may not notice that others have moved, and then several positions of one
# play fit K. A belief is about the moment at which the player perceived the last thing: of each play, the first
# decision or end that fits. No play is counted twice, so the probabilities sum to 1. If the player is to decide, this
# is the decision.


@frozen
class Possible(Generic[State]):
    """A position: its ``probability``, the number of ``plays`` found that lead to it, and the ``state`` after one of
    them."""

    state: State
    probability: Fraction
    plays: int


@frozen(repr=False)
class Belief(Generic[State]):
    """What ``player``, who knows ``known``, should believe: ``positions``, the most probable first. ``is_exact``: they
    are all, with their exact probabilities; otherwise those that ``drawn`` weighted samples led to, which tell as much
    as ``effective`` independent draws from the belief itself (Kong, 1992): the standard error of a probability p is
    about the root of p (1 - p)/``effective``."""

    player: int
    known: InformationState
    positions: tuple[Possible[State], ...]
    is_exact: bool
    drawn: int = 0
    effective: Fraction = Fraction(0)

    def __repr__(self) -> str:
        how = "exact" if self.is_exact else f"from {self.drawn:,} samples"
        return f"<belief in {len(self.positions):,} positions, {how}>"


# Which states of one position are alike to a caller that asks for amounts.
#
# A position holds what may still happen, but not what has been earned on the way, which nobody perceives, nor how many
# decisions have been made, with which a discount makes later payments smaller: a player who noticed nothing of these
# does not know them either.


def payoff_key(machine: Machine[State], state: State) -> Hashable:
    """Equal for states from which the same plays bring the same payoffs in the end: the position, what everybody has
    earned, and the discount of later payments."""
    return machine.position(state), machine.earned(state), later_payments(machine, state)


def later_payments(machine: Machine[State], state: State) -> Hashable:
    """The discount factor of what the next move pays; None in a game without a discount."""
    return earned_and_factor_before(machine, state)[1] if machine.discount != 1 else None


# The exact belief, by all plays that fit.


MOST_STATES = 100_000
"""How many states are visited at most; a limit on work that is the same everywhere, unlike one on time."""


def enumerate_belief(
    following: Following[State],
    limits: Limits,
    progress: Progress = ignore_progress,
    most: int | None = None,
    by_standing: bool = False,
) -> Belief[State] | None:
    """The exact belief; None if more than ``most`` states fit, by default ``MOST_STATES``, or if outcomes of chance on
    the way are too many to list. With ``by_standing``, states of one position count as one only if they are alike in
    payments, too.

    Raises ``ZermeloError``: ``never-perceived`` if the others, as they choose, never let the player perceive this;
    ``out-of-time``."""
    machine, most = following.machine, MOST_STATES if most is None else most
    found = GatheredPositions(machine, by_standing)
    waiting = [(machine.initial(), Fraction(1))]
    visited = 0
    while waiting:
        state, chance = waiting.pop()
        visited += 1
        if visited > most:
            return None
        if visited % 256 == 0:
            progress(visited)
            limits.check({"nodes": visited})
        if following.is_there(state):
            found.add(state, chance)
            continue
        try:
            space = following.outcomes(state) if machine.actor(state) == CHANCE else None
            if space is not None and space.count > most:
                return None
            waiting += reversed([(after, chance * likely) for after, likely in following.children(state, space)])
        except ZermeloError as error:
            if error.code != "too-many-outcomes":
                raise
            return None
    positions = found.most_probable_first()
    if not positions:
        raise never_perceived()
    return Belief(following.player, following.known, positions, is_exact=True)


@define(eq=False)
class GatheredPositions(Generic[State]):
    """The positions at the end of plays; with ``by_standing``, only states that are alike in payments, too, are one."""

    machine: Machine[State]
    by_standing: bool
    found: dict[Hashable, tuple[State, Fraction, int]] = field(factory=dict)

    def add(self, state: State, weight: Fraction) -> None:
        """Add a play to this state."""
        position = payoff_key(self.machine, state) if self.by_standing else self.machine.position(state)
        first, sum_so_far, plays = self.found.get(position, (state, Fraction(0), 0))
        self.found[position] = first, sum_so_far + weight, plays + 1

    def most_probable_first(self) -> tuple[Possible[State], ...]:
        """The positions with their probabilities; none if no play has a weight."""
        total = sum((weight for _, weight, _ in self.found.values()), Fraction(0))
        if not total:
            return ()
        positions = [Possible(state, weight / total, plays) for state, weight, plays in self.found.values()]
        return tuple(sorted(positions, key=lambda possible: -possible.probability))


def never_perceived() -> ZermeloError:
    """The error for a play to which the strategies of the others never lead."""
    return ZermeloError(
        "never-perceived",
        "the strategies of the others never lead to what the player has perceived, so they say nothing about the "
        "position",
        "leave them out, and all moves of the others are equally likely",
    )
