"""The exact belief, by all plays that fit."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, State
from zermelo.solvers.beliefs.belief import Belief, Possible
from zermelo.solvers.beliefs.consistent_plays import Following
from zermelo.solvers.beliefs.standing import standing
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

MOST_STATES = 100_000
"""How many states are visited at most; a limit on work that is the same everywhere, unlike one on time."""


def enumerated(
    following: Following[State],
    limits: Limits,
    progress: Progress = ignore_progress,
    most: int | None = None,
    by_standing: bool = False,
) -> Belief[State] | None:
    """The exact belief; None if more than ``most`` states fit, by default ``MOST_STATES``, or if outcomes of chance on
    the way are too many to list. ``by_standing``: of states of one position only those count as one that are alike in
    payments, too (:mod:`.standing`).

    Raises ``ZermeloError``: ``never-perceived`` if the others, as they choose, never let the player perceive this;
    ``out-of-time``."""
    machine, most = following.machine, MOST_STATES if most is None else most
    found: dict[Hashable, tuple[State, Fraction, int]] = {}
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
            position = standing(machine, state) if by_standing else machine.position(state)
            first, sum_so_far, plays = found.get(position, (state, Fraction(0), 0))
            found[position] = first, sum_so_far + chance, plays + 1
            continue
        try:
            if machine.actor(state) == CHANCE and following.outcomes(state).count > most:
                return None
            waiting += reversed([(after, chance * likely) for after, likely in following.children(state)])
        except ZermeloError as error:
            if error.code != "too-many-outcomes":
                raise
            return None
    total = sum((chance for _, chance, _ in found.values()), Fraction(0))
    if not total:
        raise never_perceived()
    positions = [Possible(state, chance / total, plays) for state, chance, plays in found.values()]
    positions.sort(key=lambda possible: -possible.probability)
    return Belief(following.player, following.known, tuple(positions), is_exact=True)


def never_perceived() -> ZermeloError:
    """The error for a play to which the strategies of the others never lead."""
    return ZermeloError(
        "never-perceived",
        "the strategies of the others never lead to what the player has perceived, so they say nothing about the "
        "position",
        "leave them out, and all moves of the others are equally likely",
    )
