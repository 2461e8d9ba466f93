"""Asking estimates about all positions of a graph (:mod:`zermelo.solvers.positions.graph`), in the order of their
numbers. A state is kept until those behind it have been made; then another one takes its place."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import (
    CHANCE,
    STATE,
    State,
    actor,
    apply,
    copy,
    half,
    moves,
    outcomes,
)
from zermelo.solvers.kernels.temporal_differences import Learner, is_unsettled, worth_of

LEFT_OUT = 0
MADE = 1
ASKED = 2
"""What ``marks`` say of a position: that no state of it is needed, that one has to be made, and that the estimates are
asked about it."""


class Held:
    """A state that is kept."""

    state: State


class Asker:
    """Asking at work. The weights of the ``learner`` are those of all estimates, one after another; ``worths`` what
    they say of each position, and ``unsettled`` are those that the file calls so. ``places`` are 1 + those among the
    states ``held`` of positions that have been met, of which so many are ``taken``; the ``free`` ones have been taken
    before."""

    learner: Learner
    firsts: list[half]
    targets: list[half]
    marks: list[half]
    places: list[half]
    free: list[half]
    held: list[Held]
    worths: list[float]
    unsettled: list[half]
    estimates: int
    position: int
    taken: int
    freed: int


def ask_along(asker: Asker, end: int) -> int:
    """Ask about the positions before this one."""
    while asker.position < end:
        position: int = asker.position
        if asker.marks[position] != LEFT_OUT:
            place: int = asker.places[position] - 1
            copy(asker.learner.state, asker.held[place].state, STATE)
            asker.free[asker.freed] = place
            asker.freed += 1
            if asker.marks[position] == ASKED:
                ask_about(asker, position)
            make_those_behind(asker, position)
            if asker.learner.rules[0] != 0:
                return 0
        asker.position += 1
    return 0


def ask_about(asker: Asker, position: int) -> None:
    """What all estimates say of the state at hand, and whether it is unsettled."""
    asker.unsettled[position] = is_unsettled(asker.learner.rules, asker.learner.state)
    for k in range(asker.estimates):
        asker.learner.first = k * len(asker.learner.trace)
        asker.worths[position * asker.estimates + k] = worth_of(asker.learner, asker.learner.state)


def make_those_behind(asker: Asker, position: int) -> None:
    """Make a state of each position behind the one at hand that has not been met."""
    first: int = asker.firsts[position]
    edges: int = asker.firsts[position + 1] - first
    is_listed: bool = False
    for k in range(edges):
        target: int = asker.targets[first + k]
        if asker.marks[target] != LEFT_OUT and asker.places[target] == 0 and asker.learner.rules[0] == 0:
            if not is_listed:
                list_moves(asker.learner)
                is_listed = True
            asker.places[target] = 1 + place_of_another(asker)
            copy(asker.held[asker.places[target] - 1].state, asker.learner.state, STATE)
            if asker.learner.rules[0] == 0:
                apply(asker.learner.rules, asker.held[asker.places[target] - 1].state, asker.learner.legal[k])


def list_moves(learner: Learner) -> None:
    """List what may happen in the state at hand, as the edges do."""
    if actor(learner.state) == CHANCE:
        outcomes(learner.rules, learner.state, learner.legal, learner.weights)
    else:
        moves(learner.rules, learner.state, learner.legal)


def place_of_another(asker: Asker) -> int:
    """A place for another state."""
    if asker.freed > 0:
        asker.freed -= 1
        return asker.free[asker.freed]
    asker.taken += 1
    return asker.taken - 1
