"""How large a game is, ply by ply: plays, positions, ends, and information sets.

Plays of one length that lead to the same position, and tell all players the same, are counted together, level by level
from the root: so the plays of a level are counted without walking through each of them (dynamic programming over the
graph of positions). The cost is that of the positions of the largest level, times their moves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from attrs import frozen

from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress


@frozen
class Ply:
    """What there is after exactly so many moves and outcomes, ends included: ``plays``, among them ``ended`` ones;
    ``positions``, each once however it is reached; and ``information_sets``, in which a player decides who knows the
    same. They are the positions with a decision where nothing is hidden."""

    number: int
    plays: int
    ended: int
    positions: int
    information_sets: int


def plies(
    machine: Machine[State],
    root: State,
    is_hidden: bool,
    most: int,
    limits: Limits,
    progress: Progress = ignore_progress,
) -> Iterator[Ply]:
    """The plies from a root on: to the end of all plays, or as long as no more than ``most`` states that differ for
    somebody are in one, or as time allows. ``is_hidden`` tells whether players know less than the position; then an
    information set counts at each ply at which it is met.

    Raises ``ZermeloError``: ``too-many-outcomes``, and errors of the rules."""
    level, number, seen = {_of(machine, root, is_hidden): (root, 1)}, 0, 0
    while level and len(level) <= most:
        yield _counted(machine, number, list(level.values()), is_hidden)
        following: dict[Hashable, tuple[State, int]] = {}
        for state, plays in level.values():
            for move in _steps(machine, state):
                after = machine.after(state, move)
                key = _of(machine, after, is_hidden)
                known, before = following.get(key, (after, 0))
                following[key] = known, before + plays
            seen += 1
            progress(seen)
            if len(following) > most or limits.is_over:
                return
        level, number = following, number + 1


def _of(machine: Machine[State], state: State, is_hidden: bool) -> Hashable:
    """What counts as one."""
    known = tuple(_known(machine, state, p) for p in range(len(machine.player_names))) if is_hidden else ()
    return machine.position(state), known


def _known(machine: Machine[State], state: State, player: int) -> InformationState:
    return tuple(machine.information_state(state, player))


def _steps(machine: Machine[State], state: State) -> tuple[Move, ...]:
    """The moves of a state, or its outcomes; none at an end."""
    actor = machine.actor(state)
    if actor == CHANCE:
        return tuple(move for move, _ in machine.outcomes(state))
    return () if actor == END else machine.moves(state)


def _counted(machine: Machine[State], number: int, level: list[tuple[State, int]], is_hidden: bool) -> Ply:
    actors = [machine.actor(state) for state, _ in level]
    deciding = [(actor, state) for actor, (state, _) in zip(actors, level, strict=True) if actor not in (CHANCE, END)]
    known: set[Hashable] = {
        (actor, _known(machine, state, actor) if is_hidden else machine.position(state)) for actor, state in deciding
    }
    return Ply(
        number,
        plays=sum(plays for _, plays in level),
        ended=sum(plays for actor, (_, plays) in zip(actors, level, strict=True) if actor == END),
        positions=len({machine.position(state) for state, _ in level}),
        information_sets=len(known),
    )
