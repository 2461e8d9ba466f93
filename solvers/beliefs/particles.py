"""Plays that fit what a player has perceived, drawn where they are too many to visit: a particle filter with moves.

What it computes: weighted *particles*, plays from the beginning, whose weights estimate the belief: on average a play
counts for P(play), and no play that fits is favoured.

How: what the player has perceived comes in *stages*, one perception after another, and all particles reach a stage
before any goes on.

- *Going on* (sequential importance sampling: Kong, Liu and Wong, 1994). At each step all continuations that still fit
  are looked at, one is chosen in proportion to its probability p, and the weight is multiplied by the sum S of these
  probabilities. A step with the probability p is then made with p/S and weighs S, which is p on average. Where chance
  may draw too much to look at it all, an outcome is drawn from those left possible by what the player perceives in full
  (a hand of cards, say); S is then the probability of all these, and a draw after which they perceive something else is
  a *dead end*. So is a step at which S is 0: somebody has played a card that is in another hand in this particle. If
  the outcomes of a draw are few, but it is one of many in a row, as where cards are dealt one by one, it is guided to
  what the player perceives after the last of them (:mod:`.guiding`).
- *Resampling* (Gordon, Salmond and Smith, 1993). If the weights have become so unequal that they tell less than half as
  much as equal ones would, particles are drawn anew in proportion to their weights.
- *Moving* (Gilks and Berzuini, 2001). Copies are then told apart by steps of a Markov chain that leaves the belief of
  the stage as it is (:mod:`.moving`): two hands exchange a card, and the play goes on as it was.
- *Staying alive*. If hardly a particle reaches the next stage, more are drawn from those of the stage before, moved,
  and sent on, up to ``_ROUNDS`` times. Where they begin they have moved further each time, so that they come to deals
  that the first ones had not met.

Without resampling this is importance sampling, and the particles are independent. What it costs: the branching factor
times the length of the play for each particle, and some plays more for each that moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count
from random import Random
from typing import Final, Generic

from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, Move, State
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.guiding import GuidedDraws
from zermelo.solvers.beliefs.moving import SharedWays, moved
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

_MOST_LISTED: Final = 128
"""How many outcomes of chance, one after another, are all looked at; of more, one is drawn."""

_ROUNDS: Final = 20
"""How often particles are sent on from a stage at most."""

_FEW: Final = 10
"""Particles are few if less than one in so many is left."""


@frozen
class Particle(Generic[State]):
    """A play to ``state``, and its ``weight``. Copies of one another that have not moved since are one ``family``."""

    state: State
    weight: Fraction
    family: int


@frozen
class DrawnPlays(Generic[State]):
    """The plays that fit which so many ``particles`` have led to, each once, with their shares of all weight. They tell
    as much about the belief as ``effective`` independent draws from it (Kong, 1992): (sum of weights)^2 / sum of
    squared weights, in which a family counts as one. Particles that have moved apart count as independent, which is a
    little too much."""

    particles: int
    states: tuple[tuple[State, Fraction], ...]
    effective: Fraction


def drawn_plays(
    following: Following[State],
    random: Random,
    particles: int,
    limits: Limits,
    progress: Progress = ignore_progress,
) -> DrawnPlays[State]:
    """Plays that fit, by so many particles.

    Raises ``ZermeloError``: ``never-perceived`` if none of them comes to fit, ``out-of-time``."""
    last = _Filter(following, random, particles, limits, progress).run()
    total = sum((each.weight for each in last), Fraction(0))
    found: dict[tuple[Move, ...], tuple[State, Fraction]] = {}
    for each in last:
        play = following.machine.play(each.state)
        state, before = found.get(play, (each.state, Fraction(0)))
        found[play] = state, before + each.weight / total
    return DrawnPlays(particles, tuple(found.values()), _effective(last))


class _Filter(Generic[State]):
    """The particles on their way through the stages."""

    def __init__(
        self, following: Following[State], random: Random, particles: int, limits: Limits, progress: Progress
    ) -> None:
        self._following = following
        self._guide = GuidedDraws(following)
        self._ways = SharedWays(following)
        self._random = random
        self._particles = particles
        self._limits = limits
        self._progress = progress
        self._families = count()
        self._sent = 0
        self._continuations: dict[tuple[Move, ...], list[tuple[State, Fraction]] | None] = {}

    def run(self) -> list[Particle[State]]:
        """The particles at the last stage."""
        initial = self._following.machine.initial()
        here = [Particle(initial, Fraction(1), next(self._families)) for _ in range(self._particles)]
        for stage in range(len(self._following.known) + 1):
            here = self._at(stage, here)
        return here

    def _at(self, stage: int, before: list[Particle[State]]) -> list[Particle[State]]:
        """The particles at a stage, from those at the one before."""
        self._continuations.clear()
        here = self._sent_on(stage, before)
        rounds = 1
        while len(here) * _FEW < self._particles and rounds < _ROUNDS:
            before = self._drawn_anew(stage - 1, before)
            here += self._sent_on(stage, before)
            rounds += 1
        if not here:
            raise _none_fits(self._particles)
        return self._drawn_anew(stage, here) if 2 * _effective(here) < self._particles else here

    def _sent_on(self, stage: int, particles: Sequence[Particle[State]]) -> list[Particle[State]]:
        """The particles that come to a stage."""
        arrived = []
        for each in particles:
            self._sent += 1
            if self._sent % 64 == 0:
                self._progress(self._sent)
                self._limits.check({"nodes": self._sent})
            there = self._going_on(stage, each)
            if there is not None:
                arrived.append(there)
        return arrived

    def _going_on(self, stage: int, particle: Particle[State]) -> Particle[State] | None:
        """The particle at a stage; None after a dead end."""
        following, state, weight = self._following, particle.state, particle.weight
        in_a_row = False  # of draws that are too much to look at together: each is made by itself, to the last one
        while not _has_come(following, stage, state):
            in_a_row = in_a_row and following.machine.actor(state) == CHANCE
            continuations = None if in_a_row else self._ahead(state)
            in_a_row = continuations is None
            if continuations is None and following.machine.actor(state) != CHANCE:
                continuations = list(following.children(state))
            if continuations is None:
                drawn = self._drawn(state)
                if drawn is None or not following.fits(drawn[0]):
                    return None
                state, chance = drawn
                weight *= chance
            elif continuations:
                weight *= sum(chance for _, chance in continuations)
                state = _chosen(continuations, self._random)
            else:
                return None
        return evolve(particle, state=state, weight=weight)

    def _ahead(self, state: State) -> list[tuple[State, Fraction]] | None:
        """The continuations of a play, which particles that have come the same way share."""
        play = self._following.machine.play(state)
        if play not in self._continuations:
            self._continuations[play] = _continuations(self._following, state)
        return self._continuations[play]

    def _drawn(self, state: State) -> tuple[State, Fraction] | None:
        """The state after an outcome that is drawn, and what the weight is multiplied by; None after a dead end."""
        following = self._following
        if _count(following, state) <= _MOST_LISTED:
            return self._guide.drawn(state, self._random)
        try:
            space = following.outcomes(state)
        except ZermeloError as error:
            if error.code != "too-many-outcomes":
                raise
            return following.machine.after(state, following.machine.draw(state, self._random)), Fraction(1)
        return following.machine.after(state, space.draw(self._random)), space.mass

    def _drawn_anew(self, stage: int, particles: Sequence[Particle[State]]) -> list[Particle[State]]:
        """As many particles as there should be, of equal weight, drawn in proportion to theirs, and moved."""
        total = sum((each.weight for each in particles), Fraction(0))
        weight, copies = total / self._particles, []
        for parent in _systematic(particles, float(total), self._particles, self._random):
            state = moved(self._ways, parent.state, self._has_come_to(stage), self._random)
            is_copy = state is parent.state
            copies.append(Particle(state, weight, parent.family if is_copy else next(self._families)))
        return copies

    def _has_come_to(self, stage: int) -> Callable[[State], bool]:
        return lambda state: _has_come(self._following, stage, state)


def _effective(particles: Sequence[Particle[State]]) -> Fraction:
    """How many particles of equal weight tell as much."""
    families: dict[int, Fraction] = {}
    for each in particles:
        families[each.family] = families.get(each.family, Fraction(0)) + each.weight
    total = sum(families.values(), Fraction(0))
    return total**2 / sum(weight**2 for weight in families.values())


def _systematic(
    particles: Sequence[Particle[State]], total: float, wanted: int, random: Random
) -> list[Particle[State]]:
    """Particles drawn in proportion to their weights, at equal distances along them all: each as often as it should be,
    up or down to the next whole number."""
    chosen, along, begin = list[Particle[State]](), 0.0, random.random()
    for each in particles:
        along += float(each.weight) / total * wanted
        while begin + len(chosen) < along and len(chosen) < wanted:
            chosen.append(each)
    return chosen + [particles[-1]] * (wanted - len(chosen))


# ------------------------------------------------------------ one particle


def _has_come(following: Following[State], stage: int, state: State) -> bool:
    """Whether a state that fits has come to a stage: so much has been perceived, or more by the same step."""
    if stage == len(following.known):
        return following.is_there(state)
    perceived = len(following.machine.information_state(state, following.player))
    return perceived >= stage and following.machine.actor(state) != CHANCE


def _continuations(following: Following[State], state: State) -> list[tuple[State, Fraction]] | None:
    """The states at the next decision that fit, with their probabilities. Draws of chance are not perceived one by one,
    so those that follow each other count as one step. None if chance is to draw, and what it may draw is too much to
    look at."""
    reached: list[tuple[State, Fraction]] = []
    waiting = [(state, Fraction(1))]
    looked_at = 0
    while waiting:
        here, likely = waiting.pop()
        is_drawn = following.machine.actor(here) == CHANCE
        if here is not state and not is_drawn:
            reached.append((here, likely))
            continue
        if is_drawn:
            looked_at += _count(following, here)
            if looked_at > _MOST_LISTED:
                return None
        waiting += [(after, likely * chance) for after, chance in following.children(here)]
    return reached


def _count(following: Following[State], state: State) -> int:
    """The number of outcomes of chance, or more than are looked at."""
    try:
        return following.outcomes(state).count
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return _MOST_LISTED + 1


def _chosen(continuations: list[tuple[State, Fraction]], random: Random) -> State:
    ((state, _),) = random.choices(continuations, [float(chance) for _, chance in continuations])
    return state


def _none_fits(particles: int) -> ZermeloError:
    """The error of particles that all ended in dead ends."""
    return ZermeloError(
        "never-perceived",
        f"none of {particles:,} samples led to what the player has perceived",
        f"`--samples {4 * particles}` draws more; or the strategies of the others never lead there",
    )
