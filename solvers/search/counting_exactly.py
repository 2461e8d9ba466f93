"""Plays, counted.

How many ways there are to make the first n moves: what chess programmers call perft, the surest test of rules. Draws of
chance count as moves. Plays that come to the same position have the same future, so they are counted together: the
numbers of ways to reach each position after k moves give those after k + 1.

Beside the kernel (:mod:`zermelo.solvers.kernels.walk`), which goes depth first and forgets what its table has no room
for, this goes layer by layer: it holds the positions of one length alone, counts up to any number, and shares out the
work among the kernel's threads.

Cost: one step for each move of each position reached in fewer than n moves; memory for the positions of one length.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf

from attrs import frozen

from zermelo.grammar.deadline import Passed, look, within
from zermelo.grammar.footprint import Budget, Room
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import Machine, State
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.common.progress import Progress, ignore_progress

Ways = dict[Hashable, tuple[State, int]]
"""By positions: a state, and in how many ways a play can come to one like it."""


@frozen
class Count:
    """``plays`` have been counted. ``stopped`` says what ended the count early, when there are more, and is empty
    where they are all."""

    plays: int
    stopped: str = ""


def count_plays(
    machine: Machine[State],
    root: State,
    length: int,
    progress: Progress = ignore_progress,
    limits: Limits | None = None,
) -> Count:
    """The number of plays of ``length`` moves from ``root`` on; plays that end earlier do not count.

    ``progress`` is told the number of positions reached so far.
    """
    limits = limits or Limits()
    if length == 0:
        return Count(1)
    try:
        with within(limits.left):
            return _counted(machine, root, length, progress, limits)
    except Passed:
        return Count(0, limits.stopped_by_time)


def _counted(machine: Machine[State], root: State, length: int, progress: Progress, limits: Limits) -> Count:
    ways, budget = beginning(machine, root), limits.budget()
    before, last = Room(budget), Room(budget)
    reached = 1
    for _ in range(length - 1):
        here = Room(budget)
        ways = one_move_later(machine, ways, here, before)
        if budget.is_spent:
            return Count(0, limits.stopped_by_memory)
        last.shrink(0)
        last = here
        reached += len(ways)
        progress(reached)
    total = 0
    while ways:  # what a state remembers of its moves goes with it
        look()
        _, (state, count) = ways.popitem()
        total += count * len(choices(machine, state))
    return Count(total)


def beginning(machine: Machine[State], root: State) -> Ways[State]:
    """The one way to make no move."""
    return {machine.position(root): (root, 1)}


def one_move_later(
    machine: Machine[State], ways: Ways[State], room: Room | None = None, before: Room | None = None
) -> Ways[State]:
    """The ways to reach each position with one move more; some of them where there is no ``room`` for more. States
    remember those before them, which with all their moves take room ``before`` them."""
    following: Ways[State] = {}
    room, before = room or Room(Budget(inf)), before or Room(Budget(inf))
    for state, count in ways.values():
        look()
        for move in choices(machine, state):
            child = machine.after(state, move)
            position = machine.position(child)
            known = following.get(position)
            following[position] = (child, count) if known is None else (known[0], known[1] + count)
        if not before.keep(state) or (len(following) >= room.most and not room.grows(following)):
            break
    return following
