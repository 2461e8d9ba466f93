"""How many plays there are, by a kernel or by layers of positions; and how large a game is, ply by ply."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import inf
from typing import Any, Final

from attrs import frozen

from zermelo.foundation.deadline import DeadlinePassed, check_deadline, time_limit
from zermelo.foundation.memory import MemoryBudget, MemoryQuota
from zermelo.interpreter.checks.game_facts import choices_at
from zermelo.interpreter.machine import CHANCE, END, Machine, State
from zermelo.interpreter.native.running.kernels import Kernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress
from zermelo.solvers.kernels import walk as kernel
from zermelo.solvers.running.lowered_backend import LoweredBackend, run_lowered_or_else
from zermelo.solvers.running.path_search import PathKernel, PathSearch, Slices, run_in_threads, table_size

# Counting plays.
#
# How many ways there are to make the first n moves: what chess programmers call perft, the surest test of rules. Draws
# of chance count as moves. Plays that come to the same position have the same future, so they are counted together: the
# numbers of ways to reach each position after k moves give those after k + 1.
#
# Beside the kernel (:mod:`zermelo.solvers.kernels.walk`), which goes depth first and forgets what its table has no room
# for, this goes layer by layer: it holds the positions of one length alone, counts up to any number, and shares out the
# work among the kernel's threads.
#
# Cost: one step for each move of each position reached in fewer than n moves; memory for the positions of one length.


Ways = dict[Hashable, tuple[State, int]]
"""For each position a state in it, and the number of ways in which a play can come there."""


@frozen
class Count:
    """``plays`` have been counted. ``stopped`` says what ended the count early, when there are more, and is empty
    where they are all."""

    plays: int
    stopped: str = ""


def count_exactly(
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
        with time_limit(limits.left):
            return _count_by_layers(machine, root, length, progress, limits)
    except DeadlinePassed:
        return Count(0, limits.stopped_by_time)


def _count_by_layers(machine: Machine[State], root: State, length: int, progress: Progress, limits: Limits) -> Count:
    ways, budget = initial_ways(machine, root), limits.budget()
    before, last = MemoryQuota(budget), MemoryQuota(budget)
    reached = 1
    for _ in range(length - 1):
        here = MemoryQuota(budget)
        ways = ways_one_move_later(machine, ways, here, before)
        if budget.is_spent:
            return Count(0, limits.stopped_by_memory)
        last.shrink(0)
        last = here
        reached += len(ways)
        progress(reached)
    total = 0
    while ways:  # what a state remembers of its moves goes with it
        check_deadline()
        _, (state, count) = ways.popitem()
        total += count * len(choices_at(machine, state))
    return Count(total)


def initial_ways(machine: Machine[State], root: State) -> Ways[State]:
    """The one way to make no move."""
    return {machine.position(root): (root, 1)}


def ways_one_move_later(
    machine: Machine[State], ways: Ways[State], room: MemoryQuota | None = None, before: MemoryQuota | None = None
) -> Ways[State]:
    """The ways to reach each position with one move more, or only some of them where there is no ``room`` for all.
    States remember the states before them; ``before`` is the room for these, with all their moves."""
    following: Ways[State] = {}
    room, before = room or MemoryQuota(MemoryBudget(inf)), before or MemoryQuota(MemoryBudget(inf))
    for state, count in ways.values():
        check_deadline()
        for move in choices_at(machine, state):
            child = machine.after(state, move)
            position = machine.position(child)
            known = following.get(position)
            following[position] = (child, count) if known is None else (known[0], known[1] + count)
        if not before.keep(state) or (len(following) >= room.most and not room.grows(following)):
            break
    return following


# Plays counted by a kernel.
#
# The kernel walks the tree, and where the history of the play is no part of a position it remembers how many plays go
# on from each position that it has left. To share the work among threads, the positions after the first few moves are
# found first, each with the number of ways to it; a worker that is free walks from each.


KERNEL: Final = PathKernel(kernel.Search, kernel.start, kernel.go_on, ("plays",))

_PARTS_EACH: Final = 8
"""Parts of the work for each thread, so that none is left with a large one at the end."""


def count_by_kernel(
    machine: LoweredMachine, root: LoweredState, length: int, progress: Progress, limits: Limits, threads: int
) -> Count:
    """As :func:`count_exactly`, for at least one move. ``progress`` is told how many plays have been counted."""

    def count(kernels: Kernels) -> Count:
        team = threads if kernels.is_compiled else 1
        ways, to_come = initial_ways(machine, root), length
        while 0 < len(ways) < _PARTS_EACH * team and to_come > 1 and team > 1:
            ways, to_come = ways_one_move_later(machine, ways), to_come - 1
        parts = iter(list(ways.values()))
        counted: dict[int, int] = {}
        finished: list[int] = []

        def work(mine: Kernels) -> Iterator[None]:
            width = mine.words_of(kernel.Search, "table")
            size = 0 if machine.program.model.history else table_size(limits, width * team, mine)
            walk = PathSearch(KERNEL, LoweredBackend(machine), mine, limits, ignore_progress, table=size)
            walk.search.length = to_come
            for state, count in parts:
                walk.start(state)
                slices = Slices(mine.is_compiled)
                while walk.go_on(state, slices.next()) >= 0:
                    counted[id(mine)] = count * walk.search.plays
                    yield
                counted.pop(id(mine), None)
                finished.append(count * walk.search.plays)

        def so_far() -> int:
            return sum(finished) + sum(list(counted.values()))

        def is_over() -> bool:
            progress(so_far())
            return limits.is_over

        run_in_threads(kernels, team, work, is_over)
        return Count(so_far(), limits.stopped_by_time if len(finished) < len(ways) else "")

    return machine.run(KERNEL.source(), count)


# Counting plays (perft): by a kernel over lowered rules, and otherwise by layers of positions.


def count_plays(
    machine: Machine[Any], root: Any, length: int, progress: Progress, limits: Limits, threads: int
) -> Count:
    """The number of plays of ``length`` moves from ``root`` on. ``progress`` is told how many plays a kernel has
    counted, or how many positions have been reached; where there are more plays than a kernel can count, it begins
    anew."""

    def by_kernel(lowered: LoweredMachine) -> Count:
        return count_by_kernel(lowered, root, length, progress, limits, threads)

    def by_layers() -> Count:
        return count_exactly(machine, root, length, progress, limits)

    try:
        with time_limit(limits.left):
            return run_lowered_or_else(machine, by_kernel, by_layers) if length > 0 else Count(1)
    except DeadlinePassed:  # before anything could be counted
        return Count(0, limits.stopped_by_time)


# How large a game is, ply by ply: plays, positions, ends, and information sets.
#
# Plays of one length that lead to the same position, and tell all players the same, are counted together, level by
# level from the root: so the plays of a level are counted without walking through each of them (dynamic programming
# over the graph of positions). The cost is that of the positions of the largest level, times their moves.


@frozen
class Ply:
    """What there is after exactly so many moves and outcomes, ends included: ``plays``, among them ``ended`` ones;
    ``positions``, each once however it is reached; and ``information_sets``, each with all decisions at which a player
    knows the same. Where nothing is hidden, they are the positions with a decision."""

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
    """The plies from a root on: to the end of all plays, or while a ply has at most ``most`` states that differ for
    some player, or while there is time. ``is_hidden`` tells whether players know less than the position; then an
    information set counts at each ply at which it is met.

    Raises ``ZermeloError``: ``too-many-outcomes``, and errors of the rules."""
    level, number, seen = {_level_key(machine, root, is_hidden): (root, 1)}, 0, 0
    while level and len(level) <= most:
        yield _ply_of(machine, number, list(level.values()), is_hidden)
        following: dict[Hashable, tuple[State, int]] = {}
        for state, plays in level.values():
            for move in choices_at(machine, state):
                after = machine.after(state, move)
                key = _level_key(machine, after, is_hidden)
                known, before = following.get(key, (after, 0))
                following[key] = known, before + plays
            seen += 1
            progress(seen)
            if len(following) > most or limits.is_over:
                return
        level, number = following, number + 1


def _level_key(machine: Machine[State], state: State, is_hidden: bool) -> Hashable:
    """The key of states that count as one."""
    players = range(len(machine.player_names)) if is_hidden else ()
    return machine.position(state), tuple(tuple(machine.information_state(state, player)) for player in players)


def _ply_of(machine: Machine[State], number: int, level: list[tuple[State, int]], is_hidden: bool) -> Ply:
    actors = [machine.actor(state) for state, _ in level]
    deciding = [(actor, state) for actor, (state, _) in zip(actors, level, strict=True) if actor not in (CHANCE, END)]
    known: set[Hashable] = {
        (actor, tuple(machine.information_state(state, actor)) if is_hidden else machine.position(state))
        for actor, state in deciding
    }
    return Ply(
        number,
        plays=sum(plays for _, plays in level),
        ended=sum(plays for actor, (_, plays) in zip(actors, level, strict=True) if actor == END),
        positions=len({machine.position(state) for state, _ in level}),
        information_sets=len(known),
    )
