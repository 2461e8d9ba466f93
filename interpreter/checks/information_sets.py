"""Information sets, counted.

States that give a player to move the same information state belong to one information set. What a player has
perceived depends on the whole play, so this visits every history rather than every position: cost and memory grow
with the number of plays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from grammar.diagnostics import ZermeloError
from grammar.record import Record
from interpreter.checks.choices import choices
from interpreter.checks.loops import written
from interpreter.machine import CHANCE, END, Machine, Move, State

CALL_EVERY = 64
"""Histories between two calls of the progress function."""


class InformationSets(Record):
    """``count`` information sets of all players together, found in ``histories`` visited histories.

    ``perfect`` tells whether whoever was to move always knew the position; ``finished`` whether every history was
    visited.
    """

    count: int
    histories: int
    perfect: bool
    finished: bool


def count_information_sets(
    machine: Machine[State],
    limit: int,
    only_perfect: bool = False,
    progress: Callable[[int], None] | None = None,
) -> InformationSets:
    """Count the information sets by visiting at most ``limit`` histories, or, if only what is ``perfect`` is asked,
    until two are found that somebody cannot tell apart. ``progress`` is called now and then with their number, and may
    end the count by an error.

    Raises ``ZermeloError`` (``moves-differ``) where two states of one information set offer different moves.
    """
    first_of: dict[Hashable, tuple[Hashable, frozenset[Move], State]] = {}
    perfect = True
    waiting = [machine.initial()]
    histories = 0
    while waiting and histories < limit and (perfect or not only_perfect):
        state = waiting.pop()
        histories += 1
        if progress is not None and histories % CALL_EVERY == 0:
            progress(histories)
        moves = choices(machine, state)
        actor = machine.actor(state)
        if actor not in (CHANCE, END):
            known = (actor, machine.information_state(state, actor))
            position, offered, first = first_of.setdefault(known, (machine.position(state), frozenset(moves), state))
            if offered != frozenset(moves):
                raise moves_differ(machine, actor, first, state)
            perfect = perfect and position == machine.position(state)
        waiting.extend(machine.after(state, move) for move in reversed(moves))
    return InformationSets(len(first_of), histories, perfect, not waiting)


def moves_differ(machine: Machine[State], player: int, first: State, second: State) -> ZermeloError:
    """The error of two states that a player cannot tell apart, in which he is offered different moves."""
    name = machine.player_names[player]
    return ZermeloError(
        "moves-differ",
        f"{name} cannot tell the plays {written(machine.play(first))} and {written(machine.play(second))} apart, "
        f"but may choose from {written(machine.moves(first))} in one and from {written(machine.moves(second))} in the "
        "other",
        "let the guard read only what its player sees, or let him see what it reads",
    )
