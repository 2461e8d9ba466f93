"""Counting information sets, and finding two plays that a player cannot tell apart.

States in which the player to move has the same information state form an information set. Information states depend on
the whole play, so this visits histories rather than positions: time and memory grow with the number of plays.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from math import inf

from attrs import frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import Budget, Room
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.checks.loops import written
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, State

CALL_EVERY = 64
"""Histories between two calls of the progress function."""

EARLY = 1_000
"""Histories visited to find a confusion early: mostly enough, and almost free."""


@frozen
class Confusion:
    """Two plays that ``player``, who is to move, cannot tell apart, though the positions differ: the refutation of
    perfect information."""

    player: str
    plays: tuple[tuple[Move, ...], tuple[Move, ...]]

    def __str__(self) -> str:
        """As a clause."""
        first, second = (written(play) if play else "the beginning" for play in self.plays)
        return f"{self.player} cannot tell the plays {first} and {second} apart"


@frozen
class InformationSetCount:
    """``count`` information sets of all players together, in ``histories`` visited histories.

    ``confusion`` is None if the player to move always knew the position; ``finished`` if every history was visited.
    """

    count: int
    histories: int
    confusion: Confusion | None
    finished: bool


def count_information_sets(
    machine: Machine[State],
    limit: float,
    until_confused: bool = False,
    progress: Callable[[int], None] | None = None,
    memory: float = inf,
) -> InformationSetCount:
    """Count the information sets, in at most ``limit`` histories and so many bytes of ``memory``, or
    ``until_confused``: up to the first confusion. ``progress`` is called now and then with the number of histories, and
    may raise an error to end the count.

    Raises ``ZermeloError`` (``moves-differ``) if two states of an information set offer different moves.
    """
    first_of: dict[Hashable, tuple[Hashable, frozenset[Move], State]] = {}
    confusion: Confusion | None = None
    waiting = [machine.initial()]
    histories = 0
    budget = Budget(memory)
    stored, listed = Room(budget), Room(budget)
    while waiting and histories < limit and not (until_confused and confusion):
        if len(first_of) >= stored.most and not stored.grows(first_of):
            break
        if len(waiting) >= listed.most and not listed.grows(waiting):
            break
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
            if confusion is None and position != machine.position(state):
                confusion = _confusion(machine, actor, first, state)
        waiting.extend(machine.after(state, move) for move in reversed(moves))
    return InformationSetCount(len(first_of), histories, confusion, not waiting)


def find_confusion(machine: Machine[State]) -> Confusion | None:
    """A confusion among the first :data:`EARLY` histories, breadth first, or None.

    The search stops short of chance moves with too many outcomes to list, and of errors of the rules.
    """
    first_of: dict[Hashable, State] = {}
    waiting = deque([machine.initial()])
    for _ in range(EARLY):
        if not waiting:
            break
        state = waiting.popleft()
        actor = machine.actor(state)
        with suppress(ZermeloError):
            if actor not in (CHANCE, END):
                first = first_of.setdefault((actor, machine.information_state(state, actor)), state)
                if first is not state and machine.position(first) != machine.position(state):
                    return _confusion(machine, actor, first, state)
            waiting.extend(machine.after(state, move) for move in choices(machine, state))
    return None


def _confusion(machine: Machine[State], player: int, first: State, second: State) -> Confusion:
    return Confusion(machine.player_names[player], (machine.play(first), machine.play(second)))


def moves_differ(machine: Machine[State], player: int, first: State, second: State) -> ZermeloError:
    """The error of two states that a player cannot tell apart, though they offer different moves."""
    name = machine.player_names[player]
    return ZermeloError(
        "moves-differ",
        f"{name} cannot tell the plays {written(machine.play(first))} and {written(machine.play(second))} apart, "
        f"but may choose from {written(machine.moves(first))} in one and from {written(machine.moves(second))} in the "
        "other",
        "let the guard read only what its player sees, or let the player see what it reads",
    )
