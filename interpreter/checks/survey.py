"""A survey: a visit of every position of a game, as far as limits allow.

It computes the number of positions and of terminal ones, the length of the longest play, whether a position can recur
(with a play that shows it), whether the game has a constant sum or a common payoff, and whether there are chance moves.
A finished survey proves what holds in all its positions.

The visit is a depth-first search of the graph of positions with the usual three colours: unvisited, on the current
path, and left. Meeting a position on the path closes a cycle; a finite graph without cycles has plays of bounded
length. Cost: one visit for each position and one step for each of its moves; memory for all positions.

Earnings are no part of a position, so that a position met again on another path may have other ones. The survey
therefore compares the earnings whenever it meets a position, and notes if their sum differs from the first time, or if
the players have not earned the same.
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
"""Positions between two checks of the clock."""


ENOUGH: Final = "as soon as the question was settled"
"""Why a survey stopped that has settled its question."""


@frozen
class Survey:
    """The result of a survey. ``stopped`` says why it ended early, and is empty if it visited everything.

    ``sums`` has one sum of the payoffs of a play, or two different ones; ``sum_is_settled`` is false if the earnings
    depend on the path, so that there may be other sums. ``unequal`` is a payoff that is not the same for all players;
    ``evenly_earned`` is false if the players earned different amounts on the way. ``longest`` is the number of moves
    and draws of the longest play, if plays are bounded.
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
    """Visit the positions of a game, within ``limit_positions``, ``limit_seconds`` and bytes of ``memory``, until
    ``is_enough``, which is called in every new position.

    ``progress`` is called every few positions with their number. Errors of the rules are raised as they are.
    """
    budget = Budget(memory)
    rooms = Room(budget), Room(budget)
    return Surveyor(machine, limit_positions, limit_seconds, progress, is_enough, *rooms).run()


@define(eq=False)
class _Visit(Generic[State]):
    """A position on the current path: its remaining moves, and the longest play found from it so far."""

    state: State
    position: Hashable
    moves: Iterator[Move]
    longest: int = 0


@define(eq=False)
class Surveyor(Generic[State]):
    """A running survey and its results so far."""

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
        """Visit positions until all are visited, or a limit is met. Returns the limit, or an empty text."""
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
        """Begin the visit of a new position. Returns the limit that is met, or an empty text."""
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
        """Whether there is memory for another position, also on the path."""
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
        """The sum of all earnings so far."""
        earned = self.machine.earned(state)
        if any(amount != earned[0] for amount in earned):
            self.evenly_earned = False
        return sum(earned, Fraction(0))
