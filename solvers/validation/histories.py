"""The decisions of players in the first plays of a game, breadth first.

What somebody knows depends on the whole play, so plays are visited here, unfinished ones included, and not positions.
A play that is met comes no later than any longer one. Draws with too many outcomes to list are not followed, and then
not all has been seen. Cost: a state for each play that waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic

from attrs import define, frozen

from zermelo.grammar.deadline import look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, State


@frozen(eq=False)
class Decided(Generic[State]):
    """A state in which a player decides, what they have perceived, and the moves that they are offered."""

    state: State
    player: int
    known: InformationState
    moves: frozenset[Move]


@define(eq=False)
class Histories(Generic[State]):
    """The first ``most`` plays; ``count`` of them have been visited, which are all if ``is_whole``."""

    machine: Machine[State]
    most: int
    count: int = 0
    is_whole: bool = False

    def decisions(self) -> Iterator[Decided[State]]:
        """Visit them. Raises ``PlayError`` where a rule fails."""
        machine = self.machine
        waiting = deque([machine.initial()])
        is_listed = True
        while waiting and self.count < self.most:
            look()
            state = waiting.popleft()
            self.count += 1
            try:
                moves = choices(machine, state)
            except ZermeloError as refusal:
                if refusal.code != "too-many-outcomes":
                    raise
                is_listed = False
                continue
            actor = machine.actor(state)
            if actor not in (CHANCE, END):
                yield Decided(state, actor, machine.information_state(state, actor), frozenset(moves))
            waiting.extend(machine.after(state, move) for move in moves)
        self.is_whole = is_listed and not waiting
