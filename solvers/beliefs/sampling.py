"""A belief by weighted samples, where the plays that fit are too many to visit.

Sequential importance sampling (Kong, Liu and Wong, 1994): a sample follows one play from the beginning. At each step it
looks at all continuations that still fit, chooses one of them in proportion to its probability p, and multiplies its
weight by the sum S of these probabilities. A play with the steps p_1, p_2, ... is then found with the product of all
p_i/S_i as its probability and weighs the product of all S_i, so that on average it counts for the product of all p_i,
which is P(play): no play that fits is favoured, and the estimate is consistent. A sample whose S is 0 somewhere has run
into a dead end and weighs nothing.

Where chance has too many outcomes to look at them all, one is drawn from those left possible by what the player
perceives in full (a hand of cards, say), in proportion to their probabilities. S is then the probability of all these,
and a draw after which the player perceives something else is a dead end.

Cost: the branching factor times the length of the play, for each sample. ``effective`` is the number of samples of
equal weight that tell as much: (sum of weights)^2 / sum of squared weights.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Final

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, State
from zermelo.solvers.beliefs.belief import Belief, Possible
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

SAMPLES: Final = 1_000
"""How many samples are drawn unless a number is asked for."""

_MOST_CONTINUATIONS: Final = 1_000

_MOST_LISTED: Final = 10_000
"""The most outcomes of chance that are all looked at; of more, one is drawn."""


def sampled(
    following: Following[State],
    random: Random,
    samples: int = SAMPLES,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
) -> Belief[State]:
    """An estimate of the belief.

    Raises ``ZermeloError``: ``never-perceived`` if no sample fits, ``out-of-time``."""
    machine, limits = following.machine, limits or Limits()
    found: dict[Hashable, tuple[State, Fraction, set[Hashable]]] = {}
    squares = Fraction(0)
    for sample in range(samples):
        if sample % 64 == 0:
            progress(sample)
            limits.check({"nodes": sample})
        drawn = drawn_play(following, random)
        if drawn is None:
            continue
        state, weight = drawn
        squares += weight**2
        first, sum_so_far, plays = found.setdefault(machine.position(state), (state, Fraction(0), set()))
        plays.add(machine.play(state))
        found[machine.position(state)] = first, sum_so_far + weight, plays
    total = sum((weight for _, weight, _ in found.values()), Fraction(0))
    if not total:
        raise none_fits(samples)
    positions = [Possible(state, weight / total, len(plays)) for state, weight, plays in found.values()]
    positions.sort(key=lambda possible: -possible.probability)
    return Belief(
        following.player, following.known, tuple(positions), False, drawn=samples, effective=total**2 / squares
    )


def none_fits(samples: int) -> ZermeloError:
    """The error of samples that all ended in dead ends."""
    return ZermeloError(
        "never-perceived",
        f"none of {samples:,} samples led to what the player has perceived",
        f"`--samples {4 * samples}` draws more; or the strategies of the others never lead there",
    )


def drawn_play(following: Following[State], random: Random) -> tuple[State, Fraction] | None:
    """A state that fits, and its weight; None after a dead end."""
    state, weight = following.machine.initial(), Fraction(1)
    while not following.is_there(state):
        if _is_wide(following, state):
            state, chance = _drawn(following, state, random)
            weight *= chance
            if not following.fits(state):
                return None
            continue
        continuations = _continuations(following, state)
        if not continuations:
            return None
        weight *= sum(chance for _, chance in continuations)
        state = _chosen(continuations, random)
    return state, weight


def _continuations(following: Following[State], state: State) -> list[tuple[State, Fraction]]:
    """The states up to the next decision that fit, with their probabilities. Draws of chance are not perceived one by
    one, so those that follow each other count as one step, unless together they have too many outcomes."""
    reached: list[tuple[State, Fraction]] = []
    waiting = list(following.children(state))
    while waiting and len(reached) + len(waiting) <= _MOST_CONTINUATIONS:
        here, likely = waiting.pop()
        if following.machine.actor(here) == CHANCE and not _is_wide(following, here):
            waiting += [(after, likely * chance) for after, chance in following.children(here)]
        else:
            reached.append((here, likely))
    return reached + waiting


def _is_wide(following: Following[State], state: State) -> bool:
    """Whether chance is to draw here, from too many outcomes to look at them all."""
    if following.machine.actor(state) != CHANCE:
        return False
    try:
        return following.outcomes(state).count > _MOST_LISTED
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return True


def _drawn(following: Following[State], state: State, random: Random) -> tuple[State, Fraction]:
    """The state after an outcome that is drawn, and the probability of all outcomes from which it is."""
    try:
        space = following.outcomes(state)
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return following.machine.after(state, following.machine.draw(state, random)), Fraction(1)
    return following.machine.after(state, space.draw(random)), space.mass


def _chosen(continuations: list[tuple[State, Fraction]], random: Random) -> State:
    ((state, _),) = random.choices(continuations, [float(chance) for _, chance in continuations])
    return state
