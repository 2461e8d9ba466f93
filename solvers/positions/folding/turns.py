"""What the moves of one turn bring: the positions within it, gone through with a machine.

Nothing is kept of these (:mod:`.folded_graph`). A machine goes through the turn in the order of the kernel, depth
first, and so meets the kept positions with which it ends in the order of its list: that says which of them each move
leads to.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Generic

from attrs import frozen

from zermelo.interpreter.machine import END, Machine, State

Interval = tuple[Fraction, Fraction]
"""Bounds of what a position is worth to the first player."""

_ENDS: Final = "ends"


@frozen(eq=False)
class FoldedTurn(Generic[State]):
    """A turn of one player. ``listed`` are the kept positions with which it ends, in the order of its list; ``ways``
    has for every position within the turn those to which its moves lead, and these stand before it."""

    machine: Machine[State]
    listed: Sequence[Hashable]
    ways: Mapping[Hashable, Sequence[Hashable]]

    def bounds(self, of_list: Sequence[Interval], want: int) -> dict[Hashable, Interval]:
        """The bounds of all positions of the turn, by those of its list, if its player wants more of what the first
        player gets (``want`` 1) or less (-1)."""
        found = dict(zip(self.listed, of_list, strict=True))
        better = max if want > 0 else min
        for position, ways in self.ways.items():
            found[position] = better(found[way][0] for way in ways), better(found[way][1] for way in ways)
        return found

    def place(self, state: State) -> Hashable:
        """What ``bounds`` calls the position of a state."""
        return place(self.machine, state)


def place(machine: Machine[State], state: State) -> Hashable:
    """What stands for the position of a state: at an end, for all ends that pay the same."""
    return (_ENDS, machine.payoff(state)) if machine.actor(state) == END else machine.position(state)


def turn_from(machine: Machine[State], state: State) -> FoldedTurn[State]:
    """The turn of the player who decides in a state, from there on; one that never comes back to a position."""
    player = machine.actor(state)
    kept, ends = dict[Hashable, None](), dict[Hashable, None]()
    ways: dict[Hashable, list[Hashable]] = {}
    path = [(state, list[State](), list[Hashable]())]
    _open(machine, path[-1])
    while path:
        here, waiting, made = path[-1]
        if not waiting:
            ways[place(machine, here)] = made
            path.pop()
            continue
        there = waiting.pop()
        made.append(place(machine, there))
        actor = machine.actor(there)
        if actor == END:
            ends[made[-1]] = None
        elif actor != player:
            kept[made[-1]] = None
        elif made[-1] not in ways:
            path.append((there, [], []))
            _open(machine, path[-1])
    return FoldedTurn(machine, (*kept, *ends), ways)


def _open(machine: Machine[State], step: tuple[State, list[State], list[Hashable]]) -> None:
    """List the states behind a state of the path, the first one last."""
    state, waiting, _ = step
    waiting += [machine.after(state, move) for move in reversed(machine.moves(state))]
