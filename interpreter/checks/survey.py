"""A survey: every position of a game visited once, as far as limits allow.

What it computes: how many positions there are and in how many the play has ended, the length of the longest play,
whether a position can come back (and then a play that shows it), whether all plays pay out the same in all or the
same to everybody, and whether chance is ever asked. What holds of all positions of a finished survey is proved.

The visit is a depth-first search of the graph of positions with the usual three colours: a position not met yet, one
on the path that leads to the present one, and one that has been left. Meeting one on the path closes a cycle, and a
finite graph without a cycle has plays of bounded length only; the longest begins where a position is left last.
Cost: one visit for each position and one step for each move of each, and memory for all positions.

What has been earned is no part of a position, so a position met again along another path may pay out differently
there. The survey therefore looks at what has been earned whenever it meets a position; where the sum differs from the
first time, or not everybody has earned the same, it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from math import inf
from typing import Any, Final, Generic

from attrs import define, field, frozen

from zermelo.grammar.deadline import Passed, look, within
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import Budget, Room, size
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, State

CHECK_EVERY = 16
"""Positions between two looks at the clock."""


ENOUGH: Final = "as soon as it could tell"
"""What ends a survey that has seen what it was asked for."""


@frozen
class Survey:
    """What a survey has seen. ``stopped`` says what ended it early and is empty where it has visited everything.

    ``sums`` holds one or two of the sums that plays pay out in all: one where they agree; ``sum_is_settled`` is false
    where what is earned in all depends on the path, so that plays may have yet other sums. ``unequal`` is a payoff that
    is not the same for everybody; ``evenly_earned`` is false where somebody earned more than another on the way.
    ``longest`` counts the moves and draws of the longest play, where plays are bounded.
    """

    positions: int
    terminals: int
    stopped: str
    chance: bool
    sums: tuple[Fraction, ...]
    sum_is_settled: bool
    evenly_earned: bool
    unequal: Payoff | None
    loop: Loop | None
    longest: int | None

    @property
    def finished(self) -> bool:
        return not self.stopped


def survey(
    machine: Machine[State],
    limit_positions: float,
    limit_seconds: float,
    progress: Callable[[int], None] | None = None,
    is_enough: Callable[[Surveyor[Any]], bool] | None = None,
    memory: float = inf,
) -> Survey:
    """Visit the positions of a game, at most ``limit_positions`` of them, in so many bytes of ``memory`` and for
    ``limit_seconds``, or until ``is_enough`` says so, which is asked in every new position.

    ``progress`` is called every few positions with their number. Errors of the rules met on the way are raised as they
    are.
    """
    budget = Budget(memory)
    rooms = Room(budget), Room(budget)
    return Surveyor(machine, limit_positions, limit_seconds, progress, is_enough, *rooms).run()


@define(eq=False)
class _Visit(Generic[State]):
    """A position on the present path: the moves not followed yet, and the longest play from here found so far."""

    state: State
    position: Hashable
    moves: Iterator[Move]
    longest: int = 0


@define(eq=False)
class Surveyor(Generic[State]):
    """A survey under way, and what it has seen so far."""

    machine: Machine[State]
    limit_positions: float
    limit_seconds: float
    progress: Callable[[int], None] | None
    is_enough: Callable[[Surveyor[Any]], bool] | None
    stored: Room
    followed: Room
    path: list[_Visit[State]] = field(factory=list)
    longest: dict[Hashable, int | None] = field(factory=dict)  # None: the position is on the path
    carried: dict[Hashable, Fraction] = field(factory=dict)  # sums earned before a position, other than 0
    terminals: int = 0
    chance: bool = False
    sums: list[Fraction] = field(factory=list)
    sum_is_settled: bool = True
    evenly_earned: bool = True
    unequal: Payoff | None = None
    loop: Loop | None = None
    begin: Hashable = None

    def run(self) -> Survey:
        try:
            with within(self.limit_seconds):
                stopped = self.visit_all()
        except Passed:
            stopped = f"after {self.limit_seconds:g} s"
        bounded = not stopped and self.loop is None
        return Survey(
            positions=len(self.longest),
            terminals=self.terminals,
            stopped=stopped,
            chance=self.chance,
            sums=tuple(self.sums),
            sum_is_settled=self.sum_is_settled,
            evenly_earned=self.evenly_earned,
            unequal=self.unequal,
            loop=self.loop,
            longest=self.longest[self.begin] if bounded else None,
        )

    def visit_all(self) -> str:
        """Visit positions until there are no others, or the survey must stop: why."""
        first = self.machine.initial()
        self.begin = self.machine.position(first)
        stopped = self.enter(first, self.begin)
        while self.path and not stopped:
            visit = self.path[-1]
            move = next(visit.moves, None)
            if move is None:
                self.leave()
                continue
            look()
            state = self.machine.after(visit.state, move)
            position = self.machine.position(state)
            if position not in self.longest:
                stopped = self.enter(state, position)
            else:
                self.meet_again(state, position)
        return stopped

    def enter(self, state: State, position: Hashable) -> str:
        """Begin the visit of a new position. Returns why the survey must stop, or nothing."""
        number = len(self.longest) + 1
        if number > self.limit_positions:
            return f"after {self.limit_positions:,.0f} positions"
        if not self.has_room():
            return f"at {size(self.stored.budget.allowed)} of memory"
        if number % CHECK_EVERY == 0 and self.progress is not None:
            self.progress(number)
        if self.is_enough is not None and self.is_enough(self):
            return ENOUGH
        try:
            moves = choices(self.machine, state)
        except ZermeloError as error:
            if error.code != "too-many-outcomes":
                raise
            return "at a draw with too many outcomes to list"
        actor = self.machine.actor(state)
        self.chance = self.chance or actor == CHANCE
        if actor == END:
            self.end(self.machine.payoff(state))
        self.longest[position] = None
        earned = self.earned(state)
        if earned:
            self.carried[position] = earned
        self.path.append(_Visit(state, position, iter(moves)))
        return ""

    def has_room(self) -> bool:
        """Whether another position finds room, and on the path, too."""
        is_stored = len(self.longest) < self.stored.most or self.stored.grows(self.longest)
        return is_stored and (len(self.path) < self.followed.most or self.followed.grows(self.path))

    def end(self, payoff: Payoff) -> None:
        self.terminals += 1
        total = sum(payoff, Fraction(0))
        if len(self.sums) < 2 and total not in self.sums:
            self.sums.append(total)
        if self.unequal is None and any(amount != payoff[0] for amount in payoff):
            self.unequal = payoff

    def leave(self) -> None:
        """End the visit of the last position of the path."""
        visit = self.path.pop()
        self.longest[visit.position] = visit.longest
        if self.path:
            self.path[-1].longest = max(self.path[-1].longest, visit.longest + 1)

    def meet_again(self, state: State, position: Hashable) -> None:
        below = self.longest[position]
        if below is not None:
            self.path[-1].longest = max(self.path[-1].longest, below + 1)
        elif self.loop is None:
            play = self.machine.play(state)
            start = next(depth for depth, visit in enumerate(self.path) if visit.position == position)
            self.loop = Loop(play[:start], play[start:])
        if self.earned(state) != self.carried.get(position, 0):
            self.sum_is_settled = False

    def earned(self, state: State) -> Fraction:
        """What all have earned together on the way."""
        earned = self.machine.earned(state)
        if any(amount != earned[0] for amount in earned):
            self.evenly_earned = False
        return sum(earned, Fraction(0))
