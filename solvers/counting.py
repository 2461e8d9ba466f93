"""Plays, counted.

How many ways there are to make the first n moves: what chess programmers call perft, the surest test of rules. Draws of
chance count as moves. Plays that come to the same position have the same future, so they are counted together: the
numbers of ways to reach each position after k moves give those after k + 1.

Cost: one step for each move of each position reached in fewer than n moves; memory for the positions of one length.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from interpreter.checks.choices import choices
from interpreter.machine import Machine, State


def plays(machine: Machine[State], length: int, progress: Callable[[int], None] | None = None) -> int:
    """The number of plays of ``length`` moves; plays that end earlier do not count.

    ``progress`` is called after every move with the number of positions reached so far.
    """
    start = machine.initial()
    ways: dict[Hashable, tuple[State, int]] = {machine.position(start): (start, 1)}
    if length == 0:
        return 1
    reached = 1
    for _ in range(length - 1):
        following: dict[Hashable, tuple[State, int]] = {}
        for state, count in ways.values():
            for move in choices(machine, state):
                child = machine.after(state, move)
                position = machine.position(child)
                known = following.get(position)
                following[position] = (child, count) if known is None else (known[0], known[1] + count)
        ways = following
        reached += len(ways)
        if progress is not None:
            progress(reached)
    return sum(count * len(choices(machine, state)) for state, count in ways.values())
