"""A belief by samples, where the plays that fit are too many to visit: by a particle filter (:mod:`.particles`)."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Final

from zermelo.interpreter.machine import State
from zermelo.solvers.beliefs.belief import Belief, Possible
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.particles import drawn_plays
from zermelo.solvers.beliefs.standing import standing
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

SAMPLES: Final = 1_000
"""How many samples are drawn unless a number is asked for."""


def sampled(
    following: Following[State],
    random: Random,
    samples: int = SAMPLES,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    by_standing: bool = False,
) -> Belief[State]:
    """An estimate of the belief; ``by_standing`` as in :func:`~zermelo.solvers.beliefs.enumerating.enumerated`.

    Raises ``ZermeloError``: ``never-perceived`` if no sample fits, ``out-of-time``."""
    drawn = drawn_plays(following, random, samples, limits or Limits(), progress)
    found: dict[Hashable, tuple[State, Fraction, int]] = {}
    machine = following.machine
    for state, weight in drawn.states:
        position = standing(machine, state) if by_standing else machine.position(state)
        first, sum_so_far, plays = found.get(position, (state, Fraction(0), 0))
        found[position] = first, sum_so_far + weight, plays + 1
    positions = [Possible(state, weight, plays) for state, weight, plays in found.values()]
    positions.sort(key=lambda possible: -possible.probability)
    return Belief(following.player, following.known, tuple(positions), False, drawn=samples, effective=drawn.effective)
